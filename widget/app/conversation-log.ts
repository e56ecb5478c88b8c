import { type ReadonlySignal, signal } from "@preact/signals";
import { createEmitter } from "../client/emitter.ts";
import { EMPTY_LOG, type LogState } from "./log-state.ts";
import { eventsBetween, type PanelEvent } from "./panel-events.ts";

/** The only place where the conversation's state changes; subscribers receive what the change means. */
export interface ConversationLog {
  readonly state: ReadonlySignal<LogState>;
  /** Sets the next state and reports what happened. */
  readonly commit: (next: LogState) => void;
  /** Sets a state that is not news: an earlier visit's conversation, or nothing after a logout. */
  readonly replace: (next: LogState) => void;
  /** Reports something that is not visible in the state. */
  readonly report: (event: PanelEvent) => void;
  /** Returns an unsubscriber. */
  readonly subscribe: (listener: (event: PanelEvent) => void) => () => void;
}

export function createConversationLog(): ConversationLog {
  const state = signal<LogState>(EMPTY_LOG);
  const { emit, subscribe } = createEmitter<PanelEvent>();
  return {
    state,
    commit(next) {
      const before = state.value;
      if (next === before) return;
      state.value = next;
      for (const event of eventsBetween(before, next)) emit(event);
    },
    replace(next) {
      state.value = next;
    },
    report: emit,
    subscribe,
  };
}
