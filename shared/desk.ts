import * as z from "zod/mini";
import { AnswerMade } from "./answer-made.ts";
import { Contact, ContactChange } from "./contact.ts";
import { Conversation } from "./conversation.ts";
import { DurableEvent, ServiceEvent } from "./event.ts";
import { ClientMessageId, ExternalId, Id, Instant, Seq } from "./id.ts";
import { MAX_ATTACHMENTS } from "./limits.ts";
import { BodyBesideFiles, Generated, Message } from "./message.ts";
import { Citations } from "./message-kinds/citations.ts";
import { Rating } from "./rating.ts";
import { lineText } from "./text.ts";
import { Traits } from "./traits.ts";
import { StartedFrom } from "./v1/conversations.ts";
import { PastConversation } from "./v1/history.ts";

/** Header with the desk session's CSRF token, required on every call that changes something. */
export const CSRF_HEADER = "x-parley-csrf";

const DeskRole = z.enum(["agent", "admin"]);
export const DeskUser = z.object({ id: Id, email: z.string(), name: z.string(), role: DeskRole });
export type DeskUser = z.infer<typeof DeskUser>;

/** Length is the one rule that helps (NIST SP 800-63B); common passwords are refused by the service. */
export const Password = z.string().check(z.minLength(12), z.maxLength(256));

/** The longest address of RFC 5321. Attempts are counted by it, in memory. */
const Email = z.email().check(z.maxLength(254));

export const SignIn = z.strictObject({ email: Email, password: z.string().check(z.maxLength(256)) });
/** `token` is the one-time set-up secret that the first start prints. */
export const SetUp = z.strictObject({
  token: z.string().check(z.maxLength(256)),
  email: Email,
  name: lineText(100),
  password: Password,
});
export const DeskSession = z.object({ user: DeskUser, csrf: z.string() });
export type DeskSession = z.infer<typeof DeskSession>;

/** Reads what a one-time link opens. */
export const LinkToken = z.strictObject({ token: z.string().check(z.maxLength(256)) });
/** `first` creates the desk's first account; `invite` and `reset` set the password of an existing account. */
export const LinkOffer = z.object({
  purpose: z.enum(["first", "invite", "reset"]),
  /** The account's person; absent for the first account. */
  email: z.optional(z.string()),
  name: z.optional(z.string()),
});
export type LinkOffer = z.infer<typeof LinkOffer>;
export const Join = z.strictObject({ token: z.string().check(z.maxLength(256)), password: Password });
export const PasswordChange = z.strictObject({
  password: z.string().check(z.maxLength(256)),
  newPassword: Password,
});

export const DeskInvite = z.strictObject({
  email: Email,
  name: lineText(100),
  role: DeskRole,
});
/** invited: no password yet, only a link. disabled: nothing opens the account. */
export const DeskPerson = z.object({
  ...DeskUser.shape,
  state: z.enum(["invited", "active", "disabled"]),
  /** When their link expires, if it is valid. */
  linkExpiresAt: z.optional(Instant),
});
export type DeskPerson = z.infer<typeof DeskPerson>;
/** The only answer that ever contains the secret of a link: it goes into the fragment, as `/desk#setup=TOKEN`. */
export const DeskLinkMade = z.object({
  person: DeskPerson,
  token: z.string().check(z.minLength(1)),
  expiresAt: Instant,
});
export type DeskLinkMade = z.infer<typeof DeskLinkMade>;

/** One entry of the audit log: who did what to whose account or conversation, never its text. */
export const DeskAuditEntry = z.object({
  id: Id,
  at: Instant,
  action: z.string(),
  /** Absent if nobody was signed in. */
  by: z.optional(z.object({ id: Id, name: z.string() })),
  /** A person's or a conversation's id. */
  target: z.optional(z.string()),
  /** Present if the target is a person of the desk. */
  targetName: z.optional(z.string()),
});
export type DeskAuditEntry = z.infer<typeof DeskAuditEntry>;
/** `next`, if there is more, is the `before` of the next page. */
export const DeskAuditPage = z.object({ entries: z.array(DeskAuditEntry), next: z.optional(Id) });
export type DeskAuditPage = z.infer<typeof DeskAuditPage>;

/** Whether the customer has the conversation open now, or when they last had. Absent where that is not known. */
export const DeskPresence = z.union([
  z.object({ online: z.literal(true) }),
  z.object({ online: z.literal(false), lastSeenAt: Instant }),
]);
export type DeskPresence = z.infer<typeof DeskPresence>;

