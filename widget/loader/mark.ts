/**
 * The chat's own mark in the site's storage: that this visitor has a conversation, since which day, and whether the panel
 * was open. Nothing else is in it. With it the next page and the other tabs follow the conversation before any intent.
 */
const KEY = "parley";
const DAYS = 30;

const today = () => Math.floor(Date.now() / 86_400_000);

/** Reads the mark. Undefined without one, after its 30 days, and for a value that is not ours. */
export function readMark(): { readonly isOpen: boolean } | undefined {
  try {
    const [, state, day] = /^(open|closed) (\d{1,6})$/.exec(localStorage.getItem(KEY) ?? "") ?? [];
    const age = today() - Number(day);
    return age >= 0 && age < DAYS ? { isOpen: state === "open" } : undefined;
  } catch {
    // The page's storage is blocked: the conversation is followed from the next intent on.
    return undefined;
  }
}

/** Writes the mark, or removes it. */
export function writeMark(isOpen: boolean | undefined): void {
  try {
    if (isOpen === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, `${isOpen ? "open" : "closed"} ${today()}`);
  } catch {
    // As above, or full.
  }
}

/** Runs `follow` whenever another tab of the site sets or changes the mark. Returns a function that stops it. */
export function watchMark(follow: () => void): AbortController {
  const watching = new AbortController();
  const hear = ({ key }: StorageEvent) => key === KEY && readMark() && follow();
  addEventListener("storage", hear, watching);
  return watching;
}
