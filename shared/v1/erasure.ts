import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";

/** Erases a conversation's words and files for good. Once more is the same. */
export const eraseConversation = v1({
  id: "eraseConversation",
  method: "DELETE",
  path: "/v1/support/conversations/:id/content",
  auth: "session",
  answer: z.object({ erased: z.object({ conversationId: Id }) }),
  summary: "Erase a conversation",
});
