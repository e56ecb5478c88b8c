import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/** The customer is typing now. The signal is not stored and expires unless it is renewed. */
export const tellTyping = v1({
  id: "typing",
  method: "POST",
  path: "/v1/support/conversations/:id/typing",
  auth: "session",
  summary: "Say that the customer is writing",
  needs: "typing",
  storesNothing: true,
  request: z.object({}),
  answer: z.object({ typing: z.object({ conversationId: Id }) }),
  echo: ({ params }, answer) => at(answer, "typing", "conversationId") === params.id,
  status: 200,
  // Never repeated, because a late signal would be wrong.
  retry: "never",
  refusals: ["conversation_ended"],
  limits: CALL,
});
