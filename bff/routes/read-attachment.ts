import { readAttachment } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { requireConversation } from "../conversations/current-conversation.ts";
import { fileAnswer } from "../gate/headers.ts";
import { isRefused } from "../upstream/failure.ts";
import { bodyOf, openServiceFile } from "../upstream/files.ts";
import type { RouteDeps } from "./deps.ts";
import { route } from "./exchange.ts";

/** A file of the customer's own conversation: the service looks whose it is. It claims nothing, so nothing is verified but its type. */
export function createReadAttachment(deps: RouteDeps) {
  return route(readAttachment, async (exchange) => {
    const { session, id: attachmentId, requestId } = exchange;
    const current = requireConversation(await deps.pointers.read(session.customer.externalId));
    const { conversationId, owner } = current;
    const gone = new AbortController();
    try {
      const file = await deps.serviceTokens.lend(
        session,
        (serviceToken) =>
          openServiceFile(deps.upstream, { serviceToken, conversationId, attachmentId }, gone.signal),
        owner,
      );
      return fileAnswer(bodyOf(file, deps.clock), file.mediaType, requestId, exchange.more());
    } catch (error) {
      throw isRefused(error, 404) ? new Failure("not_found") : error;
    }
  });
}
