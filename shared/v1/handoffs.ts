import * as z from "zod/mini";
import { HandoffReason, HandoffSummary } from "../handoff.ts";
import { Id } from "../id.ts";
import { v1 } from "../operation.ts";

/** Asks for a person. Contract, endpoint 6. The target is prepared first; if that fails the agent keeps the conversation. */
export const requestHandoff = v1({
  id: "handoffs",
  method: "POST",
  path: "/v1/support/handoffs",
  auth: "session",
  request: z.object({
    conversationId: Id,
    reason: z.optional(HandoffReason),
    currentIntent: z.optional(HandoffSummary),
    transcript: z.optional(z.string().check(z.maxLength(100_000))),
  }),
  answer: z.object({
    handoff: z.object({
      id: Id,
      conversationId: Id,
      /** Any word the service uses; only `accepted` is read as "a person is here". */
      status: z.string().check(z.minLength(1), z.maxLength(64)),
    }),
  }),
  summary: "Ask for a person to take over a conversation",
});