/** The name and address that the team typed for a customer. No customer sees them, and they prove nothing. */
export const TeamFacts = z.object({ name: z.optional(z.string()), email: z.optional(z.string()) });
export type TeamFacts = z.infer<typeof TeamFacts>;
/** null removes. A field that is left out stays as it is. */
export const TeamFactsChange = z.strictObject({
  name: z.optional(z.nullable(lineText(100))),
  email: z.optional(ContactChange.shape.email),
});
export type TeamFactsChange = z.infer<typeof TeamFactsChange>;

/** waiting: a person was asked, nobody took it. taken: a person answers. agent: the agent answers. ended: over. */
export const DeskState = z.enum(["waiting", "taken", "agent", "ended"]);
export type DeskState = z.infer<typeof DeskState>;

const WHO = {
  externalId: ExternalId,
  displayName: z.optional(z.string()),
  /** The team's name and address; absent if there are none. */
  team: z.optional(TeamFacts),
  /** The language in which they write, if the page said. */
  locale: z.optional(z.string()),
  /** Which of their conversations this is, from the second on. It stops counting at 100. */
  visit: z.optional(z.int()),
  /** The page and the browser in which they started this conversation, as the BFF saw them. */
  startedFrom: z.optional(StartedFrom),
};
export const DeskCustomer = z.object({
  ...WHO,
  email: z.optional(z.string()),
  /** True only if the site proved who this is; everything else that a customer says about themselves is unverified. */
  identified: z.boolean(),
  traits: Traits,
});
export type DeskCustomer = z.infer<typeof DeskCustomer>;

/**
 * A customer who signed in during an anonymous conversation: the site vouches for messages after `afterSeq`. Everything
 * before stays unverified.
 */
export const DeskLink = z.object({
  externalId: ExternalId,
  displayName: z.optional(z.string()),
  afterSeq: z.int(),
});
export type DeskLink = z.infer<typeof DeskLink>;

/** One row of the queue. */
export const DeskSummary = z.object({
  id: Id,
  state: DeskState,
  /** The owner. The page with all their conversations is addressed by it. */
  customerId: Id,
  customer: z.object({ ...WHO, identified: z.boolean() }),
  presence: z.optional(DeskPresence),
  startedAt: Instant,
  lastAt: Instant,
  /** Since when the customer has been waiting for a person. */
  waitingSince: z.optional(Instant),
  /** Since when the customer has been waiting for an answer of the person who took it. */
  unansweredSince: z.optional(Instant),
  /** Actions that the team may still allow: the newest one's place in the log, and since when the oldest one waits. */
  decision: z.optional(z.object({ seq: Seq, since: Instant })),
  takenBy: z.optional(z.object({ id: Id, name: z.string() })),
  linked: z.optional(DeskLink),
  /** The first characters of the last message from the customer or the team. */
  preview: z.string(),
  lastSeq: z.int(),
  /** The customer's last message; 0 without one. */
  customerSeq: z.int(),
  /** How far the person who asks has seen the conversation. Unread: the customer's last message is after it. */
  seenSeq: z.int(),
});
export type DeskSummary = z.infer<typeof DeskSummary>;

/** The start of the next page of one state's rows. */
export const DeskQueuePlace = z.object({ state: DeskState, after: z.string() });
export type DeskQueuePlace = z.infer<typeof DeskQueuePlace>;
/**
 * At most 100 rows of each state. `next` names each state that has more. `epoch` changes when the log itself was
 * replaced: then nothing that was read before is true any more.
 */
export const DeskQueuePage = z.object({
  conversations: z.array(DeskSummary),
  next: z.array(DeskQueuePlace),
  epoch: z.optional(z.string()),
});
export type DeskQueuePage = z.infer<typeof DeskQueuePage>;

/** The notes on an agent's answer besides its text. */
export const AnswerNote = z.object({ seq: Seq, made: AnswerMade });
export type AnswerNote = z.infer<typeof AnswerNote>;

export const DeskConversation = z.object({
  ...Conversation.shape,
  state: DeskState,
  customerId: Id,
  takenBy: z.optional(z.object({ id: Id, name: z.string() })),
  customer: DeskCustomer,
  presence: z.optional(DeskPresence),
  linked: z.optional(DeskLink),
  messages: z.array(Message),
  /**
   * The log's other entries up to `lastSeq` (handoffs, the end), so that the desk shows who had the conversation and
   * when.
   */
  events: z.optional(z.array(DurableEvent)),
  /** Only for answers with notes. */
  notes: z.optional(z.array(AnswerNote)),
  /** The customer's reason for asking for a person. */
  reason: z.optional(z.string()),
  summary: z.optional(z.string()),
  route: z.object({
    channel: z.string(),
    agentProvider: z.string(),
    humanHandoffAdapter: z.optional(z.string()),
  }),
  lastSeq: z.int(),
  /** How far the person who asks has seen it. */
  seenSeq: z.int(),
});
export type DeskConversation = z.infer<typeof DeskConversation>;

