import type { Message, Role } from "../../shared/message.ts";

/** A message that the service has not confirmed. */
export interface PendingItem {
  readonly clientMessageId: string;
}

/** An entry of the log that is not a message. */
export interface LogEntry {
  readonly seq: number;
  readonly at: string;
}

/** One message as it is shown: from the log, unconfirmed, or in progress. */
export type Item<P extends PendingItem> =
  | { readonly kind: "message"; readonly key: string; readonly message: Message }
  | { readonly kind: "pending"; readonly key: string; readonly pending: P }
  | { readonly kind: "answer"; readonly key: string };

export type Group<P extends PendingItem> = Extract<Row<never, P>, { readonly kind: "group" }>;

export type Row<E extends LogEntry, P extends PendingItem> =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  /** Above the first unread message. */
  | { readonly kind: "new"; readonly key: string }
  | { readonly kind: "entry"; readonly key: string; readonly entry: E }
  | {
      readonly kind: "group";
      readonly key: string;
      readonly role: Role;
      readonly name?: string;
      /** When its first message was written; absent while none of its messages is in the log. */
      readonly at?: string;
      readonly items: readonly Item<P>[];
    };

/** Consecutive rows that are drawn as one component. */
export interface Section<E extends LogEntry, P extends PendingItem> {
  readonly key: string;
  readonly rows: readonly Row<E, P>[];
}

/** The input of the rows; messages and entries are in the order of their seq. */
export interface RowSources<E extends LogEntry, P extends PendingItem> {
  readonly messages: readonly Message[];
  readonly entries: readonly E[];
  readonly pending: readonly P[];
  /** The ids of the answers in progress. */
  readonly answerIds: readonly string[];
  /** The seq of the first unread message. */
  readonly firstNew?: number | undefined;
}

/** The author of a message. An answer in progress has no name, and a message that is not in the log has no time. */
interface Author {
  readonly role: Role;
  readonly name?: string;
  readonly at?: string;
}

/** Messages of one author within this time share a group. */
const GROUP_MS = 10 * 60_000;

/** A group is redrawn with each message that is added to it, so its size is limited. */
const MAX_GROUP = 20;

/** How many rows make a section: a long log has few sections, and each one is drawn quickly. */
const SECTION_ROWS = 30;

/**
 * Builds the rows of a log, top to bottom: the service's order, then unconfirmed messages, then answers in progress.
 * Days follow the reader's own clock; they separate messages, and never order them.
 *
 * A message at the end is added to the existing rows, and everything unchanged stays the same object, so one message
 * does not rebuild the rows of a long log. Earlier messages get rows of their own above the existing ones: otherwise the
 * existing rows would become new elements, without the focus and the selected text that they had.
 * @param dayOf gives a key that all times of one day share
 * @param sender the author of unconfirmed messages
 */
export function createRows<E extends LogEntry, P extends PendingItem>(
  dayOf: (at: string) => string,
  sender: Author,
): (sources: RowSources<E, P>) => readonly Section<E, P>[] {
  let known: RowSources<E, P> | undefined;
  let settled: Row<E, P>[] = [];
  let day = "";
  let sections: readonly Section<E, P>[] = [];
  /** How many sections a message at the end can't change, and their rows. */
  let whole = 0;
  let wholeRows = 0;
  /** The messages that the log has begun with until now: earlier ones do not join their group or section. */
  const starts = new Set<string>();
  const startKeys = new Set<string>();

  const addLogged = (logged: Message | E, firstNew: number | undefined) => {
    const today = dayOf(logged.at);
    const first = settled.length;
    if (today !== day) settled.push({ kind: "day", key: `day-${logged.seq}`, at: logged.at });
    day = today;
    if (logged.seq === firstNew) settled.push({ kind: "new", key: "new" });
    const isStart = isMessage(logged) && starts.has(logged.id);
    if (isMessage(logged)) addMessage(settled, logged, sender.role, isStart);
    else settled.push({ kind: "entry", key: `entry-${logged.seq}`, entry: logged });
    if (isStart) startKeys.add(settled[first]?.key ?? "");
  };

  return (sources) => {
    const { messages, entries, pending, answerIds, firstNew } = sources;
    if (known && isOnlyLonger(known, sources)) {
      for (const message of messages.slice(known.messages.length)) addLogged(message, firstNew);
    } else {
      settled = [];
      day = "";
      whole = 0;
      wholeRows = 0;
      startKeys.clear();
      if (messages[0]) starts.add(messages[0].id);
      for (const logged of inOrder(messages, entries)) addLogged(logged, firstNew);
    }
    known = sources;
    const rows = settled.slice(wholeRows);
    for (const each of pending)
      add(rows, { kind: "pending", key: each.clientMessageId, pending: each }, sender);
    for (const key of answerIds) add(rows, { kind: "answer", key }, { role: "agent" });
    sections = [...sections.slice(0, whole), ...sectionsOf(rows, sections.slice(whole), startKeys)];
    for (const section of sections.slice(whole)) {
      // All but the last row, to which the next message may be added.
      if (wholeRows + section.rows.length >= settled.length) break;
      whole += 1;
      wholeRows += section.rows.length;
    }
    return sections;
  };
}

