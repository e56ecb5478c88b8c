import type { IncomingMessage, Server } from "node:http";
import { uploadAttachment } from "../api/conversation.ts";
import { attachments } from "../v1/attachments.ts";

/** How long a request body may take, in ms. With the sweep, slow ones are gone after 15 s. */
const BODY_MS = 14_000;
const SWEEP_MS = 500;

/** The uploads of files, at the BFF and at the service. */
const UPLOADS = [uploadAttachment, attachments].map(({ method, path }) => ({
  method,
  path: new RegExp(`^${path.replace(":id", "[^/]+")}$`),
}));
const isUpload = ({ method, url = "" }: IncomingMessage) =>
  UPLOADS.some((one) => one.method === method && one.path.test(url));

/**
 * Closes connections whose request body arrives too slowly. Uploads are exempt: the server's request timeout bounds them.
 * One sweep for all costs less than a timer for each request.
 */
export function cutSlowBodies(server: Server): void {
  const arriving = new Map<IncomingMessage, number>();
  const sweep = setInterval(() => {
    const latest = performance.now() - BODY_MS;
    for (const [request, since] of arriving) {
      // They are in the order of their arrival.
      if (since > latest) return;
      arriving.delete(request);
      if (!request.complete && !isUpload(request)) request.socket.destroy();
    }
  }, SWEEP_MS).unref();
  server.once("close", () => clearInterval(sweep));
  server.on("request", (request: IncomingMessage) => {
    const { headers } = request;
    if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) return;
    arriving.set(request, performance.now());
    request.once("close", () => arriving.delete(request));
  });
}
