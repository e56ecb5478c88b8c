import type { Rating } from "../../shared/rating.ts";
import { eraseConversation } from "../../shared/v1/erasure.ts";
import { rateConversation } from "../../shared/v1/ratings.ts";
import { markRead } from "../../shared/v1/reads.ts";
import { tellTyping } from "../../shared/v1/typing.ts";
import type { UpstreamClient } from "./client.ts";

interface Where {
  readonly serviceToken: string;
  readonly conversationId: string;
}

/** Rates a conversation. The same rating twice is one, so it may be repeated. */
export function rateServiceConversation(
  upstream: UpstreamClient,
  { serviceToken, conversationId }: Where,
  rating: Rating,
) {
  const { score, comment } = rating;
  return upstream.call({
    operation: rateConversation,
    request: comment === undefined ? { score } : { score, comment },
    sent: { conversationId, score, comment },
    serviceToken,
  });
}

/** Says how far the customer has read. */
export function markServiceRead(
  upstream: UpstreamClient,
  { serviceToken, conversationId }: Where,
  seq: number,
) {
  return upstream.call({
    operation: markRead,
    request: { seq },
    sent: { conversationId, seq },
    serviceToken,
  });
}

/** Says that the customer is writing. Never repeated: a late one would be a lie. */
export function tellServiceTyping(upstream: UpstreamClient, { serviceToken, conversationId }: Where) {
  return upstream.call({ operation: tellTyping, request: {}, sent: { conversationId }, serviceToken });
}

/** Erases a conversation's words and files. Twice is the same as once. */
export function eraseServiceConversation(upstream: UpstreamClient, { serviceToken, conversationId }: Where) {
  return upstream.call({ operation: eraseConversation, sent: { conversationId }, serviceToken });
}
