import * as z from "zod/mini";
import { HandoffReason, HandoffStatus, HandoffSummary, Wait } from "../handoff.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";
import { atMost } from "../text.ts";
import { at, isFailedStatus } from "./echo.ts";
import { HANDOFF } from "./limits.ts";

/** Asks for a person. Contract, endpoint 6. The target is prepared first; if that fails the agent keeps the conversation. */
export const requestHandoff = v1({
  id: "handoffs",
  method: "POST",
  path: "/v1/support/handoffs",
  auth: "session",
  summary: "Ask for a person to take over a conversation",
  headers: ["handoffSecret", "Idempotency-Key"],
  request: z.object({
    conversationId: Id,
    reason: z.optional(HandoffReason),
    currentIntent: z.optional(HandoffSummary),
    transcript: z.optional(z.string().check(atMost(100_000))),
  }),
  answer: z.object({
    handoff: z.object({
      id: Id,
      conversationId: Id,
      /** Any name that the service uses; only `accepted` means that a person has joined. */
      status: z.string().check(z.minLength(1), z.maxLength(64)),
      /** The facts about the wait that the service reports. */
      wait: z.optional(Wait),
    }),
  }),
  echo({ request }, answer) {
    const status = at(answer, "handoff", "status");
    // `failed` is the contract's own status and is passed on; the other words of failure contradict the 2xx.
    const isConsistent = status === "failed" || !isFailedStatus(status);
    return isConsistent && at(answer, "handoff", "conversationId") === request.conversationId;
  },
  status: 201,
  repeated: "Verified: a hand-off that was open already.",
  retry: "keyed",
  refusals: ["conversation_ended", "handoff_unavailable", "in_flight", "key_reused"],
  limits: HANDOFF,
});

/** Whatever name another service uses, it only means that a person was asked for (contract). */
export function handoffStatusOf(status: string): HandoffStatus {
  return HandoffStatus.safeParse(status).data ?? "requested";
}
