import {
  batch,
  computed,
  createModel,
  effect,
  type ReadonlySignal,
  signal,
  untracked,
} from "@preact/signals";
import type { DeskCustomerPage, DeskSummary } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import { isGone } from "./desk-calls.ts";
import type { DeskClient } from "./desk-client.ts";
import type { Reading } from "./reading.ts";

export interface CustomerModelDeps {
  readonly client: Pick<DeskClient, "customer">;
  readonly queue: ReadonlySignal<readonly DeskSummary[]>;
  /** How often the whole list has been read, as after a disconnection. */
  readonly queueReads: ReadonlySignal<number>;
  /** Every conversation that was erased since the desk was loaded. */
  readonly erased: ReadonlySignal<ReadonlySet<string>>;
  /** Only a page that is on the screen is read. */
  readonly isShown: ReadonlySignal<boolean>;
  /** Called with whatever a call of the service threw. */
  readonly noteFailure: (cause: unknown) => Failure;
}

export type CustomerModel = InstanceType<typeof CustomerModel>;

/**
 * The page of one customer. It is read again whenever the queue has news of them or is read again, or one of their
 * conversations is erased.
 */
export const CustomerModel = createModel((deps: CustomerModelDeps) => {
  const { client, queue, queueReads, erased, isShown, noteFailure } = deps;
  const id = signal<string | undefined>(undefined);
  let lastId: string | undefined;
  const page = signal<DeskCustomerPage | undefined>(undefined);
  const reading = signal<Reading>("reading");
  const news = computed(() =>
    queue.value
      .filter(({ customerId }) => customerId === id.value)
      .map((row) => `${row.id} ${row.state} ${row.lastSeq} ${row.presence?.online}`)
      .join(),
  );
  /** Counts the readings: only the last one is shown. */
  let asked = 0;

  async function read(after?: string): Promise<void> {
    const of = id.peek();
    if (of === undefined) return;
    asked += 1;
    const turn = asked;
    reading.value = "reading";
    try {
      const shown = page.peek();
      let next = await client.customer(of, after);
      if (after !== undefined && shown) next = joined(shown, next);
      // After news it is as long as before: nobody loses the row that they read.
      while ("next" in next && next.next !== undefined && turn === asked && countOf(next) < countOf(shown))
        next = joined(next, await client.customer(of, next.next));
      if (turn !== asked) return;
      batch(() => {
        // The answer may have been on its way since before a conversation was erased.
        page.value = without(erased.peek(), next);
        reading.value = "ready";
      });
    } catch (cause) {
      const failure = noteFailure(cause);
      if (turn !== asked) return;
      if (isGone(failure)) page.value = undefined;
      reading.value = failure.code;
    }
  }
  const forget = (): void => {
    asked += 1;
    page.value = undefined;
    reading.value = "reading";
  };

  effect(() => {
    void [news.value, queueReads.value];
    if (isShown.value && id.value !== undefined) untracked(() => void read());
  });

  effect(() => {
    const left = without(erased.value, page.peek());
    if (countOf(left) === countOf(page.peek())) return;
    page.value = left;
    untracked(() => void read());
  });

  return {
    id: id as ReadonlySignal<string | undefined>,
    page: page as ReadonlySignal<DeskCustomerPage | undefined>,
    reading: reading as ReadonlySignal<Reading>,
    /** Whose page was left last. */
    lastId: () => lastId,
    /** Which customer's page this is; undefined for none. */
    open(next: string | undefined): void {
      if (next === id.peek()) return;
      lastId = id.peek();
      batch(() => {
        forget();
        id.value = next;
      });
    },
    readAgain: (): Promise<void> => read(),
    /** Reads the next page of the conversations. */
    async readMore(): Promise<void> {
      const shown = page.peek();
      if (reading.peek() === "reading" || !shown || !("next" in shown)) return;
      await read(shown.next);
    },
    /** Clears what the service sent; which customer it was stays. */
    suspend: forget,
  };
});

function countOf(page: DeskCustomerPage | undefined): number {
  return page && "conversations" in page ? page.conversations.length : 0;
}

/** The page without these conversations. */
function without(erased: ReadonlySet<string>, page: DeskCustomerPage | undefined) {
  if (!page || !("conversations" in page)) return page;
  return { ...page, conversations: page.conversations.filter(({ id }) => !erased.has(id)) };
}

/** Both pages of one customer: the later one's facts and end. Its presence is that of its own conversations only. */
function joined(shown: DeskCustomerPage, next: DeskCustomerPage): DeskCustomerPage {
  if (!("conversations" in shown) || !("conversations" in next)) return next;
  const { presence: _, ...later } = next;
  const { presence } = shown;
  const conversations = [...shown.conversations, ...next.conversations];
  return { ...later, ...(presence ? { presence } : {}), conversations };
}
