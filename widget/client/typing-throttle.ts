/** A typing sign is sent at most once in this time; the service and the BFF hold one for a little less than twice as long. */
const AGAIN_MS = 3500;

/**
 * Sends that somebody is writing, at most once in a while for each conversation. Nobody waits for it, and a failure is not
 * shown: nothing was claimed.
 * @param send sends the sign; its signal aborts when the next one is due
 */
export function createTypingThrottle(
  send: (conversationId: string, signal: AbortSignal) => Promise<unknown>,
  setTimer: (run: () => void, ms: number) => () => void,
) {
  const sent = new Map<string, () => void>();
  return {
    isDue: (conversationId: string): boolean => !sent.has(conversationId),
    send(conversationId: string): void {
      if (sent.has(conversationId)) return;
      const abort = new AbortController();
      const cancel = setTimer(() => {
        sent.delete(conversationId);
        abort.abort();
      }, AGAIN_MS);
      sent.set(conversationId, cancel);
      send(conversationId, abort.signal).catch(() => undefined);
    },
    /** What was written is on its way: the next change is news again. */
    reset(conversationId: string): void {
      sent.get(conversationId)?.();
      sent.delete(conversationId);
    },
  };
}
