import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { Rating } from "../rating.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Rates a conversation, open or ended. Idempotent; another rating replaces it. */
export const rateConversation = v1({
  id: "ratings",
  method: "POST",
  path: "/v1/support/conversations/:id/rating",
  auth: "session",
  summary: "Rate a conversation",
  needs: "rating",
  request: Rating,
  answer: z.object({ rating: z.object({ ...Rating.shape, conversationId: Id }) }),
  echo: ({ params, request }, answer) =>
    at(answer, "rating", "conversationId") === params.id &&
    at(answer, "rating", "score") === request.score &&
    at(answer, "rating", "comment") === request.comment,
  status: 200,
  retry: "always",
  refusals: ["conversation_full"],
  limits: CALL,
});