function isMessage(logged: Message | LogEntry): logged is Message {
  return "role" in logged;
}

/** Whether messages were only added at the end. Existing entries of a log never change. */
function isOnlyLonger(
  before: RowSources<LogEntry, PendingItem>,
  now: RowSources<LogEntry, PendingItem>,
): boolean {
  const first = now.messages[before.messages.length];
  return (
    before.entries === now.entries &&
    before.firstNew === now.firstNew &&
    before.messages.at(-1) === now.messages[before.messages.length - 1] &&
    (!first || first.seq > (before.entries.at(-1)?.seq ?? 0))
  );
}

/**
 * `starts` has the keys of rows that begin a section, if there are messages above. A section's key is that of its first
 * messages, because the day above them disappears when earlier ones are added.
 */
function sectionsOf<E extends LogEntry, P extends PendingItem>(
  rows: readonly Row<E, P>[],
  before: readonly Section<E, P>[],
  starts: ReadonlySet<string>,
): readonly Section<E, P>[] {
  const parts: Row<E, P>[][] = [];
  for (const row of rows) {
    const last = parts.at(-1);
    const isStart = starts.has(row.key) && last?.some(isGroup);
    if (last && last.length < SECTION_ROWS && !isStart) last.push(row);
    else parts.push([row]);
  }
  return parts.map((part) => {
    const key = (part.find(isGroup) ?? part[0])?.key ?? "";
    const old = before.find((section) => section.key === key);
    const own = part.map((row) => oldIfSame(row, old));
    const isSame = old?.rows.length === own.length && own.every((row, index) => row === old.rows[index]);
    return isSame ? old : { key, rows: own };
  });
}

function isGroup({ kind }: Row<LogEntry, PendingItem>): boolean {
  return kind === "group";
}

function oldIfSame<E extends LogEntry, P extends PendingItem>(
  row: Row<E, P>,
  before: Section<E, P> | undefined,
): Row<E, P> {
  const old = before?.rows.find((other) => other.key === row.key);
  return old && showsSame(old, row) ? old : row;
}

/** Both lists are in the order of their seq already. */
function* inOrder<E extends LogEntry>(
  messages: readonly Message[],
  entries: readonly E[],
): Generator<Message | E> {
  let at = 0;
  for (const message of messages) {
    for (let entry = entries[at]; entry && entry.seq < message.seq; entry = entries[at]) {
      yield entry;
      at += 1;
    }
    yield message;
  }
  yield* entries.slice(at);
}

function showsSame<E extends LogEntry, P extends PendingItem>(old: Row<E, P>, row: Row<E, P>): boolean {
  if (old.kind === "entry" && row.kind === "entry") return old.entry === row.entry;
  if (old.kind !== "group" || row.kind !== "group") return old.kind === row.kind;
  return (
    old.items.length === row.items.length &&
    old.name === row.name &&
    old.at === row.at &&
    row.items.every((item, index) => contentOf(item) === contentOf(old.items[index]))
  );
}

function contentOf<P extends PendingItem>(item: Item<P> | undefined) {
  if (item?.kind === "message") return item.message;
  return item?.kind === "pending" ? item.pending : item?.key;
}

function addMessage<E extends LogEntry, P extends PendingItem>(
  rows: Row<E, P>[],
  message: Message,
  sender: Role,
  isStart: boolean,
): void {
  // A sent message keeps the key that it had before it was confirmed: the same element, no flicker.
  const key = (message.role === sender && message.clientMessageId) || message.id;
  const name = message.author?.name;
  add(
    rows,
    { kind: "message", key, message },
    { role: message.role, at: message.at, ...(name ? { name } : {}) },
    isStart,
  );
}

function add<E extends LogEntry, P extends PendingItem>(
  rows: Row<E, P>[],
  item: Item<P>,
  author: Author,
  isStart = false,
): void {
  const last = rows.at(-1);
  if (!isStart && last?.kind === "group" && belongsTo(last, author)) {
    rows[rows.length - 1] = { ...last, items: [...last.items, item] };
    return;
  }
  rows.push({ kind: "group", key: item.key, ...author, items: [item] });
}

function belongsTo(group: Group<PendingItem>, next: Author): boolean {
  if (group.role !== next.role || next.role === "system" || group.items.length >= MAX_GROUP) return false;
  const isKnown = next.at !== undefined || next.name !== undefined;
  if (isKnown && group.name !== next.name) return false;
  if (!group.at || !next.at) return true;
  return Date.parse(next.at) - Date.parse(group.at) < GROUP_MS;
}
