import { once } from "node:events";
import { createServer } from "node:http";

/** A customer's page on an origin of its own, with the tag in it. */
export interface HostPage {
  readonly origin: string;
  readonly url: string;
  /** Where the tag loads the widget from; known once the product runs. */
  readonly embed: (widgetOrigin: string) => void;
  readonly close: () => Promise<void>;
}

/** Serves the page on a free port, under the loopback name that the product does not use. */
export async function startHostPage(): Promise<HostPage> {
  let widgetOrigin = "";
  const server = createServer((request, response) => {
    const isPage = request.url === "/";
    response.writeHead(isPage ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    const tag = `<script async src="${widgetOrigin}/widget.js"></script>`;
    response.end(
      isPage ? `<!doctype html><html lang="en"><title>Lamps</title><h1>Lamps</h1>${tag}</html>` : "",
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const origin = `http://localhost:${address.port}`;
  return {
    origin,
    url: `${origin}/`,
    embed: (given) => {
      widgetOrigin = given;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
