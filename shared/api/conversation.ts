import * as z from "zod/mini";
import { Action } from "../action.ts";
import { Conversation } from "../conversation.ts";
import { ChatEvent } from "../event.ts";
import { Handoff, HandoffReason, HandoffSummary } from "../handoff.ts";
import { ClientMessageId, Id } from "../id.ts";
import { Message, MessageBody } from "../message.ts";
import { api } from "../operation.ts";
import { Route } from "../route.ts";

const Outgoing = z.strictObject({ clientMessageId: ClientMessageId, body: MessageBody });
export type Outgoing = z.infer<typeof Outgoing>;

/** The customer's own message as the service confirmed it. */
export const SentMessage = z.object({
  ...Message.shape,
  clientMessageId: ClientMessageId,
  role: z.literal("customer"),
});
export type SentMessage = z.infer<typeof SentMessage>;

/** Starts a conversation with its first message. With one open already, the message goes there. */
export const startConversation = api({
  method: "POST",
  path: "/api/conversation",
  session: "required",
  request: Outgoing,
  answer: z.object({
    /** `route`: the one it was started with, where that is known. */
    conversation: z.object({ ...Conversation.shape, epoch: z.string(), route: z.optional(Route) }),
    message: SentMessage,
  }),
});

export const sendMessage = api({
  method: "POST",
  path: "/api/conversation/messages",
  session: "required",
  request: Outgoing,
  answer: z.object({ message: SentMessage }),
});

/** Server-Sent Events; `Last-Event-ID: EPOCH:SEQ` goes on after that event. Without it the whole log is sent. */
export const streamEvents = api({
  method: "GET",
  path: "/api/conversation/events",
  session: "required",
  answer: ChatEvent,
});

export const requestHandoff = api({
  method: "POST",
  path: "/api/conversation/handoff",
  session: "required",
  request: z.strictObject({ reason: z.optional(HandoffReason), summary: z.optional(HandoffSummary) }),
  answer: z.object({ handoff: Handoff }),
});

/** The customer's answer to an action that the agent asked leave for. Answered is what the service verifiably took. */
export const answerAction = api({
  method: "POST",
  path: "/api/conversation/actions",
  session: "required",
  request: z.strictObject({ actionId: Action.shape.actionId, approved: z.boolean() }),
  answer: z.object({ action: z.object({ actionId: Action.shape.actionId, approved: z.boolean() }) }),
});

export const endConversation = api({
  method: "DELETE",
  path: "/api/conversation",
  session: "required",
  answer: z.object({ conversation: z.object({ id: Id, status: z.literal("ended") }) }),
});
