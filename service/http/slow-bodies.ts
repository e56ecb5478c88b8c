import type { IncomingMessage, Server } from "node:http";

/** How long the body of a request may take, in ms; what is slow is over after 15 s. */
const BODY_MS = 14_500;

/**
 * Cuts requests whose body dawdles, but for those that `isUpload` names: a file on a slow line may take as long as the
 * server lets any request.
 */
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
