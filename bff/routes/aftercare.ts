import { endConversation, eraseConversation, rateConversation } from "../../shared/api/conversation.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

/** Ends the conversation. Asked again, the service confirms again. */
export function createEndConversation({ link }: Pick<RouteDeps, "link">) {
  return route(endConversation, async (exchange) => {
    const { id, proof } = await link.end(exchange.session);
    return respond(exchange, 200, proof, () => ({ conversation: { id, status: "ended" as const } }));
  });
}

/** Passes on the customer's rating of the conversation, open or ended. */
export function createRateConversation({ link }: Pick<RouteDeps, "link">) {
  return route(rateConversation, async (exchange) => {
    const { rating, proof } = await link.rate(exchange.session, exchange.body);
    return respond(exchange, 200, proof, () => ({ rating }));
  });
}

/** Erases the conversation for good. Until the service verifiably said so, it stays where it was. */
export function createEraseConversation({ link }: Pick<RouteDeps, "link">) {
  return route(eraseConversation, async (exchange) => {
    const erased = await link.erase(exchange.session);
    return respond(exchange, 200, erased, ({ erased: { conversationId } }) => ({
      erased: { conversationId },
    }));
  });
}
