import { endConversation } from "../../shared/api/conversation.ts";
import { requireConversation } from "../conversations/current-conversation.ts";
import { respond, route } from "../route.ts";
import { endServiceConversation } from "../upstream/conversations.ts";
import type { RouteDeps } from "./deps.ts";

/** Ends the conversation. Asked again after it ended, the service's tombstone confirms again (R53). */
export function createEndConversation(deps: RouteDeps) {
  return route(endConversation, (exchange) => {
    const { session } = exchange;
    deps.limits.calls.take(session.id);
    const { externalId } = session.customer;
    return deps.locks.run(externalId, async () => {
      const { conversationId: id, owner } = requireConversation(await deps.pointers.read(externalId));
      const ended = await deps.serviceTokens.lend(
        session,
        (serviceToken) => endServiceConversation(deps.upstream, { serviceToken, conversationId: id }),
        owner,
      );
      await deps.pointers.change(externalId, { status: "ended" });
      return respond(exchange, 200, ended, () => ({ conversation: { id, status: "ended" as const } }));
    });
  });
}
