import * as z from "zod/mini";
import { ClientMessageId, Id, Instant, Seq } from "../id.ts";
import { Citation, MessageBody } from "../message.ts";
import { v1 } from "../operation.ts";

/**
 * Sends what the customer wrote. With `Accept: application/json` the answer is 201 at once and the reply comes by the
 * events; with `Accept: application/x-ndjson` the answer streams `TurnEvent`s, one JSON object a line.
 */
export const sendTurn = v1({
  id: "turns",
  method: "POST",
  path: "/v1/support/conversations/:id/turns",
  auth: "session",
  request: z.object({
    clientMessageId: ClientMessageId,
    content: z.object({ body: MessageBody, format: z.literal("plain") }),
    attachments: z._default(z.array(z.unknown()).check(z.maxLength(0)), []),
  }),
  answer: z.object({
    message: z.object({
      id: Id,
      clientMessageId: ClientMessageId,
      seq: Seq,
      role: z.optional(z.literal("customer")),
      body: z.optional(z.string()),
      at: z.optional(Instant),
    }),
  }),
  summary: "Send a customer's message",
});

/** One line of a turn's stream. A type that is not here is passed over (contract). */
export const TurnEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("response.delta"), messageId: Id, delta: z.string() }),
  z.object({ type: z.literal("response.snapshot"), messageId: Id, text: z.string() }),
  z.object({
    type: z.literal("response.completed"),
    messageId: Id,
    content: z.object({ body: z.string(), format: z.string() }),
    occurredAt: z.optional(z.string()),
  }),
  z.object({ type: z.literal("citation"), ...Citation.shape }),
  z.object({
    type: z.literal("action.requested"),
    actionId: Id,
    name: z.string(),
    approvalRequired: z.boolean(),
  }),
  z.object({
    type: z.literal("clarification.requested"),
    question: z.string(),
    fields: z.optional(z.array(z.unknown())),
  }),
  z.object({ type: z.literal("handoff.requested"), reason: z.string(), targetHint: z.optional(z.string()) }),
  z.object({ type: z.literal("usage") }),
  z.object({ type: z.literal("error"), code: z.string(), message: z.string() }),
]);
export type TurnEvent = z.infer<typeof TurnEvent>;
