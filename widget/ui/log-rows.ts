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
 * those of the reader's own clock face; they separate, they never order.
 */
export function rowsOf(
  log: Pick<LogState, "messages" | "marks" | "pending">,
  answerId: string | undefined,
  dayOf: (at: string) => string,
): Row[] {
  const rows: Row[] = [];
  let day = "";
  const entries = [...log.messages, ...log.marks].sort((a, b) => a.seq - b.seq);
  for (const entry of entries) {
    const today = dayOf(entry.at);
    if (today !== day) rows.push({ kind: "day", key: `day-${entry.seq}`, at: entry.at });
    day = today;
    if ("type" in entry) rows.push({ kind: "mark", key: `mark-${entry.seq}`, mark: entry });
    else addMessage(rows, entry);
  }
  for (const pending of log.pending) {
    add(rows, { kind: "pending", key: pending.clientMessageId, pending }, { role: "customer" });
  }
  if (answerId) add(rows, { kind: "answer", key: answerId }, { role: "agent" });
  return rows;
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
