import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { createEmitter } from "../client/emitter.ts";
import { type Board, EMPTY_BOARD } from "./apply-desk-event.ts";

export interface BoardChange {
  readonly before: Board;
  readonly next: Board;
}

/** The only place where the desk's data from the service changes; subscribers are notified once per change. */
export interface BoardStore {
  readonly state: ReadonlySignal<Board>;
  readonly commit: (next: Board) => void;
  /** Replaces the board without announcing news: at the start, at the end, or when another conversation is opened. */
  readonly replace: (next: Board) => void;
  readonly subscribe: (listener: (change: BoardChange) => void) => () => void;
}

export function createBoardStore(): BoardStore {
  const state = signal<Board>(EMPTY_BOARD);
  const { emit, subscribe } = createEmitter<BoardChange>();
  return {
    state,
    commit(next) {
      const before = state.peek();
      if (next === before) return;
      batch(() => {
        state.value = next;
        emit({ before, next });
      });
    },
    replace(next) {
      state.value = next;
    },
    subscribe,
  };
}
