import { type ReadonlySignal, signal } from "@preact/signals";
import { createEmitter } from "../client/emitter.ts";
import { EMPTY_LOG, type LogState } from "./log-state.ts";
import { eventsBetween, type PanelEvent } from "./panel-events.ts";

export type ConversationLog = ReturnType<typeof createConversationLog>;

/** The only place where the conversation's state changes; subscribers receive what the change means. */
export function createConversationLog() {
  const state = signal<LogState>(EMPTY_LOG);
  const { emit, subscribe } = createEmitter<PanelEvent>();
  return {
    state: state as ReadonlySignal<LogState>,
    /** Sets the next state and reports what happened. */
    commit: (next: LogState): void => {
      const before = state.value;
      if (next === before) return;
      state.value = next;
      for (const event of eventsBetween(before, next)) emit(event);
    },
    /** Sets a state that is not news: an earlier visit's conversation, or nothing after a logout. */
    replace(next: LogState): void {
      state.value = next;
    },
    /** Reports something that is not visible in the state. */
    report: emit,
    subscribe,
  };
}
