import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";
import { customerName } from "./people.ts";
import { texts } from "./texts.ts";

/** Tells what is new, once each: a customer who waits, what a customer wrote, that a customer left. */
export function createNews(say: (text: string) => void) {
  /** Who was told of, by conversation and since when; `undefined` until the first queue is there. */
  let told: Set<string> | undefined;
  return {
    /** `isRead` is false as long as the queue holds no more than what the stream brought by chance. */
    hearQueue(queue: readonly DeskSummary[], isRead: boolean): void {
      const waiting = queue.filter((row) => row.state === "waiting");
      const keyOf = (row: DeskSummary) => `${row.id} ${row.waitingSince ?? ""}`;
      for (const row of waiting) {
        if (told && !told.has(keyOf(row))) say(texts.said.waiting(customerName(row.customer)));
      }
      // Who stands in the first queue is on the screen; only what comes after it is news.
      if (told || isRead) told = new Set([...(told ?? []), ...waiting.map(keyOf)]);
    },
    hearConversation(before: DeskConversation, after: DeskConversation): void {
      // A piece of an answer changes neither.
      if (before.messages === after.messages && before.events === after.events) return;
      const name = customerName(after.customer);
      const known = new Set(before.messages.map((message) => message.id));
      for (const message of after.messages) {
        if (message.role === "customer" && !known.has(message.id)) {
          const files = (message.attachments ?? []).map((file) => file.name);
          say(texts.said.message(name, [message.body, ...files].join(" ").trim()));
        }
      }
      if (hasLeft(after) && !hasLeft(before)) say(texts.said.left(name));
    },
    /** The next queue is a first one again. */
    forget(): void {
      told = undefined;
    },
  };
}

function hasLeft({ events }: DeskConversation): boolean {
  return events?.some((event) => event.type === "conversation.ended" && event.by === "customer") ?? false;
}
