import { sendMessage } from "../../shared/api/conversation.ts";
import { requireOpenConversation } from "../conversations/current-conversation.ts";
import { keepsOwnLog, sendByLog } from "../conversations/own-log.ts";
import { sendTurn, sentMessageOf } from "../conversations/turn.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, respondOwn, route } from "./exchange.ts";

/** Sends a message into the open conversation. The hot path: one cached look-up, one call. */
export function createSendMessage(deps: RouteDeps) {
  return route(sendMessage, async (exchange) => {
    const { session, body } = exchange;
    const known = deps.pointers.read(session.customer.externalId);
    const current = requireOpenConversation(known instanceof Promise ? await known : known);
    if (keepsOwnLog(session)) {
      const { message, proof } = await sendByLog(deps, session, current, body);
      return proof ? respond(exchange, 201, proof, () => ({ message })) : respondOwn(exchange, { message });
    }
    const turn = await sendTurn(deps, session, current, body);
    return respond(exchange, 201, turn, (confirmed) => ({
      message: sentMessageOf(confirmed, body, deps.clock.now()),
    }));
  });
}
