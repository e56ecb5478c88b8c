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
  readonly setTimer: (run: () => void, ms: number) => () => void;
}

/** News that comes so soon after other news is reported together: thirty customers at once are two sounds. */
const TOGETHER_MS = 2000;

/** Reports news once: a waiting customer, an action for the team to decide about, a customer's message. */
export function createNews({ say, alert, setTimer }: DeskNewsDeps) {
  /** The reported news of each conversation; undefined until the first queue is read. */
  let known: Map<string, Pick<DeskSummary, "waitingSince" | "customerSeq" | "decision">> | undefined;
  const isNewWait = (row: DeskSummary) =>
    row.state === "waiting" && known?.get(row.id)?.waitingSince !== (row.waitingSince ?? "");
  const isNewMessage = (row: DeskSummary, me: string) =>
    isMine(row, me) && isUnread(row, me) && row.customerSeq > (known?.get(row.id)?.customerSeq ?? 0);
  const isNewDecision = (row: DeskSummary, me: string) =>
    needsDecision(row, me) && (row.decision?.seq ?? 0) > (known?.get(row.id)?.decision?.seq ?? 0);
  /** News held back since the last report; undefined when the next news may be reported at once. */
  let held: News[] | undefined;
  let cancel = (): void => undefined;
  function report(news: readonly News[]): void {
    if (news.length === 0) return;
    if (held) return void held.push(...news);
    const spoken = news.flatMap(({ kind, name }) => (kind === "message" ? [] : [texts.said[kind](name)]));
    if (spoken.length > 1) say(texts.alert.many(spoken.length));
    else if (spoken[0]) say(spoken[0]);
    alert(news);
    held = [];
    cancel = setTimer(() => {
      // Meanwhile a colleague may have taken the conversation, or somebody decided.
      const latest = new Map(held?.map((each) => [each.conversationId, each]));
      const still = [...latest.values()].filter(({ kind, conversationId }) => {
        const row = known?.get(conversationId);
        return kind === "message" || (kind === "waiting" ? row?.waitingSince : row?.decision) !== undefined;
      });
      held = undefined;
      report(still);
    }, TOGETHER_MS);
  }
  return {
    /** `isRead` is false while the queue contains only what the stream happened to deliver. */
    hearQueue(queue: readonly DeskSummary[], isRead: boolean, me: string): void {
      const news: News[] = [];
      // The first queue is visible on the screen; only later changes are news.
      for (const row of known ? queue : []) {
        const name = customerTitle(row.customer);
        const tell = (kind: News["kind"], mark: string | number = "") =>
          news.push({ kind, conversationId: row.id, id: `${kind}.${row.id}.${mark}`, name });
        if (isNewWait(row)) tell("waiting", row.waitingSince);
        else if (isNewDecision(row, me)) tell("decision", row.decision?.seq);
        else if (isNewMessage(row, me)) tell("message", row.customerSeq);
      }
      if (known || isRead) known = new Map([...(known ?? []), ...queue.map((row) => reported(row, me))]);
      report(news);
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
      if (timesLeft(after) > timesLeft(before)) say(texts.said.left(name));
    },
    /** Treats the next queue as the first one again, and drops what was not reported yet. */
    forget(): void {
      cancel();
      held = undefined;
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

/** How often the customer ended it: one that was opened again can end again. */
function timesLeft({ events = [] }: DeskConversation): number {
  return events.filter((event) => event.type === "conversation.ended" && event.by === "customer").length;
}
