import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** A server that takes connections. */
export interface Listening {
  readonly port: number;
  /** Its address, by HTTP. */
  readonly url: string;
  /** Closes open connections of HTTP as well; resolves when the port is released. */
  readonly close: () => Promise<void>;
}

/** Makes a server listen on a free port of 127.0.0.1. */
export async function listenOnFreePort(server: Server): Promise<Listening> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      if (server instanceof HttpServer) server.closeAllConnections();
      await closed;
    },
  };
}
