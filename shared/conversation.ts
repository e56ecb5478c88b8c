import * as z from "zod/mini";
import { Handoff } from "./handoff.ts";
import { Id, Instant } from "./id.ts";
import { Message } from "./message.ts";

export const ConversationStatus = z.enum(["open", "ended"]);

/** A conversation without its log. */
export const Conversation = z.object({
  id: Id,
  status: ConversationStatus,
  startedAt: z.optional(Instant),
  handoff: z.optional(Handoff),
});
export type Conversation = z.infer<typeof Conversation>;

/** A conversation with its log up to `lastSeq`; `epoch` and `lastSeq` say where the event stream goes on. */
export const ConversationSnapshot = z.object({
  ...Conversation.shape,
  epoch: z.string().check(z.minLength(1), z.maxLength(64)),
  lastSeq: z.int().check(z.nonnegative()),
  messages: z.array(Message),
});
export type ConversationSnapshot = z.infer<typeof ConversationSnapshot>;
