import { signal } from "@preact/signals";

/** Long enough for a screen reader to take it up, short enough not to be met again when reading the page. */
const SHOWN_MS = 7000;

export interface Announcement {
  readonly id: number;
  readonly text: string;
  /** True for what must not wait: a reply that was not confirmed. */
  readonly urgent: boolean;
}

export type Announcer = ReturnType<typeof createAnnouncer>;

/** What the hidden live regions say, each once. */
export function createAnnouncer(setTimer: (run: () => void, ms: number) => () => void) {
  const said = signal<readonly Announcement[]>([]);
  let lastId = 0;
  return {
    said,
    say(text: string, urgent = false): void {
      lastId += 1;
      const id = lastId;
      said.value = [...said.value, { id, text, urgent }];
      setTimer(() => {
        said.value = said.value.filter((each) => each.id !== id);
      }, SHOWN_MS);
    },
  };
}
