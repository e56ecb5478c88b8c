import { once } from "node:events";
import { createServer } from "node:http";

/** An address that must never be called: the target of redirects. */
export interface CanaryListener {
  readonly url: string;
  /** The calls that it got, `METHOD path` each; empty in every good test. */
  readonly calls: string[];
  readonly close: () => Promise<void>;
}

/** Listens on a free port of 127.0.0.1 and answers everything in the most believable way. */
export async function startCanaryListener(): Promise<CanaryListener> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"conversation":{"id":"conv_canary"},"token":"canary"}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}/canary`,
    calls,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
