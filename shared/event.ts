import * as z from "zod/mini";
import { Action } from "./action.ts";
import { Handoff } from "./handoff.ts";
import { Id, Instant, Seq } from "./id.ts";
import { Message, Role } from "./message.ts";
import { Rating } from "./rating.ts";

const durable = { seq: Seq, at: Instant };

/** Entries of a conversation's log: kept, numbered without holes, replayed on resume. */
export const DurableEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("conversation.started"), ...durable }),
  z.object({ type: z.literal("message.created"), ...durable, message: Message }),
  z.object({ type: z.literal("handoff.requested"), ...durable, handoff: Handoff }),
  z.object({ type: z.literal("handoff.accepted"), ...durable, handoff: Handoff }),
  z.object({ type: z.literal("handoff.returned"), ...durable, handoff: Handoff }),
  z.object({ type: z.literal("handoff.failed"), ...durable, handoff: Handoff }),
  z.object({
    type: z.literal("conversation.ended"),
    ...durable,
    by: z.enum(["customer", "human", "system"]),
  }),
  /** The customer rated it, or rated it anew: the last one counts. It may come after the end. */
  z.object({ type: z.literal("conversation.rated"), ...durable, rating: Rating }),
]);
export type DurableEvent = z.infer<typeof DurableEvent>;

/**
 * What an agent asks of the customer, entries of the log as well: leave for an action, how that was answered, and whether
 * a person should take over. A suggestion hands nothing over; the customer does, or does not.
 */
export const AskEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("action.requested"), ...durable, action: Action }),
  z.object({
    type: z.literal("action.answered"),
    ...durable,
    actionId: Action.shape.actionId,
    approved: z.boolean(),
  }),
  z.object({
    type: z.literal("handoff.suggested"),
    ...durable,
    reason: z.string().check(z.maxLength(500)),
  }),
]);
export type AskEvent = z.infer<typeof AskEvent>;

/** Every entry that a log may hold. */
export const LoggedEvent = z.union([DurableEvent, AskEvent]);
export type LoggedEvent = z.infer<typeof LoggedEvent>;

/** Signals of the moment: never stored, never replayed, without a seq. */
export const LiveEvent = z.discriminatedUnion("type", [
  /** A piece of an answer that is being written; the whole of it comes as `message.created` with the same id. */
  z.object({ type: z.literal("response.delta"), messageId: Id, delta: z.string() }),
  /** The whole text so far, for one who joins in the middle of an answer. */
  z.object({ type: z.literal("response.snapshot"), messageId: Id, text: z.string() }),
  z.object({ type: z.literal("typing.started"), role: Role, name: z.optional(z.string()) }),
  z.object({ type: z.literal("typing.stopped"), role: Role }),
  /** One side has seen everything up to `upTo`. Said again to whoever joins later. */
  z.object({ type: z.literal("conversation.read"), by: z.enum(["customer", "human"]), upTo: Seq }),
  /** Its words and files are gone for good; no event follows, and there is no log to come back to. */
  z.object({ type: z.literal("conversation.erased") }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

/** What the BFF itself says on a stream: the position is gone, fetch again; or this process is leaving, come back later. */
export const ControlEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("reset"), reason: z.string() }),
  z.object({ type: z.literal("drain"), delayMs: z.int().check(z.nonnegative()) }),
]);
export type ControlEvent = z.infer<typeof ControlEvent>;

/** What the service's own event stream carries. */
export const ServiceEvent = z.union([DurableEvent, LiveEvent]);
export type ServiceEvent = z.infer<typeof ServiceEvent>;

/** What a stream of the BFF passes on, from the service's events or from its own log. */
export type FeedEvent = LoggedEvent | LiveEvent;

/** What the widget's event stream carries. */
export const ChatEvent = z.union([DurableEvent, AskEvent, LiveEvent, ControlEvent]);
export type ChatEvent = z.infer<typeof ChatEvent>;
