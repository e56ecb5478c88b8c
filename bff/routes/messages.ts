import { markRead, sendMessage, startConversation, tellTyping } from "../../shared/api/conversation.ts";
import { requireFilesCarried } from "../conversation/carried.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";

/** Starts a conversation with its first message; with one open, the message goes there. */
export function createStartConversation({ link }: Pick<RouteDeps, "link">) {
  return route(startConversation, async (exchange) => {
    const { session, body } = exchange;
    requireFilesCarried(session, body);
    const { conversation, message, proof } = await link.start(session, body);
    return respond(exchange, 201, proof, () => ({ conversation, message }));
  });
}

/** Sends a message into the open conversation. */
export function createSendMessage({ link }: Pick<RouteDeps, "link">) {
  return route(sendMessage, async (exchange) => {
    const { session, body } = exchange;
    requireFilesCarried(session, body);
    const { message, proof } = await link.send(session, body);
    return respond(exchange, 201, proof, () => ({ message }));
  });
}

/** Passes on how far the customer has read. */
export function createMarkRead({ link }: Pick<RouteDeps, "link">) {
  return route(markRead, async (exchange) => {
    const read = await link.markRead(exchange.session, exchange.body.seq);
    return respond(exchange, 200, read, ({ read: { seq } }) => ({ read: { seq } }));
  });
}

/** Passes on that the customer is writing. */
export function createTellTyping({ link }: Pick<RouteDeps, "link">) {
  return route(tellTyping, async (exchange) => {
    const typing = await link.tellTyping(exchange.session);
    return respond(exchange, 200, typing, ({ typing: { conversationId } }) => ({
      typing: { conversationId },
    }));
  });
}
