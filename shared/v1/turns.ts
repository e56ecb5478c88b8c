import * as z from "zod/mini";
import { Attachment } from "../attachment.ts";
import { ClientMessageId, Id, Instant, Seq } from "../id.ts";
import { MAX_ATTACHMENTS } from "../limits.ts";
import { BodyBesideFiles } from "../message.ts";
import { Choices } from "../message-kinds/choices.ts";
import { Citation } from "../message-kinds/citations.ts";
import { v1 } from "../operation.ts";
import { at, isSameText } from "./echo.ts";
import { CALL, TURN_STREAM } from "./limits.ts";

/** The customer's message as the service stored it. */
const StoredTurn = z.object({
  id: Id,
  clientMessageId: ClientMessageId,
  seq: Seq,
  role: z.optional(z.literal("customer")),
  body: z.optional(z.string()),
  at: z.optional(Instant),
  /** Exactly the files that were sent, if any were. */
  attachments: z.optional(z.array(Attachment)),
});

/** One line of a turn's stream. A reader ignores unknown types (contract). */
export const TurnEvent = z.discriminatedUnion("type", [
  /**
   * Comes first if the service sends it: the message is stored. As the only event it means that no software answers,
   * because a person was asked for.
   */
  z.object({ type: z.literal("turn.accepted"), message: StoredTurn }),
  z.object({ type: z.literal("response.delta"), messageId: Id, delta: z.string() }),
  z.object({ type: z.literal("response.snapshot"), messageId: Id, text: z.string() }),
  z.object({
    type: z.literal("response.completed"),
    messageId: Id,
    content: z.object({ body: z.string(), format: z.string() }),
    occurredAt: z.optional(z.string()),
  }),
  z.object({ type: z.literal("citation"), ...Citation.shape }),
  /** Quick replies for the message that completes next. */
  z.object({ type: z.literal("choices"), choices: Choices }),
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

/** A turn that lost one of its files is not the turn that was sent. */
function namesFiles(named: unknown, sent: readonly { readonly id: string }[]): boolean {
  if (sent.length === 0) return true;
  if (!Array.isArray(named) || named.length !== sent.length) return false;
  return sent.every(({ id }, index) => at(named[index], "id") === id);
}

export const NDJSON = "application/x-ndjson";

/**
 * Sends what the customer wrote. With `Accept: application/json` the answer is 201 at once and the reply comes by the
 * events; with `Accept: application/x-ndjson` the answer streams `TurnEvent`s, one JSON object a line.
 */
export const sendTurn = v1({
  id: "turns",
  method: "POST",
  path: "/v1/support/conversations/:id/turns",
  auth: "session",
  summary: "Send a customer's message",
  needs: "turns",
  request: z.object({
    clientMessageId: ClientMessageId,
    content: z.object({ body: BodyBesideFiles, format: z.literal("plain") }),
    /** Files that were uploaded into this conversation and not sent yet; with one, the body may be empty. */
    attachments: z._default(z.array(z.object({ id: Id })).check(z.maxLength(MAX_ATTACHMENTS)), []),
  }),
  answer: z.object({ message: StoredTurn }),
  stream: {
    accept: NDJSON,
    // A service that has nothing to stream, because a person answers, may answer with JSON instead.
    mediaTypes: [NDJSON, "application/json"],
    statuses: [200, 201],
    headMs: TURN_STREAM.firstMs,
    event: TurnEvent,
  },
  echo: ({ request }, answer) =>
    at(answer, "message", "clientMessageId") === request.clientMessageId &&
    isSameText(request.content.body, at(answer, "message", "body")) &&
    namesFiles(at(answer, "message", "attachments"), request.attachments ?? []),
  status: 201,
  // `clientMessageId` is its key.
  retry: "keyed",
  refusals: ["conversation_ended", "conversation_full", "file_gone", "in_flight", "key_reused"],
  limits: CALL,
});
