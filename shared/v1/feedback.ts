import * as z from "zod/mini";
import { FeedbackChange } from "../feedback.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Says whether one answer of an agent helped, in a conversation that is open or ended. Idempotent; another score replaces it. */
export const giveFeedback = v1({
  id: "feedback",
  method: "POST",
  path: "/v1/support/conversations/:id/feedback",
  auth: "session",
  summary: "Give feedback on an agent's answer",
  needs: "feedback",
  request: FeedbackChange,
  answer: z.object({ feedback: z.object({ ...FeedbackChange.shape, conversationId: Id }) }),
  echo: ({ params, request }, answer) =>
    at(answer, "feedback", "conversationId") === params.id &&
    at(answer, "feedback", "messageId") === request.messageId &&
    at(answer, "feedback", "score") === request.score,
  status: 200,
  retry: "always",
  refusals: ["not_found"],
  limits: CALL,
});
