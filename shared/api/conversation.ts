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
  rate: "sends",
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
  rate: "sends",
  request: Outgoing,
  answer: z.object({ message: SentMessage }),
});

/** Server-Sent Events; `Last-Event-ID: EPOCH:SEQ` goes on after that event. Without it the whole log is sent. */
export const streamEvents = api({
  method: "GET",
  path: "/api/conversation/events",
  session: "required",
  rate: "calls",
  answer: ChatEvent,
});

export const requestHandoff = api({
  method: "POST",
  path: "/api/conversation/handoff",
  session: "required",
  rate: "calls",
  request: z.strictObject({ reason: z.optional(HandoffReason), summary: z.optional(HandoffSummary) }),
  answer: z.object({ handoff: Handoff }),
});

/** The customer's answer to an action that the agent asked permission for. It counts once the service verifiably took it. */
export const answerAction = api({
  method: "POST",
  path: "/api/conversation/actions",
  session: "required",
  rate: "calls",
  request: z.strictObject({ actionId: Action.shape.actionId, approved: z.boolean() }),
  answer: z.object({ action: z.object({ actionId: Action.shape.actionId, approved: z.boolean() }) }),
});

export const endConversation = api({
  method: "DELETE",
  path: "/api/conversation",
  session: "required",
  rate: "calls",
  answer: z.object({ conversation: z.object({ id: Id, status: z.literal("ended") }) }),
});

/**
 * Stores a file for the next message. The body is the file as it is; `X-File-Name` its name, percent-encoded; and
 * `Idempotency-Key` an id made for this file, so that a retry stores it once. Starts a conversation where none is open.
 */
export const uploadAttachment = api({
  method: "POST",
  path: "/api/conversation/attachments",
  session: "required",
  needs: ["attachments", "turns", "events"],
  rate: "uploads",
  upload: true,
  answer: z.object({ attachment: Attachment }),
});

/** A file of the customer's conversation, to be read by `fetch` with the session's token; never to be opened as a page. */
export const readAttachment = api({
  method: "GET",
  path: "/api/conversation/attachments/:id",
  session: "required",
  needs: ["attachments", "turns", "events"],
  rate: "calls",
  download: true,
  answer: z.unknown(),
});

/** Rates the conversation, open or ended. Idempotent; another rating replaces it. */
export const rateConversation = api({
  method: "POST",
  path: "/api/conversation/rating",
  session: "required",
  needs: ["rating"],
  rate: "calls",
  request: z.strictObject(Rating.shape),
  answer: z.object({ rating: Rating }),
});

/** The customer has seen everything up to `seq`. */
export const markRead = api({
  method: "POST",
  path: "/api/conversation/read",
  session: "required",
  needs: ["read", "events"],
  rate: "calls",
  request: z.strictObject({ seq: Seq }),
  answer: z.object({ read: z.object({ seq: Seq }) }),
});

/** The customer is writing now. The signal expires by itself; at most one in three seconds. */
export const tellTyping = api({
  method: "POST",
  path: "/api/conversation/typing",
  session: "required",
  needs: ["typing", "events"],
  rate: "typing",
  request: z.strictObject({}),
  answer: z.object({ typing: z.object({ conversationId: Id }) }),
});

/** Erases the conversation's text and files for good, open or ended. */
export const eraseConversation = api({
  method: "DELETE",
  path: "/api/conversation/content",
  session: "required",
  needs: ["erase", "events"],
  rate: "calls",
  answer: z.object({ erased: z.object({ conversationId: Id }) }),
});
