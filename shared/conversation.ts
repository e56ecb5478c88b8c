import * as z from "zod/mini";
import { AskedAction } from "./action.ts";
import { Handoff } from "./handoff.ts";
import { Id, Instant, Seq } from "./id.ts";
import { Message } from "./message.ts";
import { Rating } from "./rating.ts";

export const ConversationStatus = z.enum(["open", "ended"]);

/** A conversation without its log. */
export const Conversation = z.object({
  id: Id,
  status: ConversationStatus,
  startedAt: z.optional(Instant),
  handoff: z.optional(Handoff),
  /** The customer's last word on it. */
  rating: z.optional(Rating),
  /** Up to which seq each side has seen it, where the service says so. */
  read: z.optional(z.object({ customer: z.optional(Seq), human: z.optional(Seq) })),
});
export type Conversation = z.infer<typeof Conversation>;

/** A turn of a conversation that is not a message: how a hand-off went on, and the end. `name` is the person's. */
export const Mark = z.object({
  seq: Seq,
  at: Instant,
  type: z.enum([
    "handoff.requested",
    "handoff.accepted",
    "handoff.returned",
    "handoff.failed",
    "conversation.ended",
  ]),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type Mark = z.infer<typeof Mark>;

/** A conversation with its log up to `lastSeq`; `epoch` and `lastSeq` say where the event stream goes on. */
export const ConversationSnapshot = z.object({
  ...Conversation.shape,
  epoch: z.string().check(z.minLength(1), z.maxLength(64)),
  lastSeq: z.int().check(z.nonnegative()),
  messages: z.array(Message),
  /** Where the service says them, in the order of their seq. */
  marks: z.optional(z.array(Mark)),
  /** Actions that the agent asked leave for, in the order of their seq. */
  actions: z.optional(z.array(AskedAction)),
  /** The agent's last suggestion of a person, where nobody was asked since. */
  suggestion: z.optional(z.object({ reason: z.string().check(z.maxLength(500)) })),
});
export type ConversationSnapshot = z.infer<typeof ConversationSnapshot>;
