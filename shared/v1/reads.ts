import * as z from "zod/mini";
import { Id, Seq } from "../id.ts";
import { v1 } from "../operation.ts";

/** The customer has seen everything up to `seq`. The answer may name a later one, which was said before. */
export const markRead = v1({
  id: "reads",
  method: "POST",
  path: "/v1/support/conversations/:id/read",
  auth: "session",
  request: z.object({ seq: Seq }),
  answer: z.object({ read: z.object({ conversationId: Id, seq: Seq }) }),
  summary: "Say how far the customer has read",
});
