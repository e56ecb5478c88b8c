import { type ReadonlySignal, signal } from "@preact/signals";
import { type Happening, happeningsBetween } from "./happenings.ts";
import { EMPTY_LOG, type LogState } from "./log-state.ts";

/** The one place where the conversation's state changes; whoever listens hears what the change means. */
export interface Log {
  readonly state: ReadonlySignal<LogState>;
  /** Takes the next state and tells the listeners what happened. */
  commit(next: LogState): void;
  /** Takes a state that is not news: an earlier visit's conversation, or nothing after a logout. */
  replace(next: LogState): void;
  tell(happening: Happening): void;
  /** Returns what stops it. */
  readonly subscribe: (listener: (happening: Happening) => void) => () => void;
}

export function createLog(): Log {
  const state = signal<LogState>(EMPTY_LOG);
  const listeners = new Set<(happening: Happening) => void>();
  const tell = (happening: Happening) => {
    for (const listener of listeners) listener(happening);
  };
  return {
    state,
    commit(next) {
      const before = state.value;
      if (next === before) return;
      state.value = next;
      for (const happening of happeningsBetween(before, next)) tell(happening);
    },
    replace(next) {
      state.value = next;
    },
    tell,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
