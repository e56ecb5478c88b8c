import { sendMessage } from "../../shared/api/conversation.ts";
import { requireOpenConversation } from "../conversations/current-conversation.ts";
import { sendTurn, sentMessageOf } from "../conversations/turn.ts";
import { respond, route } from "../route.ts";
import type { RouteDeps } from "./deps.ts";

/** Sends a message into the open conversation. The hot path: one cached look-up, one call. */
export function createSendMessage(deps: RouteDeps) {
  return route(sendMessage, async (exchange) => {
    const { session, body } = exchange;
    deps.limits.sends.take(session.id);
    const known = deps.pointers.read(session.customer.externalId);
    const current = requireOpenConversation(known instanceof Promise ? await known : known);
    const turn = await sendTurn(deps, session, current, body);
    return respond(exchange, 201, turn, (confirmed) => ({
      message: sentMessageOf(confirmed, body, deps.clock.now()),
    }));
  });
}
