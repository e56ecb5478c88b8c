import type { ActionArgument, AskedAction } from "../../shared/action.ts";
import type { PublicConfig } from "../../shared/api/config.ts";
import type { SentMessage } from "../../shared/api/conversation.ts";
import type { SessionState } from "../../shared/api/session.ts";
import type { Attachment } from "../../shared/attachment.ts";
import type { Contact } from "../../shared/contact.ts";
import type { Conversation, ConversationSnapshot, Mark } from "../../shared/conversation.ts";
import { EMAIL_ADDRESS } from "../../shared/email-address.ts";
import type { Problem } from "../../shared/errors.ts";
import type { FeedbackChange } from "../../shared/feedback.ts";
import type { Handoff, OpeningHours, Wait } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";
import type { Rating } from "../../shared/rating.ts";
import type { Route } from "../../shared/route.ts";
import type { Summary, SummarySentence } from "../../shared/summary.ts";
import type { EarlierPage } from "./log-state.ts";
import { FAILURE_CODES } from "./problem-texts.ts";
import {
  answer,
  integer,
  list,
  matching,
  maybe,
  oneOf,
  orNull,
  type Reader,
  readAs,
  record,
  text,
} from "./reader.ts";

// The shapes of shared/, parsed by hand, because the schema library would take half of the frame's budget. The types
// check each field against the schemas', and wire.test.ts checks what is accepted.

export const id = matching(/^(?!\.{1,2}$)[A-Za-z0-9._~:-]{1,128}$/);
export const seq = integer(1);
const instant = matching(
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/,
);
export const at: Reader<string> = (value) => {
  const read = instant(value);
  // `Date` accepts 31 February as 3 March, so the day must be unchanged after parsing.
  const day = new Date(read.slice(0, 10)).getUTCDate();
  return day === Number(read.slice(8, 10)) ? read : instant(undefined);
};
const name = text(1, 200);
export const role = oneOf("customer", "agent", "human", "system");

const citation = record<Citation>({
  citationId: id,
  title: text(1, 300),
  url: maybe(text(0, 2000)),
  excerpt: maybe(text(0, 1000)),
});

export const attachment = record<Attachment>({
  id,
  name: text(1, 240),
  type: oneOf("image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"),
  size: integer(1),
});

/** Text of at most `max` characters that is not only white space. */
const shown = (max: number): Reader<string> => {
  const limited = text(1, max);
  const visible = matching(/\S/);
  return (value) => visible(limited(value));
};
const reply = record<Extract<Choice, { send: string }>>({ id, label: shown(120), send: shown(500) });
const askForPerson = record<Exclude<Choice, { send: string }>>({
  id,
  label: maybe(shown(120)),
  choice: oneOf("handoff"),
});
const choice: Reader<Choice> = (value) => readAs<Choice>(reply, value) ?? askForPerson(value);

const score = oneOf("up", "down");
export const feedback = record<FeedbackChange>({ messageId: id, score: orNull(score) });
export const generated = record<NonNullable<Message["generated"]>>({ by: name, model: maybe(name) });
const messageFields = {
  id,
  seq,
  body: text(),
  at,
  attachments: maybe(list(attachment, 5)),
  author: maybe(record<NonNullable<Message["author"]>>({ name })),
  generated: maybe(generated),
  citations: maybe(list(citation, 20)),
  choices: maybe(list(choice, 6)),
  incomplete: maybe(oneOf(true, false)),
  notice: maybe(oneOf("agent_failed", "agent_found_nothing", "answer_cut")),
  feedback: maybe(score),
};
export const message = record<Message>({ ...messageFields, role, clientMessageId: maybe(id) });
const sentMessage = record<SentMessage>({ ...messageFields, role: oneOf("customer"), clientMessageId: id });

export const wait = record<Wait>({
  place: maybe(integer(1)),
  usualSeconds: maybe(integer(0)),
  opensAt: maybe(at),
});
export const handoff = record<Handoff>({
  id,
  status: oneOf("requested", "accepted", "returned", "failed"),
  wait: maybe(wait),
  human: maybe(record<NonNullable<Handoff["human"]>>({ name })),
});

