import type { AskedAction } from "../../shared/action.ts";
import type { Mark } from "../../shared/conversation.ts";
import type { Message, Role } from "../../shared/message.ts";
import type { LogState, Pending } from "../app/log-state.ts";

/** One message as it is shown: in the log, on its way, or being written. */
export type Item =
  | { readonly kind: "message"; readonly key: string; readonly message: Message }
  | { readonly kind: "pending"; readonly key: string; readonly pending: Pending }
  | { readonly kind: "answer"; readonly key: string };

export type Row =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  /** Above the first message that nobody has seen yet. */
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "mark"; readonly key: string; readonly mark: Mark }
  | { readonly kind: "action"; readonly key: string; readonly action: AskedAction }
  | {
      readonly kind: "group";
      readonly key: string;
      readonly role: Role;
      readonly name?: string;
      /** When its first message was written; absent while nothing of it is in the log. */
      readonly at?: string;
      readonly items: readonly Item[];
    };

/** A run of rows that is drawn as one. */
export interface Section {
  readonly key: string;
  readonly rows: readonly Row[];
}

/** What the rows are made of. */
export interface RowSources extends Pick<LogState, "messages" | "marks" | "actions" | "pending"> {
  /** Of the answer that is being written. */
  readonly answerId: string | undefined;
  /** The seq of the first message that nobody has seen yet. */
  readonly firstNew?: number | undefined;
}

type Group = Extract<Row, { kind: "group" }>;

/** Messages of one author that lie closer together share one group. */
const SAME_BREATH_MS = 10 * 60_000;

/** A group that grows is drawn anew with each message of it. */
const MAX_GROUP = 20;

/** So many rows make a section: enough that a long log has few, few enough that one is drawn in no time. */
const SECTION_ROWS = 30;

/**
 * Makes the rows that the log shows, top to bottom: the service's order, then what is on its way, then what is being
 * written. Days are those of the reader's own clock face; they separate, they never order.
 *
 * A message that comes last is added to what is there, and whatever shows the same as before is the very object that it
 * was: a long log is neither made nor drawn anew for one message.
 */
export function createRows(dayOf: (at: string) => string): (sources: RowSources) => readonly Section[] {
  let known: RowSources | undefined;
  let settled: Row[] = [];
  let day = "";
  let sections: readonly Section[] = [];
  /** So many sections hold nothing that a message at the end could change. */
  let whole = 0;

  const addEntry = (entry: Message | Mark | AskedAction, firstNew: number | undefined) => {
    const today = dayOf(entry.at);
    if (today !== day) settled.push({ kind: "day", key: `day-${entry.seq}`, at: entry.at });
    day = today;
    if (entry.seq === firstNew) settled.push({ kind: "new", key: "new" });
    if ("type" in entry) settled.push({ kind: "mark", key: `mark-${entry.seq}`, mark: entry });
    else if ("actionId" in entry) settled.push({ kind: "action", key: `action-${entry.seq}`, action: entry });
    else addMessage(settled, entry);
  };

  return (sources) => {
    const { messages, marks, actions, pending, answerId, firstNew } = sources;
    if (known && isOnlyLonger(known, sources)) {
      for (const message of messages.slice(known.messages.length)) addEntry(message, firstNew);
    } else {
      settled = [];
      day = "";
      whole = 0;
      const others = [...marks, ...actions].sort((a, b) => a.seq - b.seq);
      for (const entry of inOrder(messages, others)) addEntry(entry, firstNew);
    }
    known = sources;
    const rows = settled.slice(whole * SECTION_ROWS);
    for (const each of pending) {
      add(rows, { kind: "pending", key: each.clientMessageId, pending: each }, { role: "customer" });
    }
    if (answerId) add(rows, { kind: "answer", key: answerId }, { role: "agent" });
    sections = [...sections.slice(0, whole), ...sectionsOf(rows, sections.slice(whole))];
    // All but the last row, to which the next message may be added.
    whole = Math.floor(Math.max(settled.length - 1, 0) / SECTION_ROWS);
    return sections;
  };
}

