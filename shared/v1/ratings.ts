import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { Rating } from "../rating.ts";

/** Rates a conversation, open or ended. Once more is the same; another rating takes its place. */
export const rateConversation = v1({
  id: "ratings",
  method: "POST",
  path: "/v1/support/conversations/:id/rating",
  auth: "session",
  request: Rating,
  answer: z.object({ rating: z.object({ ...Rating.shape, conversationId: Id }) }),
  summary: "Rate a conversation",
});
