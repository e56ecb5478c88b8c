import { createServer } from "node:http";
import { listenOnFreePort } from "../../shared/testing/listen.ts";

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
  const { url, close } = await listenOnFreePort(server);
  return { url: `${url}/canary`, calls, close };
}
