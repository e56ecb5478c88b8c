import { readAttachment, uploadAttachment } from "../../shared/api/conversation.ts";
import { fileAnswer } from "../gate/headers.ts";
import { createUploadPlaces } from "../gate/upload-places.ts";
import { bodyOf } from "../upstream/files.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

/** Stores a file for the customer's next message, once the service verifiably has the very bytes that were sent. */
export function createUploadAttachment({ link }: Pick<RouteDeps, "link">) {
  const places = createUploadPlaces();
  return route(uploadAttachment, async (exchange) => {
    const { session, upload, address } = exchange;
    const stored = await places.run({ session: session.id, address }, () => link.storeFile(session, upload));
    return respond(exchange, 201, stored, ({ attachment: { id, name, type, size } }) => ({
      attachment: { id, name, type, size },
    }));
  });
}

/** A file of the customer's own conversation. It claims nothing, so only its type is verified. */
export function createReadAttachment({ link, clock }: Pick<RouteDeps, "link" | "clock">) {
  return route(readAttachment, async ({ session, id, requestId, more }) => {
    const file = await link.openFile(session, id, new AbortController().signal);
    return fileAnswer(bodyOf(file, clock), file.mediaType, requestId, more());
  });
}
