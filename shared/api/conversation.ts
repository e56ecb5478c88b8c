import * as z from "zod/mini";
import { Action } from "../action.ts";
import { Attachment } from "../attachment.ts";
import { ContactChange } from "../contact.ts";
import { Conversation, ConversationSnapshot } from "../conversation.ts";
import { ChatEvent } from "../event.ts";
import { FeedbackChange } from "../feedback.ts";
import { Handoff, HandoffReason, HandoffSummary } from "../handoff.ts";
import { ClientMessageId, Id, Seq } from "../id.ts";
import { MAX_ATTACHMENTS } from "../limits.ts";
import { BodyBesideFiles, Message } from "../message.ts";
import { api } from "../operation.ts";
import { Rating } from "../rating.ts";
import { Route } from "../route.ts";
import { Summary, SummaryProposal } from "../summary.ts";

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

const { id, seq, body, at, attachments } = Message.shape;
/**
 * The customer's own message as the service confirmed it: only the fields that one can have, because each field of a
 * schema costs every message.
 */
export const SentMessage = z.object({
  id,
  seq,
  body,
  at,
  attachments,
  clientMessageId: ClientMessageId,
  role: z.literal("customer"),
});
export type SentMessage = z.infer<typeof SentMessage>;

/** The conversation that the customer looks at. If it is not the current one any more, nothing is done. */
const OnScreen = z.object({ conversationId: z.optional(Id) });
export type OnScreen = z.infer<typeof OnScreen>;

/** Starts a conversation with its first message. With one open already, the message goes there. */
export const startConversation = api({
  method: "POST",
  path: "/api/conversation",
  session: "required",
  rate: "sends",
  request: Outgoing,
  answer: z.object({
    /** `route`: the one with which it was started, if known. */
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

/** A seq as an address names it. */
export const SeqText = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be a seq of the log")),
  z.transform(Number),
);

const { messages, marks, actions, nextBefore } = ConversationSnapshot.shape;
/** A page of a conversation's log. */
export const LOG_PAGE = { messages, marks, actions, nextBefore };

/**
 * Reads the newest page of the log, or with `?before=SEQ` the newest before that seq: the messages above those that a
 * session starts with.
 */
export const readEarlier = api({
  method: "GET",
  path: "/api/conversation/messages",
  session: "required",
  rate: "calls",
  query: z.object({ before: z.optional(SeqText) }),
  answer: z.object({
    conversation: z.object({ id: Id, epoch: ConversationSnapshot.shape.epoch }),
    ...LOG_PAGE,
  }),
});

/** Server-Sent Events; `Last-Event-ID: EPOCH:SEQ` continues after that event. Without it the whole log is sent. */
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
  rate: "handoffs",
  query: OnScreen,
  request: z.strictObject({ reason: z.optional(HandoffReason), summary: z.optional(HandoffSummary) }),
  answer: z.object({ handoff: Handoff }),
});

/** Proposes a summary for the team of an open hand-off. Nothing is sent. */
export const proposeSummary = api({
  method: "GET",
  path: "/api/conversation/summary",
  session: "required",
  needs: ["summary", "events"],
  rate: "summaries",
  answer: z.object({ summary: SummaryProposal }),
});

/** Sends the team the customer's own version, once for each hand-off. */
export const sendSummary = api({
  method: "POST",
  path: "/api/conversation/summary",
  session: "required",
  needs: ["summary", "events"],
  rate: "summaries",
  request: z.strictObject({ handoffId: Id, text: HandoffSummary }),
  answer: z.object({ summary: Summary }),
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
  query: OnScreen,
  answer: z.object({ conversation: z.object({ id: Id, status: z.literal("ended") }) }),
});

/**
 * Stores a file for the next message. The body is the raw file, `X-File-Name` its percent-encoded name, and
 * `Idempotency-Key` an id created for this file, so that a retry stores it once. Starts a conversation if none is open.
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

/** A conversation that the service listed as the customer's own, as an address names it. */
export const Reference = z.string().check(z.minLength(1), z.maxLength(200));

/** A file of the customer's conversation, or with `?of=REFERENCE` of a past one, to be read by `fetch` with the session's token; never to be opened as a page. */
export const readAttachment = api({
  method: "GET",
  path: "/api/conversation/attachments/:id",
  session: "required",
  needs: ["attachments", "turns", "events"],
  rate: "calls",
  query: z.object({ of: z.optional(Reference) }),
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
  query: OnScreen,
  request: z.strictObject(Rating.shape),
  answer: z.object({ rating: Rating }),
});

/** Says whether one answer of an agent helped, or takes that back. Idempotent. */
export const giveFeedback = api({
  method: "POST",
  path: "/api/conversation/feedback",
  session: "required",
  needs: ["feedback", "events"],
  rate: "calls",
  request: z.strictObject(FeedbackChange.shape),
  answer: z.object({ feedback: FeedbackChange }),
});

/** Sets or removes where the team can write to the customer. Idempotent. */
export const setContact = api({
  method: "POST",
  path: "/api/conversation/contact",
  session: "required",
  needs: ["contact"],
  rate: "contacts",
  query: OnScreen,
  request: z.strictObject(ContactChange.shape),
  answer: z.object({ contact: ContactChange }),
});

/** The customer has seen everything up to `seq`. */
export const markRead = api({
  method: "POST",
  path: "/api/conversation/read",
  session: "required",
  needs: ["read", "events"],
  rate: "calls",
  query: OnScreen,
  request: z.strictObject({ seq: Seq }),
  answer: z.object({ read: z.object({ seq: Seq }) }),
});

/** The customer is typing now. The signal expires; at most one is sent in three seconds. */
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
  rate: "erasures",
  query: OnScreen,
  answer: z.object({ erased: z.object({ conversationId: Id }) }),
});
