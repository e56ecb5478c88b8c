import { batch, computed, createModel, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { DeskQueuePage, DeskQueuePlace, DeskState, DeskSummary, DeskUser } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import { addRows, applyQueue } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import type { DeskClient } from "./desk-client.ts";
import { countNeeding, countWaiting, groupQueue } from "./queue-order.ts";
import type { Reading } from "./reading.ts";

export interface QueueModelDeps {
  readonly client: Pick<DeskClient, "queue">;
  readonly store: BoardStore;
  readonly me: ReadonlySignal<DeskUser | undefined>;
  /** The log's epoch when this tab, with the pages before it, first read the list. */
  readonly firstEpoch: Signal<string | undefined>;
  readonly noteFailure: (cause: unknown) => Failure;
  /** Called with the failure of a reading that the desk repeats. */
  readonly noteUnread: (cause: unknown) => Failure;
  /** Called with rows that only a longer list shows, before they are shown. */
  readonly onOlder: (rows: readonly DeskSummary[]) => void;
  /** A restore replaced the log: nothing that is shown has to be true. Called before the new list is shown. */
  readonly onReplaced: () => void;
}

export type QueueModel = InstanceType<typeof QueueModel>;

/** The list of conversations. */
export const QueueModel = createModel((deps: QueueModelDeps) => {
  const { client, store, me, firstEpoch, noteFailure, onOlder } = deps;
  const queue = computed(() => store.state.value.queue);
  const queueReading = signal<Reading>("reading");
  const queueReads = signal(0);
  const next = signal<readonly DeskQueuePlace[]>([]);
  /** How many pages after the first one the person asked for, by state. */
  const further = new Map<DeskState, number>();
  let asking: DeskQueuePlace | undefined;
  /** Rows that the stream changed or removed since the last reading began. */
  let changed = new Set<string>();
  /** Counts the readings: only the last one is shown. */
  let asked = 0;
  let reading: Promise<boolean> = Promise.resolve(false);
  let epoch: string | undefined;
  const askFor = (pages: number, state: DeskState) => further.set(state, (further.get(state) ?? 0) + pages);
  /** As many pages as before. A row that moved meanwhile may be on two of them: the later one is newer. */
  async function readPages(turn: number): Promise<DeskQueuePage> {
    const first = await client.queue();
    const rows = new Map(first.conversations.map((row) => [row.id, row]));
    let rest = first.next;
    for (const state of further.keys()) {
      for (let at = 0; at < (further.get(state) ?? 0); at += 1) {
        const place = rest.find((each) => each.state === state);
        if (!place || turn !== asked) break;
        const page = await client.queue(place);
        for (const row of page.conversations) rows.set(row.id, row);
        rest = [...rest.filter((each) => each !== place), ...page.next];
      }
    }
    return { ...first, conversations: [...rows.values()], next: rest };
  }
  /** Returns whether the list was read, by this reading or a later one that overtook it. */
  async function readList(): Promise<boolean> {
    changed = new Set();
    asked += 1;
    const turn = asked;
    try {
      const page = await readPages(turn);
      if (turn !== asked) return reading;
      firstEpoch.value ??= page.epoch;
      if (page.epoch !== (epoch ?? firstEpoch.peek())) {
        deps.onReplaced();
        changed.clear();
      }
      epoch = page.epoch;
      queueReading.value = "ready";
      // With more than one page, customers who move up have waited before: new ones come last.
      const isLong = next.peek().some(({ state }) => state === "waiting");
      if (isLong) onOlder(page.conversations.filter(({ state }) => state === "waiting"));
      next.value = page.next;
      batch(() => {
        queueReads.value += 1;
        store.commit(applyQueue(store.state.peek(), page.conversations, changed));
      });
      return true;
    } catch (cause) {
      const { code } = deps.noteUnread(cause);
      if (queueReading.peek() !== "ready") queueReading.value = code;
      return turn === asked ? false : reading;
    }
  }
  const countText = (count: number) => {
    const hasMore = next.value.some(({ state }) => state === "waiting");
    return count === 0 ? undefined : `${count}${hasMore ? "+" : ""}`;
  };
  return {
    queue,
    queueReading: queueReading as ReadonlySignal<Reading>,
    queueReads: queueReads as ReadonlySignal<number>,
    groups: computed(() => groupQueue(queue.value, me.value?.id ?? "")),
    /** How many customers wait for a person; undefined for none. "100+" while the service has more than were read. */
    waitingCount: computed(() => countText(countWaiting(queue.value))),
    /** How many conversations need this person, for the title and the tab's icon; undefined for none. */
    needing: computed(() => countText(countNeeding(queue.value, me.value?.id ?? ""))),
    noteChanged(id: string): void {
      changed.add(id);
    },
    restart(): void {
      further.clear();
      next.value = [];
      queueReading.value = "reading";
    },
    /** The states with more rows at the service, each with the place of its next page. */
    queueNext: next as ReadonlySignal<readonly DeskQueuePlace[]>,
    /** Reads the next page of one state. A failure leaves the button, for another try. */
    async readMore(place: DeskQueuePlace): Promise<void> {
      if (place === asking) return;
      asking = place;
      askFor(1, place.state);
      try {
        const page = await client.queue(place);
        // A reading of the whole list meanwhile has this page too, or the desk began again.
        if (!next.peek().includes(place)) return;
        next.value = [...next.peek().filter((each) => each !== place), ...page.next];
        // A row that the stream changed is in the list already, and one that it removed must not come back.
        const rows = page.conversations.filter(({ id }) => !changed.has(id));
        onOlder(rows);
        store.commit(addRows(store.state.peek(), rows));
      } catch (cause) {
        asking = undefined;
        if (next.peek().includes(place)) askFor(-1, place.state);
        noteFailure(cause);
      }
    },
    readQueue(): Promise<boolean> {
      reading = readList();
      return reading;
    },
  };
});
