import * as z from "zod/mini";
import { Action, ActionText } from "./action.ts";
import { ContactChange } from "./contact.ts";
import { FeedbackChange } from "./feedback.ts";
import { Handoff, type HandoffStatus, Wait } from "./handoff.ts";
import { Id, Instant, Seq } from "./id.ts";
import { Message, Role } from "./message.ts";
import { Rating } from "./rating.ts";
import { Summary } from "./summary.ts";

const durable = { seq: Seq, at: Instant };
const actionResult = { ...durable, actionId: Action.shape.actionId, text: z.optional(ActionText) };

/** A panel shows the status, so one that contradicts its type would claim what did not happen. */
const handoffEvent = <S extends HandoffStatus>(status: S) =>
  z
    .object({ type: z.literal(`handoff.${status}` as const), ...durable, handoff: Handoff })
    .check(z.refine(({ handoff }) => handoff.status === status, { path: ["handoff", "status"] }));

/** Entries of a conversation's log: stored, numbered without gaps, replayed on resume. */
export const DurableEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversation.started"), ...durable }),
  z.object({ type: z.literal("message.created"), ...durable, message: Message }),
  handoffEvent("requested"),
  handoffEvent("accepted"),
  handoffEvent("returned"),
  handoffEvent("failed"),
  z.object({
    type: z.literal("conversation.ended"),
    ...durable,
    by: z.enum(["customer", "human", "system"]),
  }),
  /**
   * An ended conversation is open again. Without `by` its customer writes in it, and no person has it any more. `by` a
   * human: a person of the team opened it and joins.
   */
  z.object({ type: z.literal("conversation.reopened"), ...durable, by: z.optional(z.literal("human")) }),
  /** The customer rated it or changed their rating; the last one counts. It may come after the end. */
  z.object({ type: z.literal("conversation.rated"), ...durable, rating: Rating }),
  /** The customer sent the team a summary of an open hand-off. */
  z.object({ type: z.literal("summary.sent"), ...durable, summary: Summary }),
  /** The agent asks permission for an action. Nothing has run. */
  z.object({ type: z.literal("action.requested"), ...durable, action: Action }),
  /** The customer allowed or refused it; or, `by` a human, a person of the team did. */
  z.object({
    type: z.literal("action.answered"),
    ...durable,
    actionId: Action.shape.actionId,
    approved: z.boolean(),
    by: z.optional(z.literal("human")),
  }),
  /** Its result (`ActionStatus`). Only `action.completed` means that it was done. */
  z.object({ type: z.literal("action.completed"), ...actionResult }),
  z.object({ type: z.literal("action.failed"), ...actionResult }),
  z.object({ type: z.literal("action.unknown"), ...actionResult }),
  z.object({ type: z.literal("action.expired"), ...actionResult }),
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

/**
 * Entries of the log that only the BFF writes: the agent of a service without events suggests a person. A suggestion hands
 * nothing over; only the customer can.
 */
const AskEvent = z.object({
  type: z.literal("handoff.suggested"),
  ...durable,
  reason: z.string().check(z.maxLength(500)),
});

/** Every entry that a log may contain. */
export const LoggedEvent = z.union([DurableEvent, AskEvent]);
export type LoggedEvent = z.infer<typeof LoggedEvent>;

/** Live signals: never stored, never replayed, without a seq. */
export const LiveEvent = z.discriminatedUnion("type", [
  /** A piece of an answer in progress; the whole text follows as `message.created` with the same id. */
  z.object({ type: z.literal("response.delta"), messageId: Id, delta: z.string() }),
  /** The whole text so far, for a subscriber who joins in the middle of an answer. */
  z.object({ type: z.literal("response.snapshot"), messageId: Id, text: z.string() }),
  z.object({ type: z.literal("typing.started"), role: Role, name: z.optional(z.string()) }),
  z.object({ type: z.literal("typing.stopped"), role: Role }),
  /** One side has seen everything up to `upTo`. Repeated to subscribers that join later. */
  z.object({ type: z.literal("conversation.read"), by: z.enum(["customer", "human"]), upTo: Seq }),
  /** The current wait for a person. It replaces the previous one, and is repeated to subscribers that join later. */
  z.object({ type: z.literal("handoff.wait"), wait: Wait }),
  /** The customer's address, which they changed here or on another screen. */
  z.object({ type: z.literal("contact.changed"), contact: ContactChange }),
  /** The customer's score of one answer, given here or on another screen. */
  z.object({ type: z.literal("feedback.changed"), feedback: FeedbackChange }),
  /** Its text and files are gone for good; no event follows, and its log no longer exists. */
  z.object({ type: z.literal("conversation.erased") }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

/**
 * The BFF's own events on a stream: the position is unknown, so fetch again; or this process is stopping, so reconnect
 * later.
 */
export const ControlEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reset"), reason: z.string() }),
  z.object({ type: z.literal("drain"), delayMs: z.int().check(z.nonnegative()) }),
]);
export type ControlEvent = z.infer<typeof ControlEvent>;

/** The events of the service's own stream. */
export const ServiceEvent = z.discriminatedUnion("type", [DurableEvent, LiveEvent]);
export type ServiceEvent = z.infer<typeof ServiceEvent>;

/** The events that a stream of the BFF forwards, from the service or from the BFF's own log. */
export type FeedEvent = LoggedEvent | LiveEvent;

/** The events of the widget's stream. */
export const ChatEvent = z.union([DurableEvent, AskEvent, LiveEvent, ControlEvent]);
export type ChatEvent = z.infer<typeof ChatEvent>;
