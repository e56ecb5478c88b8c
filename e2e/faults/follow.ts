import { createChatEventStream } from "../../widget/app/chat-event-stream.ts";

/** What to follow. */
export interface Follow {
  readonly epoch: string;
  /** The event after which it begins; by default the whole log. */
  readonly from?: number;
  /** The event after which it ends. */
  readonly lastSeq: number;
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  /** Called each time the connection is down, before waiting for the next attempt. */
  readonly onWaiting?: () => void;
}

/**
 * Follows a log as the panel does, with the real clock and without randomness. Returns each seq as it was delivered.
 * @throws Error when the stream restarts or is finally refused
 */
export function followAsPanel({ epoch, from = 0, lastSeq, connect, onWaiting }: Follow): Promise<number[]> {
  const seen: number[] = [];
  return new Promise((resolve, reject) => {
    const stream = createChatEventStream(
      {
        now: () => performance.now(),
        random: () => 0,
        setTimer(run, ms) {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
        connect,
      },
      {
        onEvent(event) {
          if (!("seq" in event)) return;
          seen.push(event.seq);
          if (event.seq < lastSeq) return;
          stream.stop();
          resolve(seen);
        },
        onStatus(status) {
          if (status === "waiting") onWaiting?.();
        },
        onReset: () => reject(new Error("an unwanted reset")),
        onRefused: (status) => reject(new Error(`refused with ${status}`)),
      },
    );
    stream.start({ epoch, seq: from });
  });
}
