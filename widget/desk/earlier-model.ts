import {
  batch,
  computed,
  createModel,
  effect,
  type ReadonlySignal,
  signal,
  untracked,
} from "@preact/signals";
import type { DeskEarlierPage } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import type { BoardStore } from "./board-store.ts";
import type { DeskClient } from "./desk-client.ts";
import type { Reading } from "./reading.ts";

export interface EarlierModelDeps {
  readonly client: Pick<DeskClient, "earlier">;
  readonly store: BoardStore;
  /** The conversation that the person left to read an earlier one. */
  readonly cameFrom: ReadonlySignal<string | undefined>;
  /** Every conversation that was erased since the desk was loaded. */
  readonly erased: ReadonlySignal<ReadonlySet<string>>;
  readonly noteFailure: (cause: unknown) => Failure;
}

export type EarlierModel = InstanceType<typeof EarlierModel>;

/**
 * The earlier conversations of the open conversation's customer, a page at a time. The list stays while one of these is
 * read.
 */
export const EarlierModel = createModel((deps: EarlierModelDeps) => {
  const { client, store, cameFrom, erased, noteFailure } = deps;
  const rows = signal<DeskEarlierPage["conversations"]>([]);
  const next = signal<string | undefined>(undefined);
  const reading = signal<Reading>("ready");
  /** Whose earlier conversations are listed; undefined where the service counted none. */
  const of = computed(() => {
    if (cameFrom.value !== undefined) return cameFrom.value;
    const { opened } = store.state.value;
    return opened && (opened.customer.visit ?? 1) > 1 ? opened.id : undefined;
  });

  /** Counts the readings: only the last one is shown. */
  let asked = 0;

  async function read(): Promise<void> {
    asked += 1;
    const turn = asked;
    const id = of.peek();
    if (id === undefined) return;
    reading.value = "reading";
    try {
      const page = await client.earlier(id, next.peek());
      if (turn !== asked) return;
      batch(() => {
        rows.value = [...rows.peek(), ...page.conversations];
        next.value = page.next;
        reading.value = "ready";
      });
    } catch (cause) {
      const { code } = noteFailure(cause);
      if (turn === asked) reading.value = code;
    }
  }

  effect(() => {
    void of.value;
    batch(() => {
      rows.value = [];
      next.value = undefined;
      reading.value = "ready";
    });
    untracked(() => void read());
  });

  return {
    earlier: computed(() => rows.value.filter(({ id }) => !erased.value.has(id))),
    hasMoreEarlier: computed(() => next.value !== undefined),
    earlierReading: reading as ReadonlySignal<Reading>,
    /** Reads the next page, or the one that could not be read. */
    async readEarlier(): Promise<void> {
      if (reading.peek() !== "reading") await read();
    },
  };
});
