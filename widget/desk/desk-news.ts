import type { DeskConversation, DeskSummary } from "../../shared/desk.ts";
import { customerTitle } from "./people.ts";
import { isMine, isUnread, needsDecision } from "./queue-order.ts";
import { texts } from "./texts.ts";

/** Something that this person should know about, from what the service said: worth a sound or a notification. */
export interface News {
  readonly kind: "waiting" | "message" | "decision";
  readonly conversationId: string;
  /** The same in every window of this person. */
  readonly id: string;
  /** The customer's. */
  readonly name: string;
}

export interface DeskNewsDeps {
  /** For screen readers. */
  readonly say: (text: string) => void;
  readonly alert: (news: readonly News[]) => void;
}

/** Reports news once: a waiting customer, an action for the team to decide about, a customer's message. */
export function createNews({ say, alert }: DeskNewsDeps) {
  /** The reported news of each conversation; undefined until the first queue is read. */
  let known: Map<string, Pick<DeskSummary, "waitingSince" | "customerSeq" | "decision">> | undefined;
  const isNewWait = (row: DeskSummary) =>
    row.state === "waiting" && known?.get(row.id)?.waitingSince !== (row.waitingSince ?? "");
  const isNewMessage = (row: DeskSummary, me: string) =>
    isMine(row, me) && isUnread(row, me) && row.customerSeq > (known?.get(row.id)?.customerSeq ?? 0);
  const isNewDecision = (row: DeskSummary, me: string) =>
    needsDecision(row, me) && (row.decision?.seq ?? 0) > (known?.get(row.id)?.decision?.seq ?? 0);
  return {
    /** `isRead` is false while the queue contains only what the stream happened to deliver. */
    hearQueue(queue: readonly DeskSummary[], isRead: boolean, me: string): void {
      const news: News[] = [];
      // The first queue is visible on the screen; only later changes are news.
      for (const row of known ? queue : []) {
        const name = customerTitle(row.customer);
        const tell = (kind: News["kind"], mark: string | number = "") =>
          news.push({ kind, conversationId: row.id, id: `${kind}.${row.id}.${mark}`, name });
        if (isNewWait(row)) {
          say(texts.said.waiting(name));
          tell("waiting", row.waitingSince);
        } else if (isNewDecision(row, me)) {
          say(texts.said.decision(name));
          tell("decision", row.decision?.seq);
        } else if (isNewMessage(row, me)) tell("message", row.customerSeq);
      }
      if (known || isRead) known = new Map([...(known ?? []), ...queue.map((row) => reported(row, me))]);
      if (news.length > 0) alert(news);
    },
    /** These conversations were in the list before, beyond the part that was read: showing them is no news. */
    learn(rows: readonly DeskSummary[], me: string): void {
      if (known) known = new Map([...rows.map((row) => reported(row, me)), ...known]);
    },
    hearConversation(before: DeskConversation, after: DeskConversation, me: string): void {
      const { takenBy } = after;
      if (takenBy && takenBy.id !== me && takenBy.id !== before.takenBy?.id)
        say(texts.othersHint(takenBy.name));
      // A piece of an answer changes neither.
      if (before.messages === after.messages && before.events === after.events) return;
      const name = customerTitle(after.customer);
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

function reported(row: DeskSummary, me: string) {
  const waitingSince = row.state === "waiting" ? (row.waitingSince ?? "") : undefined;
  // A colleague may hand it back to the agent, and then it is news here.
  const decision = needsDecision(row, me) ? row.decision : undefined;
  return [row.id, { waitingSince, customerSeq: row.customerSeq, decision }] as const;
}

function hasLeft({ events }: DeskConversation): boolean {
  return events?.some((event) => event.type === "conversation.ended" && event.by === "customer") ?? false;
}
