import { computed, createModel, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskUser } from "../../shared/desk.ts";
import type { Failure, FailureCode } from "../../shared/errors.ts";
import { applyQueue } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import type { DeskClient } from "./desk-client.ts";
import { countWaiting, groupQueue } from "./queue-order.ts";

export interface QueueModelDeps {
  readonly client: Pick<DeskClient, "queue">;
  readonly store: BoardStore;
  readonly me: ReadonlySignal<DeskUser | undefined>;
  readonly noteFailure: (cause: unknown) => Failure;
}

export type QueueModel = InstanceType<typeof QueueModel>;

/** The list of conversations. */
export const QueueModel = createModel(({ client, store, me, noteFailure }: QueueModelDeps) => {
  const queue = computed(() => store.state.value.queue);
  const queueReading = signal<"reading" | "ready" | FailureCode>("reading");
  /** Rows that the stream changed since the last reading began. */
  let changed = new Set<string>();
  return {
    queue,
    queueReading: queueReading as ReadonlySignal<"reading" | "ready" | FailureCode>,
    groups: computed(() => groupQueue(queue.value, me.value?.id ?? "")),
    waiting: computed(() => countWaiting(queue.value)),
    noteChanged(id: string): void {
      changed.add(id);
    },
    restart(): void {
      queueReading.value = "reading";
    },
    async readQueue(): Promise<void> {
      changed = new Set();
      try {
        const rows = await client.queue();
        queueReading.value = "ready";
        store.commit(applyQueue(store.state.peek(), rows, changed));
      } catch (cause) {
        const { code } = noteFailure(cause);
        if (queueReading.peek() !== "ready") queueReading.value = code;
      }
    },
  };
});
