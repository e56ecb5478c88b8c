import type { FeedEvent } from "../../shared/event.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { Refused } from "../upstream/failure.ts";
import type { ChatStream } from "./chat-stream.ts";

/** Waits before the 1st, 2nd … try to reach the service again. After the last, the client's line is ended: then it learns. */
const BACKOFF_MS = [250, 500, 1000, 2000, 4000] as const;

/** A service stream that lived so long was a good one: the count of failures begins anew. */
const GOOD_MS = 5000;

export interface RelayOptions {
  readonly stream: ChatStream;
  readonly source: EventSource;
  /** Opens the service's stream again behind `after`. */
  readonly connect: (after: number) => Promise<EventSource>;
  readonly clock: Clock;
  /** 0 ≤ x < 1, to spread reconnects of many streams. */
  readonly jitter: () => number;
  readonly onSource: (source: EventSource) => void;
  readonly onEvent: (event: FeedEvent) => void;
}

/**
 * Carries the service's events to one client until either leaves. When the service's line dies, it is opened again behind
 * the last event that went out: nothing is missed, and what comes twice is dropped. A position that the service
 * refuses is gone: the client is told to fetch anew.
 */
export async function relayEvents(options: RelayOptions): Promise<void> {
  const { stream, clock, onSource, onEvent } = options;
  let { source } = options;
  let failures = 0;
  while (!stream.isClosed) {
    onSource(source);
    const openedAt = clock.now();
    await carry(source, stream, onEvent);
    source.close();
    if (clock.now() - openedAt >= GOOD_MS) failures = 0;

    let next: EventSource | undefined;
    while (!next && !stream.isClosed) {
      const wait = BACKOFF_MS[failures];
      if (wait === undefined) return stream.close();
      failures += 1;
      await pause(clock, wait * (0.5 + options.jitter() / 2));
      if (!stream.isClosed) next = await reopen(options);
    }
    if (!next) return;
    source = next;
  }
  source.close();
}

/** Passes events on until the line ends, however it ends: the caller opens the next one. */
async function carry(
  source: EventSource,
  stream: ChatStream,
  onEvent: (event: FeedEvent) => void,
): Promise<void> {
  try {
    for await (const event of source.events()) {
      if (stream.isClosed) return;
      onEvent(event);
      stream.send(event);
    }
  } catch {
    // A broken line and an ended one are the same to the client: the next line goes on behind the last event.
  }
}

async function reopen({ stream, connect }: RelayOptions): Promise<EventSource | undefined> {
  try {
    return await connect(stream.lastSeq);
  } catch (error) {
    // The client has logged the failure. A refusal will not get better by asking again; everything else may.
    if (error instanceof Refused && error.answered !== 401 && error.answered !== 429) {
      stream.sendControl({ type: "reset", reason: "position_gone" });
      stream.close();
    }
    return undefined;
  }
}