export const email = matching(EMAIL_ADDRESS);
export const rating = record<Rating>({ score, comment: maybe(text(1)) });
const conversationFields = {
  id,
  status: oneOf("open", "ended"),
  startedAt: maybe(at),
  handoff: maybe(handoff),
  rating: maybe(rating),
  contact: maybe(record<Contact>({ email })),
  read: maybe(record<NonNullable<Conversation["read"]>>({ customer: maybe(seq), human: maybe(seq) })),
};
export const resultText = maybe(text(1, 2000));
export const actionFields = {
  actionId: id,
  name,
  title: maybe(name),
  arguments: maybe(list(record<ActionArgument>({ label: name, value: text(0, 1000) }))),
  confirm: maybe(oneOf("customer", "person")),
  expiresAt: maybe(at),
};
const asked = record<AskedAction>({
  ...actionFields,
  seq,
  at,
  approved: maybe(oneOf(true, false)),
  result: maybe(
    record<NonNullable<AskedAction["result"]>>({
      status: oneOf("completed", "failed", "unknown", "expired"),
      text: resultText,
    }),
  ),
});
export const summary = record<Summary>({
  handoffId: id,
  sentences: list(record<SummarySentence>({ text: text(1), seq: maybe(seq) })),
  generated: maybe(generated),
});
export const suggestionReason = text(0, 500);
const mark = record<Mark>({
  seq,
  at,
  type: oneOf(
    "handoff.requested",
    "handoff.accepted",
    "handoff.returned",
    "handoff.failed",
    "conversation.ended",
    "conversation.reopened",
    "summary.sent",
  ),
  name: maybe(name),
});
export const marks = maybe<Mark[]>((value) =>
  list((entry) => readAs(mark, entry))(value).filter((entry) => entry !== undefined),
);
export const actions = maybe(list(asked));
const snapshot = record<ConversationSnapshot>({
  ...conversationFields,
  epoch: text(1, 64),
  reopens: maybe(oneOf(true)),
  lastSeq: integer(0),
  messages: list(message),
  nextBefore: maybe(seq),
  marks,
  actions,
  suggestion: maybe(record<NonNullable<ConversationSnapshot["suggestion"]>>({ reason: suggestionReason })),
});

const printable = matching(/^\P{Cc}{1,255}$/u);
const externalId: Reader<string> = (value) => {
  const read = printable(value);
  return read.isWellFormed() && read.trim() === read ? read : printable(undefined);
};
const target = text(1, 128);
export const code = oneOf(...FAILURE_CODES);

/** Parsers of the BFF's answers; each returns undefined for any other shape. */
export const readSession = answer<SessionState>({
  token: text(32, 256),
  expiresAt: at,
  customer: record<SessionState["customer"]>({
    externalId,
    displayName: maybe(text()),
    identified: oneOf(true, false),
  }),
  route: record<Route>({
    channel: target,
    agentProvider: target,
    humanHandoffAdapter: maybe(target),
    reason: maybe(text(0, 500)),
  }),
  capabilities: list(text()),
  hours: maybe(record<OpeningHours>({ opensAt: maybe(at), closesAt: maybe(at) })),
  conversation: orNull(snapshot),
  hasPast: maybe(oneOf(true)),
  isLost: maybe(oneOf(true)),
});

export const readStarted = answer<{ conversation: Conversation & { epoch: string }; message: SentMessage }>({
  conversation: record<Conversation & { epoch: string }>({ ...conversationFields, epoch: text() }),
  message: sentMessage,
});
export const readEarlier = answer<Omit<EarlierPage, "before">>({
  conversation: record<EarlierPage["conversation"]>({ id, epoch: text(1, 64) }),
  messages: list(message),
  marks,
  actions,
  nextBefore: maybe(seq),
});
export const readSent = answer<{ message: SentMessage }>({ message: sentMessage });
export const readHandoff = answer<{ handoff: Handoff }>({ handoff });
export const readEnded = answer<{ conversation: { id: string; status: "ended" } }>({
  conversation: record<{ id: string; status: "ended" }>({ id, status: oneOf("ended") }),
});
export const readRevoked = answer<{ revoked: true }>({ revoked: oneOf(true) });
export const readConfig = answer<Pick<PublicConfig, "fallback" | "identityPolicy">>({
  identityPolicy: oneOf("optional", "required"),
  fallback: maybe(
    record<NonNullable<PublicConfig["fallback"]>>({ kind: oneOf("mail", "phone", "link"), href: text() }),
  ),
});
/** The answer of `/readyz`, with status 200 or 503. */
export const readHealth = answer<{ reasons: string[] }>({ reasons: list(text()) });
export const readProblem = answer<Pick<Problem, "code" | "retryAfter">>({
  code,
  retryAfter: maybe((seconds) => (Number.isFinite(seconds) ? (seconds as number) : integer(0)(undefined))),
});
