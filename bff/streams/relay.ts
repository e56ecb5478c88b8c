import type { FeedEvent } from "../../shared/event.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { isOurFault, Refused } from "../upstream/failure.ts";
import type { ChatStream } from "./chat-stream.ts";

/** Delays before each attempt to reconnect. After the last one the client's stream ends, so that it notices. */
const BACKOFF_MS = [250, 500, 1000, 2000, 4000] as const;

/** A service stream that lasted this long resets the count of failures. */
const GOOD_MS = 5000;

/** A client's stream and the service's stream that it gets its events from now. */
export interface Relayed {
  readonly stream: ChatStream;
  source: EventSource;
  /** Aborts the call that opens the service's stream again; undefined when there is none. */
  reopening?: AbortController | undefined;
  /** Opens the service's stream after `after`, unless `signal` aborts before. */
  readonly connect: (after: number, signal?: AbortSignal) => Promise<EventSource>;
  readonly onEvent: (event: FeedEvent) => void;
}

interface RelayDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ x < 1, to spread reconnects of many streams. */
  readonly jitter: () => number;
}

/**
 * Sends the service's events to one client until either side leaves. When the service's stream breaks, it is opened again
 * after the last event that was sent: nothing is missed, and events that come twice are dropped. When the service refuses
 * the position, the client gets a reset and reads the conversation again.
 */
export async function relayEvents(client: Relayed, deps: RelayDeps): Promise<void> {
  const { stream } = client;
  const { clock, jitter } = deps;
  let failures = 0;
  while (!stream.isClosed) {
    const openedAt = clock.now();
    await carry(client, deps);
    client.source.close();
    if (clock.now() - openedAt >= GOOD_MS) failures = 0;

    let next: EventSource | undefined;
    while (!next && !stream.isClosed) {
      const wait = BACKOFF_MS[failures];
      if (wait === undefined) return stream.close();
      failures += 1;
      await pause(clock, wait * (0.5 + jitter() / 2));
      if (!stream.isClosed) next = await reopen(client, deps);
    }
    client.source = next ?? client.source;
  }
  client.source.close();
}

/** Sends events until the service's stream ends or breaks; the caller opens the next one. */
async function carry({ stream, source, onEvent }: Relayed, { log }: RelayDeps): Promise<void> {
  try {
    await source.read((event) => {
      if (stream.isClosed) return;
      onEvent(event);
      stream.send(event);
    });
  } catch (error) {
    // A broken stream and an ended one are the same here: the next one continues after the last event.
    noteOwnFault(error, log);
  }
}

async function reopen(client: Relayed, { log }: RelayDeps): Promise<EventSource | undefined> {
  const { stream, connect } = client;
  client.reopening = new AbortController();
  try {
    return await connect(stream.lastSeq, client.reopening.signal);
  } catch (error) {
    noteOwnFault(error, log);
    // The upstream client logged any other failure. A refusal does not change when it is repeated; other failures may pass.
    if (error instanceof Refused && error.answered !== 401 && error.answered !== 429) {
      stream.send({ type: "reset", reason: "position_gone" });
      stream.close();
    }
    return undefined;
  } finally {
    client.reopening = undefined;
  }
}

function noteOwnFault(error: unknown, log: Log): void {
  if (isOurFault(error)) log.error(errorFacts(error), "unexpected error");
}
