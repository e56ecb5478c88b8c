import * as z from "zod/mini";
import { AskedAction } from "./action.ts";
import { Contact } from "./contact.ts";
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
  /** The customer's latest rating. */
  rating: z.optional(Rating),
  /** The address for replies that the customer left. */
  contact: z.optional(Contact),
  /** How far each side has seen it, if the service reports it. */
  read: z.optional(z.object({ customer: z.optional(Seq), human: z.optional(Seq) })),
});
export type Conversation = z.infer<typeof Conversation>;

/** An entry of the log that is not a message: the progress of a hand-off, its summary, the end, or the reopening. `name` is the person's. */
export const Mark = z.object({
  seq: Seq,
  at: Instant,
  type: z.enum([
    "handoff.requested",
    "handoff.accepted",
    "handoff.returned",
    "handoff.failed",
    "conversation.ended",
    "conversation.reopened",
    "summary.sent",
  ]),
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type Mark = z.infer<typeof Mark>;

/** Without those of another form, such as a newer type: a line between messages must not cost the conversation. */
export const Marks = z.pipe(
  z.transform((list) => (Array.isArray(list) ? list.filter((entry) => Mark.safeParse(entry).success) : list)),
  z.array(Mark),
);

/** A conversation with its log up to `lastSeq`; `epoch` and `lastSeq` say where the event stream continues. */
export const ConversationSnapshot = z.object({
  ...Conversation.shape,
  epoch: z.string().check(z.minLength(1), z.maxLength(64)),
  /** It has ended, and its customer chose to continue it: the next message opens it again. */
  reopens: z.optional(z.literal(true)),
  lastSeq: z.int().check(z.nonnegative()),
  /** The newest ones; all of them where `nextBefore` is absent. */
  messages: z.array(Message),
  /** The log has more before this seq. */
  nextBefore: z.optional(Seq),
  /** If the service reports them, ordered by seq. */
  marks: z.optional(Marks),
  /** Actions that the agent asked permission for, ordered by seq. */
  actions: z.optional(z.array(AskedAction)),
  /** The agent's latest suggestion of a person, if nobody was asked since. */
  suggestion: z.optional(z.object({ reason: z.string().check(z.maxLength(500)) })),
});
export type ConversationSnapshot = z.infer<typeof ConversationSnapshot>;
