import { endConversation } from "../../shared/api/conversation.ts";
import { requireConversation } from "../conversations/current-conversation.ts";
import { keepsOwnLog, logOf } from "../conversations/own-log.ts";
import { endServiceConversation } from "../upstream/conversations.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, respondOwn, route } from "./exchange.ts";

/** Ends the conversation. Asked again after it ended, the service's tombstone confirms again. */
export function createEndConversation(deps: RouteDeps) {
  return route(endConversation, async (exchange) => {
    const { session } = exchange;
    const { externalId } = session.customer;
    return deps.locks.run(externalId, async () => {
      const current = requireConversation(await deps.pointers.read(externalId));
      const { conversationId: id, owner } = current;
      const own = keepsOwnLog(session) ? logOf(session, current) : undefined;
      if (own && (await deps.feeds.read(own, 0)).some(({ type }) => type === "conversation.ended")) {
        // A service of the seven alone may have forgotten it; its verified word is in the log.
        return respondOwn(exchange, { conversation: { id, status: "ended" } });
      }
      const ended = await deps.serviceTokens.lend(
        session,
        (serviceToken) => endServiceConversation(deps.upstream, { serviceToken, conversationId: id }),
        owner,
      );
      await deps.pointers.change(externalId, { status: "ended" });
      if (own) {
        await deps.turns.stop(own);
        await deps.feeds.append(own, ended, [{ type: "conversation.ended", by: "customer" }]);
      }
      return respond(exchange, 200, ended, () => ({ conversation: { id, status: "ended" as const } }));
    });
  });
}
