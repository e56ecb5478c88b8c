import type { FeedEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import type { EventSource } from "../upstream/event-source.ts";
import type { Feeds, LogName } from "./feeds.ts";

/** Characters of entries that are given in one turn of the event loop: in UTF-8 fewer bytes than a client's buffer takes. */
const TURN_CHARACTERS = 64 * 1024;

/**
 * The log as an event stream after `after`, like a service's own: the stored entries, the answer in progress, then live
 * events. `signal` ends it. The reader drops entries that arrive twice, by their seq.
 */
export function createFeedSource(
  feeds: Feeds,
  log: LogName,
  after: number,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): EventSource {
  const { promise: closed, resolve: end } = Promise.withResolvers<void>();
  let isClosed = false;
  const waiting: FeedEvent[] = [];
  let listen: (event: FeedEvent) => void = (event) => waiting.push(event);
  // Follows before it reads, so that no event falls between the two.
  const { joined, stop } = feeds.follow(log, (event) => listen(event), close);
  function close(): void {
    isClosed = true;
    stop();
    end();
  }
  signal?.addEventListener("abort", close, { once: true });
  if (signal?.aborted) close();

  return {
    // There is no connection that could break unnoticed.
    get lastByteAt() {
      return clock.now();
    },
    close,
    async read(give) {
      let room = TURN_CHARACTERS;
      for (const event of (await feeds.read(log)).slice(after)) {
        const { length } = JSON.stringify(event);
        if (length > room) {
          // Node holds back what is written in one turn: a whole log would be too much for the client's buffer.
          await loopTurn();
          room = TURN_CHARACTERS;
        }
        if (isClosed) return;
        give(event);
        room -= length;
      }
      if (room < TURN_CHARACTERS) await loopTurn();
      if (joined) give(joined);
      for (const event of waiting) give(event);
      listen = give;
      await closed;
    },
  };
}
