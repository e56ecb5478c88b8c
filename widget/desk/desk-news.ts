import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";
import { customerName } from "./people.ts";
import { texts } from "./texts.ts";

/** Announces news once: a waiting customer, a customer's message, a customer who signed in. */
export function createNews(say: (text: string) => void) {
  /**
   * The waiting customers that were already announced, by conversation and time; undefined until the first queue is
   * read.
   */
  let known: Set<string> | undefined;
  return {
    /** `isRead` is false while the queue contains only what the stream happened to deliver. */
    hearQueue(queue: readonly DeskSummary[], isRead: boolean): void {
      const waiting = queue.filter((row) => row.state === "waiting");
      const keyOf = (row: DeskSummary) => `${row.id} ${row.waitingSince ?? ""}`;
      for (const row of waiting) {
        if (known && !known.has(keyOf(row))) say(texts.said.waiting(customerName(row.customer)));
      }
      // The first queue is visible on the screen; only later changes are news.
      if (known || isRead) known = new Set([...(known ?? []), ...waiting.map(keyOf)]);
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
    /** Treats the next queue as the first one again. */
    forget(): void {
      known = undefined;
    },
  };
}

function hasLeft({ events }: DeskConversation): boolean {
  return events?.some((event) => event.type === "conversation.ended" && event.by === "customer") ?? false;
}
