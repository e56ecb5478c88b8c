import type { Action } from "../../shared/action.ts";
import type { ContactChange } from "../../shared/contact.ts";
import type { ChatEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { StreamStatus } from "../client/event-stream.ts";
import { parseJson } from "../client/parse-json.ts";
import {
  integer,
  maybe,
  oneOf,
  orNull,
  type Reader,
  readAs,
  record,
  refuse,
  type Shape,
  text,
} from "./reader.ts";
import {
  actionFields,
  at,
  email,
  feedback,
  handoff,
  id,
  message,
  rating,
  resultText,
  role,
  seq,
  suggestionReason,
  summary,
  wait,
} from "./wire.ts";

// Like wire.ts, for what the first open does not need.

const durable = { seq, at };
const actionResult = { ...durable, actionId: id, text: resultText };
const handoffEvent = { ...durable, handoff };
/** The additional fields of each type. */
const EVENTS: { readonly [T in ChatEvent["type"]]: Shape<Omit<Extract<ChatEvent, { type: T }>, "type">> } = {
  "conversation.started": durable,
  "message.created": { ...durable, message },
  "handoff.requested": handoffEvent,
  "handoff.accepted": handoffEvent,
  "handoff.returned": handoffEvent,
  "handoff.failed": handoffEvent,
  "conversation.ended": { ...durable, by: oneOf("customer", "human", "system") },
  "conversation.reopened": { ...durable, by: maybe(oneOf("human")) },
  "conversation.rated": { ...durable, rating },
  "summary.sent": { ...durable, summary },
  "action.requested": { ...durable, action: record<Action>(actionFields) },
  "action.answered": { ...durable, actionId: id, approved: oneOf(true, false), by: maybe(oneOf("human")) },
  "action.completed": actionResult,
  "action.failed": actionResult,
  "action.unknown": actionResult,
  "action.expired": actionResult,
  "handoff.suggested": { ...durable, reason: suggestionReason },
  "response.delta": { messageId: id, delta: text() },
  "response.snapshot": { messageId: id, text: text() },
  "typing.started": { role, name: maybe(text()) },
  "typing.stopped": { role },
  "conversation.read": { by: oneOf("customer", "human"), upTo: seq },
  "handoff.wait": { wait },
  "contact.changed": { contact: record<ContactChange>({ email: orNull(email) }) },
  "feedback.changed": { feedback },
  "conversation.erased": {},
  reset: { reason: text() },
  drain: { delayMs: integer(0) },
};

/** The messages between tabs that show the same conversation. */
export interface TabSaying {
  readonly type: "hello" | "beat" | "event" | "draft" | "seen";
  readonly conversation: string;
  readonly epoch: string;
  /** How far the sending tab had come; with an event, before it. */
  readonly seq: number;
  readonly status: StreamStatus;
  readonly unread: number;
  readonly draft: string;
  readonly event?: LoggedEvent | LiveEvent;
}

const eventOf: Reader<LoggedEvent | LiveEvent> = (value) => {
  const event = readEvent(value);
  return !event || event.type === "reset" || event.type === "drain" ? refuse() : event;
};

export const readSaying = (raw: string) =>
  readAs(
    record<TabSaying>({
      type: oneOf("hello", "beat", "event", "draft", "seen"),
      conversation: id,
      epoch: text(1, 64),
      seq: integer(0),
      status: oneOf("idle", "connecting", "live", "waiting"),
      unread: integer(0),
      draft: text(),
      event: maybe(eventOf),
    }),
    parseJson(raw),
  );

/** One event of the stream; undefined for an unknown type and for a known one with a wrong shape. */
export function readEvent(value: unknown): ChatEvent | undefined {
  const type = readAs(record<{ type: string }>({ type: text() }), value)?.type ?? "";
  if (!Object.hasOwn(EVENTS, type)) return undefined;
  const fields = readAs(record(EVENTS[type as ChatEvent["type"]] as Shape<object>), value);
  return fields && ({ ...fields, type } as ChatEvent);
}
