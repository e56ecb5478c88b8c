import type { Clock } from "../../shared/server/clock.ts";
import type { NewAnswer } from "../store/answers.ts";
import type { AnswerDraft } from "./answer-draft.ts";

/**
 * Pieces that arrive within this time are sent as one, because each costs every reader a message. An answer that is whole
 * before then is only sent as a message.
 */
export const SHOW_MS = 120;
/** How long shown text may stay unsaved. Most answers finish sooner, and need no write of their own. */
const SAVE_MS = 1000;
/** The most text that may be shown and unsaved, in UTF-16 units. */
const MAX_UNSAVED = 2048;

export interface ShownAnswer {
  /** The draft has grown: schedules the new text. */
  grow(): void;
  /** Shows everything now, and returns what is shown. */
  catchUp(): string;
  /** Pauses until the returned function is called, and resolves once everything shown is stored. */
  hold(): Promise<() => void>;
  /** Resolves when nothing pauses it. */
  released(): Promise<void>;
  /** Stops showing and storing. */
  stop(): void;
}

/**
 * Shows a draft piece by piece, and stores what was shown at a bounded rate, so that a killed process loses at most
 * `MAX_UNSAVED` of it.
 */
export function createShownAnswer(deps: {
  readonly clock: Clock;
  readonly draft: AnswerDraft;
  readonly show: (delta: string) => void;
  /** Stores what was shown. Rejects when the store can't be written. */
  readonly save: (partial: NewAnswer) => Promise<void>;
  readonly onError: (error: unknown) => void;
}): ShownAnswer {
  const { clock, draft, show } = deps;
  let shown = 0;
  let saved = 0;
  let shownAt = clock.now();
  let stopShowing: (() => void) | undefined;
  let stopSaving: (() => void) | undefined;
  let saving: Promise<void> | undefined;
  let holds = 0;
  let isOver = false;
  let waiting: (() => void)[] = [];

  const save = () => {
    if (saving) return saving;
    stopSaving?.();
    stopSaving = undefined;
    const upTo = draft.text.length;
    saving = deps
      .save(draft.message("interrupted"))
      .then(() => {
        saved = upTo;
      })
      .finally(() => {
        saving = undefined;
      });
    return saving;
  };
  const saveAside = (then: () => void) => void save().then(then, deps.onError);

  const flush = () => {
    stopShowing?.();
    stopShowing = undefined;
    const { text } = draft;
    if (isOver || holds > 0 || shown === text.length) return;
    if (text.length - saved > MAX_UNSAVED) return saveAside(flush);
    show(text.slice(shown));
    shown = text.length;
    shownAt = clock.now();
    // A blank beginning is not an answer yet.
    if (stopSaving || text.trim() === "") return;
    stopSaving = clock.after(SAVE_MS, () => {
      stopSaving = undefined;
      if (shown > saved) saveAside(flush);
    });
  };
  return {
    grow() {
      if (stopShowing || isOver) return;
      // Not longer where the machine's clock was set back.
      const wait = Math.min(SHOW_MS, shownAt + SHOW_MS - clock.now());
      if (wait <= 0) flush();
      else stopShowing = clock.after(wait, flush);
    },
    catchUp() {
      flush();
      return draft.text.slice(0, shown);
    },
    async hold() {
      flush();
      holds += 1;
      const release = () => {
        holds -= 1;
        if (holds > 0) return;
        for (const go of waiting) go();
        waiting = [];
        flush();
      };
      try {
        if (draft.text.slice(0, shown).trim() !== "") while (saved < shown) await save();
        return release;
      } catch (error) {
        release();
        throw error;
      }
    },
    released: () => (holds === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    stop() {
      isOver = true;
      stopShowing?.();
      stopSaving?.();
    },
  };
}
