import * as z from "zod/mini";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { at, isAbsentOr, isFailedStatus } from "./echo.ts";
import { CALL } from "./limits.ts";

const named = {
  id: z.optional(z.unknown()),
  actionId: z.optional(z.unknown()),
  approved: z.optional(z.unknown()),
};

/**
 * The customer's answer to an action that the agent asked for (contract, "Beyond the seven"). The answer's shape is not
 * specified: an empty 2xx confirms, and a body that names an action or an answer must name the ones that were sent.
 */
export const actionApprovals = v1({
  id: "actionApprovals",
  method: "POST",
  path: "/v1/support/conversations/:id/action-approvals",
  auth: "session",
  summary: "Answer an action that the agent asked for",
  request: z.object({ actionId: Id, approved: z.boolean() }),
  answer: z.optional(z.object({ ...named, action: z.optional(z.object(named)) })),
  echo: ({ request: { actionId, approved } }, answer) =>
    [answer, at(answer, "action")].every(
      (one) =>
        isAbsentOr(actionId, at(one, "actionId")) &&
        isAbsentOr(actionId, at(one, "id")) &&
        isAbsentOr(approved, at(one, "approved")) &&
        !isFailedStatus(at(one, "status")),
    ),
  status: 200,
  retry: "never",
  refusals: ["conversation_ended", "forbidden", "key_reused"],
  limits: CALL,
});
