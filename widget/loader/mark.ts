/**
 * The chat's own mark in the site's storage: that this visitor has a conversation, since which day, and whether the panel
 * was open. Nothing else is in it. With it the next page and the other tabs follow the conversation before any intent.
 */
const KEY = "parley";
const DAYS = 30;

const today = () => Math.floor(Date.now() / 86_400_000);

/** Reads whether the panel was "open" or "closed". Falsy without one, after its 30 days, and for a value that is not ours. */
export function readMark(): string | false | undefined {
  try {
    const [, state, day] = /^(open|closed) (\d{1,6})$/.exec(localStorage.getItem(KEY) ?? "") ?? [];
    return today() - Number(day) < DAYS && state;
  } catch {
    // The page's storage is blocked: the conversation is followed from the next intent on.
    return undefined;
  }
}

/** Writes the mark; without a state it removes it. */
export function writeMark(state?: "open" | "closed"): void {
  try {
    if (state) localStorage.setItem(KEY, `${state} ${today()}`);
    else localStorage.removeItem(KEY);
  } catch {
    // As above, or full.
  }
}

/** Runs `follow` whenever another tab of the site sets or changes the mark, until `watching` is aborted. */
export function watchMark(follow: () => void, watching: AbortController): void {
  const hear = ({ key }: StorageEvent) => key === KEY && readMark() && follow();
  addEventListener("storage", hear, watching);
}
