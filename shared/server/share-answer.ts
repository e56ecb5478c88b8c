import { type Clock, isRecent } from "./clock.ts";

/** Asks at most once in `ms`. The result is shared from the question on, so a slow answer is not asked for again. */
export function shareAnswer<T>(clock: Clock, ms: number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (!last || !isRecent(clock, last.at, ms)) last = { at: clock.now(), answer: ask() };
    return last.answer;
  };
}
