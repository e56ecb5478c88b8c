import type { FeedEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { EventSource } from "../upstream/event-source.ts";
import type { Feeds, LogName } from "./feeds.ts";

/**
 * The log as an event stream after `after`, like a service's own: the stored entries, the answer that is being written, then
 * everything as it happens. `signal` ends it. The reader drops by their seq entries that come twice.
 */
export function createFeedSource(
  feeds: Feeds,
  log: LogName,
  after: number,
  deps: { readonly clock: Clock; readonly signal: AbortSignal },
): EventSource {
  const { clock, signal } = deps;
  const waiting: FeedEvent[] = [];
  let isClosed = signal.aborted;
  let wake = (): void => undefined;
  let stop = (): void => undefined;
  const close = () => {
    isClosed = true;
    stop();
    wake();
  };
  // Follows before it reads, so that no event falls between the two.
  const followed = feeds.follow(
    log,
    (event) => {
      waiting.push(event);
      wake();
    },
    close,
  );
  const { joined } = followed;
  stop = followed.stop;
  signal.addEventListener("abort", close, { once: true });
  if (isClosed) stop();

  return {
    // There is no connection that could break unnoticed.
    get lastByteAt() {
      return clock.now();
    },
    close,
    async *events() {
      yield* await feeds.read(log, after);
      if (joined) yield joined;
      for (;;) {
        for (let event = waiting.shift(); event && !isClosed; event = waiting.shift()) yield event;
        if (isClosed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
