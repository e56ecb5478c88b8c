import type { Action } from "../../shared/action.ts";
import type { ChatEvent, LiveEvent, LoggedEvent } from "../../shared/event.ts";
import type { StreamStatus } from "./event-stream.ts";
import { integer, maybe, oneOf, type Reader, readAs, record, refuse, text } from "./reader.ts";
import {
  actionFields,
  at,
  handoff,
  id,
  message,
  parseJson,
  rating,
  role,
  seq,
  suggestionReason,
} from "./wire.ts";

// As wire.ts, for what the first open does not need.

const durable = { seq, at };
const handoffEvent = <T extends string>(type: T) => ({ ...durable, type: oneOf(type), handoff });
const EVENTS: { readonly [T in ChatEvent["type"]]: Reader<Extract<ChatEvent, { type: T }>> } = {
  "conversation.started": record({ ...durable, type: oneOf("conversation.started") }),
  "message.created": record({ ...durable, type: oneOf("message.created"), message }),
  "handoff.requested": record(handoffEvent("handoff.requested")),
  "handoff.accepted": record(handoffEvent("handoff.accepted")),
  "handoff.returned": record(handoffEvent("handoff.returned")),
  "handoff.failed": record(handoffEvent("handoff.failed")),
  "conversation.ended": record({
    ...durable,
    type: oneOf("conversation.ended"),
    by: oneOf("customer", "human", "system"),
  }),
  "conversation.rated": record({ ...durable, type: oneOf("conversation.rated"), rating }),
  "action.requested": record({
    ...durable,
    type: oneOf("action.requested"),
    action: record<Action>(actionFields),
  }),
  "action.answered": record({
    ...durable,
    type: oneOf("action.answered"),
    actionId: id,
    approved: oneOf(true, false),
  }),
  "handoff.suggested": record({ ...durable, type: oneOf("handoff.suggested"), reason: suggestionReason }),
  "response.delta": record({ type: oneOf("response.delta"), messageId: id, delta: text() }),
  "response.snapshot": record({ type: oneOf("response.snapshot"), messageId: id, text: text() }),
  "typing.started": record({ type: oneOf("typing.started"), role, name: maybe(text()) }),
  "typing.stopped": record({ type: oneOf("typing.stopped"), role }),
  "conversation.read": record({
    type: oneOf("conversation.read"),
    by: oneOf("customer", "human"),
    upTo: seq,
  }),
  "conversation.erased": record({ type: oneOf("conversation.erased") }),
  reset: record({ type: oneOf("reset"), reason: text() }),
  drain: record({ type: oneOf("drain"), delayMs: integer(0) }),
};

/** What one tab says to the others that show the same conversation. */
export interface LineSaying {
  readonly type: "hello" | "beat" | "event" | "draft" | "seen";
  readonly conversation: string;
  readonly epoch: string;
  /** How far the tab that speaks had come; with an event, before it. */
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
    record<LineSaying>({
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

/** One event of the stream; undefined for a type that this version does not know and for a known one of a wrong shape. */
export function readEvent(value: unknown): ChatEvent | undefined {
  const type = readAs(record<{ type: string }>({ type: text() }), value)?.type ?? "";
  return Object.hasOwn(EVENTS, type)
    ? readAs<ChatEvent>(EVENTS[type as ChatEvent["type"]], value)
    : undefined;
}
