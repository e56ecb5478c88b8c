import * as z from "zod/mini";
import { Action } from "../action.ts";
import { Attachment } from "../attachment.ts";
import { Conversation } from "../conversation.ts";
import { ChatEvent } from "../event.ts";
import { Handoff, HandoffReason, HandoffSummary } from "../handoff.ts";
import { ClientMessageId, Id, Seq } from "../id.ts";
import { MAX_ATTACHMENTS } from "../limits.ts";
import { BodyBesideFiles, Message } from "../message.ts";
import { api } from "../operation.ts";
import { Rating } from "../rating.ts";
import { Route } from "../route.ts";

/** `attachments` are ids of files that were uploaded and not sent yet; with one, the body may be empty. */
const Outgoing = z
  .strictObject({
    clientMessageId: ClientMessageId,
    body: BodyBesideFiles,
    attachments: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(MAX_ATTACHMENTS))),
  })
  .check(
    z.refine(({ body, attachments }) => body !== "" || attachments !== undefined, {
      error: "must not be empty",
      path: ["body"],
    }),
  );
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

/**
 * Keeps a file for the next message. The body is the file as it is; `X-File-Name` its name, percent-encoded; and
 * `Idempotency-Key` an id made for this file, so that a retry keeps it once. Begins a conversation where none is open.
 */
export const uploadAttachment = api({
  method: "POST",
  path: "/api/conversation/attachments",
  session: "required",
  upload: true,
  answer: z.object({ attachment: Attachment }),
});

/** A file of the customer's conversation, to be read by `fetch` with the session's token; never to be opened as a page. */
export const readAttachment = api({
  method: "GET",
  path: "/api/conversation/attachments/:id",
  session: "required",
  download: true,
  answer: z.unknown(),
});

/** Rates the conversation, open or ended. Once more is the same, another rating takes its place. */
export const rateConversation = api({
  method: "POST",
  path: "/api/conversation/rating",
  session: "required",
  request: z.strictObject(Rating.shape),
  answer: z.object({ rating: Rating }),
});

/** The customer has seen everything up to `seq`. */
export const markRead = api({
  method: "POST",
  path: "/api/conversation/read",
  session: "required",
  request: z.strictObject({ seq: Seq }),
  answer: z.object({ read: z.object({ seq: Seq }) }),
});

/** The customer is writing now. It ends by itself, and is said at most once in three seconds. */
export const tellTyping = api({
  method: "POST",
  path: "/api/conversation/typing",
  session: "required",
  request: z.strictObject({}),
  answer: z.object({ typing: z.object({ conversationId: Id }) }),
});

/** Erases the conversation's words and files for good, open or ended. */
export const eraseConversation = api({
  method: "DELETE",
  path: "/api/conversation/content",
  session: "required",
  answer: z.object({ erased: z.object({ conversationId: Id }) }),
});