/** A page of what the same customer asked before this conversation, newest first. `next`, if there is more, is its `after`. */
export const DeskEarlierPage = z.object({
  conversationId: Id,
  conversations: z.array(PastConversation),
  next: z.optional(z.string()),
});
export type DeskEarlierPage = z.infer<typeof DeskEarlierPage>;

/** One of all the conversations of a customer. */
export const DeskCustomerConversation = z.object({
  ...PastConversation.shape,
  state: DeskState,
  lastAt: Instant,
  /** The first characters of the last message from the customer or the team; empty without one. */
  lastWords: z.string(),
  /** The customer's last rating. */
  rating: z.optional(Rating),
});
export type DeskCustomerConversation = z.infer<typeof DeskCustomerConversation>;

/**
 * A customer with a page of their conversations, newest first. `next`, if there is more, is its `after`. For an erased
 * customer only the time of the erasure is left.
 */
export const DeskCustomerPage = z.union([
  z.object({ id: Id, erasedAt: Instant }),
  z.object({
    id: Id,
    /** Language, page and browser are those of the newest conversation. */
    customer: DeskCustomer,
    contact: z.optional(Contact),
    /** From the open or the latest conversation. */
    presence: z.optional(DeskPresence),
    firstSeenAt: Instant,
    /** When they last wrote, or were first seen. */
    lastSeenAt: Instant,
    conversations: z.array(DeskCustomerConversation),
    next: z.optional(z.string()),
  }),
]);
export type DeskCustomerPage = z.infer<typeof DeskCustomerPage>;

/** `attachments` names files that were uploaded for it; only beside them may the text be empty. */
export const DeskReply = z
  .strictObject({
    clientMessageId: ClientMessageId,
    body: BodyBesideFiles,
    attachments: z.optional(z.array(z.strictObject({ id: Id })).check(z.maxLength(MAX_ATTACHMENTS))),
    /** The text began as the agent's draft, for the audit log. The message is the person's. */
    fromDraft: z.optional(z.literal(true)),
  })
  .check(
    z.refine(({ body, attachments }) => body !== "" || (attachments ?? []).length > 0, "must not be empty"),
  );

const ofConversation = { conversationId: Id };

/**
 * The agent's draft of a reply to the customer's last message. Only `drafted` has a text, which nobody has seen yet:
 * - no_question: the customer has sent nothing.
 * - only_file: their last message has files and no text.
 * - nothing_found: the agent has no answer.
 * - agent_away: it can't answer anything now.
 * - failed: it did not finish.
 */
export const DeskDraft = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("drafted"),
    ...ofConversation,
    body: z.string().check(z.minLength(1)),
    /** The agent's name. */
    author: z.string(),
    generated: Generated,
    citations: Citations,
    /** A sentence that claimed an unverified action was left out. */
    hasWithheld: z.boolean(),
  }),
  z.object({ kind: z.literal("no_question"), ...ofConversation }),
  z.object({ kind: z.literal("only_file"), ...ofConversation }),
  z.object({ kind: z.literal("nothing_found"), ...ofConversation }),
  z.object({ kind: z.literal("agent_away"), ...ofConversation }),
  z.object({ kind: z.literal("failed"), ...ofConversation }),
]);
export type DeskDraft = z.infer<typeof DeskDraft>;

/**
 * The person who sent this has seen the conversation up to `seq`. Customers learn this only of the person who answers.
 */
export const DeskRead = z.strictObject({ seq: Seq });

export const DeskActionAnswer = z.strictObject({ actionId: Id, approved: z.boolean() });

/** The person who sent this is typing now. */
export const DeskTyping = z.strictObject({});

/** The desk's own event stream: a queue row that changed, an event of one conversation, or a note on an answer. */
export const DeskEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("queue.changed"), conversation: DeskSummary }),
  z.object({
    type: z.literal("conversation.event"),
    conversationId: Id,
    event: ServiceEvent,
  }),
  /** Follows the answer that it is about. */
  z.object({ type: z.literal("answer.noted"), conversationId: Id, note: AnswerNote }),
]);
export type DeskEvent = z.infer<typeof DeskEvent>;
