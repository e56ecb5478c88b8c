import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";

/** The customer is writing now: a signal of the moment, kept nowhere, that ends by itself unless it is said again. */
export const tellTyping = v1({
  id: "typing",
  method: "POST",
  path: "/v1/support/conversations/:id/typing",
  auth: "session",
  request: z.object({}),
  answer: z.object({ typing: z.object({ conversationId: Id }) }),
  summary: "Say that the customer is writing",
});
