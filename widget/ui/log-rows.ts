import type { AskedAction } from "../../shared/action.ts";
import type { Message, Role } from "../../shared/message.ts";
import type { LogState, Mark, Pending } from "../app/log-state.ts";

/** One message as it is shown: in the log, on its way, or being written. */
export type Item =
  | { readonly kind: "message"; readonly key: string; readonly message: Message }
  | { readonly kind: "pending"; readonly key: string; readonly pending: Pending }
  | { readonly kind: "answer"; readonly key: string };

export type Row =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
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

type Group = Extract<Row, { kind: "group" }>;

/** Messages of one author that lie closer together share one group. */
const SAME_BREATH_MS = 10 * 60_000;

/**
 * What the log shows, top to bottom: the service's order, then what is on its way, then what is being written. Days are
 * those of the reader's own clock face; they separate, they never order. A row that shows the same as one of `before` is
 * that very object, so that a long log is not drawn anew for one message.
 */
export function rowsOf(
  log: Pick<LogState, "messages" | "marks" | "actions" | "pending">,
  answerId: string | undefined,
  dayOf: (at: string) => string,
  before: readonly Row[] = [],
): Row[] {
  const rows: Row[] = [];
  let day = "";
  const others = [...log.marks, ...log.actions].sort((a, b) => a.seq - b.seq);
  for (const entry of inOrder(log.messages, others)) {
    const today = dayOf(entry.at);
    if (today !== day) rows.push({ kind: "day", key: `day-${entry.seq}`, at: entry.at });
    day = today;
    if ("type" in entry) rows.push({ kind: "mark", key: `mark-${entry.seq}`, mark: entry });
    else if ("actionId" in entry) rows.push({ kind: "action", key: `action-${entry.seq}`, action: entry });
    else addMessage(rows, entry);
  }
  for (const pending of log.pending) {
    add(rows, { kind: "pending", key: pending.clientMessageId, pending }, { role: "customer" });
  }
  if (answerId) add(rows, { kind: "answer", key: answerId }, { role: "agent" });
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const old = known.get(row.key);
    return old && showsSame(old, row) ? old : row;
  });
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
  if (group.role !== next.role || next.role === "system") return false;
  const isBeingWritten = next.at === undefined;
  if (!isBeingWritten && group.name !== next.name) return false;
  if (!group.at || !next.at) return true;
  return Date.parse(next.at) - Date.parse(group.at) < SAME_BREATH_MS;
}
