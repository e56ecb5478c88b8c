import { createChatEventStream } from "../../widget/app/chat-event-stream.ts";

/** What to follow. */
export interface Follow {
  readonly epoch: string;
  /** The event after which it ends. */
  readonly lastSeq: number;
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
  /** Called each time that the line is down and the next try is waited for. */
  readonly onWaiting?: () => void;
}

/**
 * Follows a log from its start as the panel does, by the true clock and without chance. Gives each seq as it was handed on.
 * @throws Error when the stream restarts or is refused for good
 */
export function followAsPanel({ epoch, lastSeq, connect, onWaiting }: Follow): Promise<number[]> {
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
    stream.start({ epoch, seq: 0 });
  });
}
