import { type ReadonlySignal, signal } from "@preact/signals";

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** For urgent texts, such as a message that was not confirmed. */
  readonly urgent: boolean;
}

export type Announcer = ReturnType<typeof createAnnouncer>;

/**
 * Texts for a screen reader, each in a hidden live region for a while.
 * @param shownMs long enough for every screen reader to notice, short enough that nobody finds the text again
 */
export function createAnnouncer(setTimer: (run: () => void, ms: number) => () => void, shownMs: number) {
  const said = signal<readonly Announcement[]>([]);
  const timers = new Set<() => void>();
  let lastId = 0;
  return {
    said: said as ReadonlySignal<readonly Announcement[]>,
    say(text: string, urgent = false): void {
      lastId += 1;
      const id = lastId;
      said.value = [...said.peek(), { id, text, urgent }];
      const cancel = setTimer(() => {
        timers.delete(cancel);
        said.value = said.peek().filter((each) => each.id !== id);
      }, shownMs);
      timers.add(cancel);
    },
    clear(): void {
      for (const cancel of timers) cancel();
      timers.clear();
      said.value = [];
    },
  };
}
