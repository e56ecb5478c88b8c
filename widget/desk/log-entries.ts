import type { DeskConversation } from "../../shared/desk.ts";
import type { DurableEvent } from "../../shared/event.ts";
import type { Message } from "../../shared/message.ts";
import { isSameDay } from "./times.ts";

/** Messages of one author this close together stand as one group. */
const GROUP_MS = 5 * 60_000;

type Mark = Exclude<DurableEvent, { type: "message.created" }>;

export type LogEntry =
  | { readonly kind: "day"; readonly key: string; readonly at: string }
  | { readonly kind: "proof"; readonly key: string }
  | { readonly kind: "event"; readonly key: string; readonly event: Mark }
  | {
      readonly kind: "message";
      readonly key: string;
      readonly message: Message;
      /** False when the message before it is by the same author, a moment ago. */
      readonly isFirst: boolean;
    };

/** The log as it is shown: in the order of seq, with day lines, handoffs between the messages, and groups by author. */
export function listEntries(opened: DeskConversation): readonly LogEntry[] {
  const marks = (opened.events ?? []).filter(
    (event): event is Mark => event.type !== "message.created" && event.type !== "conversation.started",
  );
  const inOrder = [...opened.messages, ...marks].sort((a, b) => a.seq - b.seq);
  const entries: LogEntry[] = [];
  let isProven = false;
  let before: (typeof inOrder)[number] | undefined;
  for (const item of inOrder) {
    if (!before || !isSameDay(before.at, item.at)) {
      entries.push({ kind: "day", key: `day ${item.seq}`, at: item.at });
    }
    const key = `seq ${item.seq}`;
    if (!isProven && isOfLinked(opened, item)) {
      entries.push({ kind: "proof", key: "proof" });
      isProven = true;
      before = undefined;
    }
    if ("type" in item) entries.push({ kind: "event", key, event: item });
    else entries.push({ kind: "message", key, message: item, isFirst: !continues(before, item) });
    before = item;
  }
  return entries;
}

/** Whether the customer wrote it after the site said who they are. */
export function isOfLinked({ linked }: DeskConversation, item: Message | Mark): boolean {
  return linked !== undefined && "role" in item && item.role === "customer" && item.seq > linked.afterSeq;
}

function continues(before: Message | Mark | undefined, message: Message): boolean {
  if (!before || "type" in before || !isSameDay(before.at, message.at)) return false;
  return (
    before.role === message.role &&
    before.author?.name === message.author?.name &&
    Date.parse(message.at) - Date.parse(before.at) < GROUP_MS
  );
}
