import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { createEmitter } from "../client/emitter.ts";
import { type Board, EMPTY_BOARD } from "./board.ts";

export interface BoardChange {
  readonly before: Board;
  readonly next: Board;
}

export type BoardStore = ReturnType<typeof createBoardStore>;

/** The only place where the desk's data from the service changes; subscribers are notified once per change. */
export function createBoardStore() {
  const state = signal<Board>(EMPTY_BOARD);
  const { emit, subscribe } = createEmitter<BoardChange>();
  return {
    state: state as ReadonlySignal<Board>,
    commit(next: Board): void {
      const before = state.peek();
      if (next === before) return;
      batch(() => {
        state.value = next;
        emit({ before, next });
      });
    },
    /** Replaces the board without announcing news: at the start, at the end, or when another conversation is opened. */
    replace(next: Board): void {
      state.value = next;
    },
    subscribe,
  };
}
