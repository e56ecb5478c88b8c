import type { IncomingMessage, Server } from "node:http";

/** How long a request body may take, in ms. With the sweep of connections, slow ones are gone after 15 s. */
const BODY_MS = 14_500;

/** Closes connections whose request body arrives too slowly. Uploads are exempt: the server's request timeout bounds them. */
export function cutSlowBodies(server: Server, isUpload: (request: IncomingMessage) => boolean): void {
  server.on("request", (request: IncomingMessage) => {
    const { headers, socket } = request;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    if (!hasBody || isUpload(request)) return;
    const timer = setTimeout(() => socket.destroy(), BODY_MS).unref();
    const settle = () => clearTimeout(timer);
    request.once("end", settle).once("close", settle);
  });
}
