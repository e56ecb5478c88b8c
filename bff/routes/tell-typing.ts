import { tellTyping } from "../../shared/api/conversation.ts";
import { requireOpenConversation } from "../conversations/current-conversation.ts";
import { tellServiceTyping } from "../upstream/aftercare.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

/**
 * Passes on that the customer is writing. It takes no lock and counts in a limit of its own, so that no message and no
 * request for a person ever waits for it or is refused because of it.
 */
export function createTellTyping(deps: RouteDeps) {
  return route(tellTyping, async (exchange) => {
    const { session } = exchange;
    const { conversationId, owner } = requireOpenConversation(
      await deps.pointers.read(session.customer.externalId),
    );
    const told = await deps.serviceTokens.lend(
      session,
      (serviceToken) => tellServiceTyping(deps.upstream, { serviceToken, conversationId }),
      owner,
    );
    return respond(exchange, 200, told, ({ typing }) => ({
      typing: { conversationId: typing.conversationId },
    }));
  });
}
