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
  const request = comment === undefined ? { score } : { score, comment };
  return upstream.call(rateConversation, { params: { id: conversationId }, request, token: serviceToken });
}

/** Says how far the customer has read. */
export function markServiceRead(
  upstream: UpstreamClient,
  { serviceToken, conversationId }: Where,
  seq: number,
) {
  return upstream.call(markRead, { params: { id: conversationId }, request: { seq }, token: serviceToken });
}

/** Says that the customer is writing. Never repeated: a late one would be false. */
export function tellServiceTyping(upstream: UpstreamClient, { serviceToken, conversationId }: Where) {
  return upstream.call(tellTyping, { params: { id: conversationId }, request: {}, token: serviceToken });
}

/** Erases a conversation's text and files. Idempotent. */
export function eraseServiceConversation(upstream: UpstreamClient, { serviceToken, conversationId }: Where) {
  return upstream.call(eraseConversation, { params: { id: conversationId }, token: serviceToken });
}
