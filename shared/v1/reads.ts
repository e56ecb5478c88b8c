import * as z from "zod/mini";
import { Id, Seq } from "../id.ts";
import { v1 } from "../operation.ts";
import { at } from "./echo.ts";
import { CALL } from "./limits.ts";

/**
 * The customer has seen everything up to `seq`, which must be in the log. The answer may name a later seq that was
 * reported before.
 */
export const markRead = v1({
  id: "reads",
  method: "POST",
  path: "/v1/support/conversations/:id/read",
  auth: "session",
  summary: "Say how far the customer has read",
  needs: "read",
  request: z.object({ seq: Seq }),
  answer: z.object({ read: z.object({ conversationId: Id, seq: Seq }) }),
  echo: ({ params, request }, answer) =>
    at(answer, "read", "conversationId") === params.id && Number(at(answer, "read", "seq")) >= request.seq,
  status: 200,
  retry: "always",
  refusals: ["bad_request"],
  limits: CALL,
});
