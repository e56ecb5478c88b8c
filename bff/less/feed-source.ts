import type { FeedEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { EventSource } from "../upstream/event-source.ts";
import type { Feeds, LogName } from "./feeds.ts";

/**
 * The log as a stream of events behind `after`, in the form that a service's own stream has: what is stored, the answer
 * that is being written, then everything as it happens. `signal` ends it. What comes twice its reader drops by its seq.
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
  // From the start, so that nothing falls between what is read and what is heard.
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
    // There is no line that could die unseen.
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
