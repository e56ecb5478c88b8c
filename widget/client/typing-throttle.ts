/**
 * A typing signal is sent at most this often, a little more than the BFF's three seconds. A slower request is aborted.
 */
const AGAIN_MS = 3500;

/**
 * Sends that somebody is typing, at most once per interval. Nothing waits for it, and a failure is not shown, because
 * nothing was claimed.
 */
export function createTypingThrottle(
  send: (signal: AbortSignal) => Promise<unknown>,
  setTimer: (run: () => void, ms: number) => () => void,
) {
  let isSent = false;
  return (): void => {
    if (isSent) return;
    isSent = true;
    const abort = new AbortController();
    setTimer(() => {
      isSent = false;
      abort.abort();
    }, AGAIN_MS);
    send(abort.signal).catch(() => undefined);
  };
}