/** Whether all that came since is messages, behind everything else. What stands in the log is never changed there (`log-state.ts`). */
function isOnlyLonger(before: RowSources, now: RowSources): boolean {
  const first = now.messages[before.messages.length];
  const last = Math.max(before.marks.at(-1)?.seq ?? 0, before.actions.at(-1)?.seq ?? 0);
  return (
    before.marks === now.marks &&
    before.actions === now.actions &&
    before.firstNew === now.firstNew &&
    before.messages.at(-1) === now.messages[before.messages.length - 1] &&
    (!first || first.seq > last)
  );
}

function sectionsOf(rows: readonly Row[], before: readonly Section[]): readonly Section[] {
  const sections: Section[] = [];
  for (let at = 0; at < rows.length; at += SECTION_ROWS) {
    const old = before[sections.length];
    const own = rows.slice(at, at + SECTION_ROWS).map((row, index) => oldIfSame(row, index, old));
    const isSame = old?.rows.length === own.length && own.every((row, index) => row === old.rows[index]);
    sections.push(isSame ? old : { key: own[0]?.key ?? "", rows: own });
  }
  return sections;
}

function oldIfSame(row: Row, index: number, before: Section | undefined): Row {
  if (before?.rows[index] === row) return row;
  const old = before?.rows.find((other) => other.key === row.key);
  return old && showsSame(old, row) ? old : row;
}

/** Both lists are in the order of their seq already. */
function* inOrder<T extends { readonly seq: number }>(
  messages: readonly Message[],
  others: readonly T[],
): Generator<Message | T> {
  let at = 0;
  for (const message of messages) {
    for (let other = others[at]; other && other.seq < message.seq; other = others[at]) {
      yield other;
      at += 1;
    }
    yield message;
  }
  yield* others.slice(at);
}

function showsSame(old: Row, row: Row): boolean {
  if (old.kind !== "group" || row.kind !== "group") {
    if (old.kind === "mark") return row.kind === "mark" && old.mark === row.mark;
    if (old.kind === "action") return row.kind === "action" && old.action === row.action;
    return old.kind === row.kind;
  }
  const isSameItem = (item: Item, index: number) => {
    const other = old.items[index];
    if (item.kind === "message") return other?.kind === "message" && other.message === item.message;
    if (item.kind === "pending") return other?.kind === "pending" && other.pending === item.pending;
    return other?.kind === "answer" && other.key === item.key;
  };
  return (
    old.items.length === row.items.length &&
    old.name === row.name &&
    old.at === row.at &&
    row.items.every(isSameItem)
  );
}

function addMessage(rows: Row[], message: Message): void {
  // The customer's own keeps the key that it had while it was on its way: the same element, no flicker.
  const own = message.role === "customer" ? message.clientMessageId : undefined;
  const item: Item = { kind: "message", key: own ?? message.id, message };
  const name = message.author?.name;
  add(rows, item, { role: message.role, at: message.at, ...(name ? { name } : {}) });
}

function add(rows: Row[], item: Item, author: { role: Role; name?: string; at?: string }): void {
  const last = rows.at(-1);
  if (last?.kind === "group" && isSameBreath(last, author)) {
    rows[rows.length - 1] = { ...last, items: [...last.items, item] };
    return;
  }
  rows.push({ kind: "group", key: item.key, ...author, items: [item] });
}

function isSameBreath(group: Group, next: { role: Role; name?: string; at?: string }): boolean {
  if (group.role !== next.role || next.role === "system" || group.items.length >= MAX_GROUP) return false;
  const isBeingWritten = next.at === undefined;
  if (!isBeingWritten && group.name !== next.name) return false;
  if (!group.at || !next.at) return true;
  return Date.parse(next.at) - Date.parse(group.at) < SAME_BREATH_MS;
}
