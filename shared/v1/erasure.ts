import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/** Erases a conversation's text and files for good. Idempotent. */
export const eraseConversation = v1({
  id: "eraseConversation",
  method: "DELETE",
  path: "/v1/support/conversations/:id/content",
  auth: "session",
  summary: "Erase a conversation",
  needs: "erase",
  answer: z.object({ erased: z.object({ conversationId: Id }) }),
  echo: ({ params }, answer) => at(answer, "erased", "conversationId") === params.id,
  status: 200,
  retry: "always",
  limits: CALL,
});
