import { Failure } from "../../shared/errors.ts";
import type { FeedEvent } from "../../shared/event.ts";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { type ChatStream, createChatStream } from "./chat-stream.ts";
import { relayEvents } from "./relay.ts";

/** How soon the streams of a session end that another process ended, when its signal was lost. */
const LOOK_MS = 4000;

/** On shutdown clients are asked to reconnect spread over this time. */
const DRAIN_SPREAD_MS = 10_000;

interface ClientStream {
  readonly session: Session;
  readonly stream: ChatStream;
  source: EventSource | undefined;
}

export interface StreamRequest {
  readonly session: Session;
  readonly address: string;
  readonly epoch: string;
  readonly after: number;
  /** Opens the service's stream after `after`; `signal` aborts when the client leaves. */
  readonly connect: (after: number, signal: AbortSignal) => Promise<EventSource>;
  readonly onEvent: (event: FeedEvent) => void;
}

/** Counts for the metrics. */
export interface StreamWatch {
  streamReset(reason: string): void;
  duplicateSuppressed(): void;
}

/** All event streams of this process: one heartbeat timer for all, and the ways to end them. */
export interface Streams {
  readonly count: number;
  /**
   * Opens the service's stream first, so that a failure still has a status, then returns the client's body.
   * @throws Failure rate_limited, and what `connect` throws
   */
  open(request: StreamRequest): Promise<ReadableStream<Uint8Array>>;
  /** A stream that sends a reset and ends. */
  reset(reason: string): ReadableStream<Uint8Array>;
  /** Ends the streams of a session, in every process. */
  closeSession(sessionId: string): void;
  /** Ends the streams of sessions that are over, for example because a key of the site was removed. */
  closeOver(): void;
  /** Asks every client to reconnect a little later, and ends all streams; no new ones are opened. */
  drain(): void;
}

export function createStreams(deps: {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly jitter: () => number;
  /** Tabs share one stream, so no browser needs more than this. */
  readonly maxPerSession: number;
  /** Takes a place among the streams of one address, and returns the function that frees it. */
  readonly placeOf: (address: string) => () => void;
  readonly watch: StreamWatch;
  readonly store: Pick<Store, "isShared" | "publish" | "subscribe" | "onGap">;
}): Streams {
  const { clock, sessions, jitter, maxPerSession, placeOf, watch, store } = deps;
  const bySession = new Map<string, Set<ClientStream>>();
  /** Streams of a session that the service has not answered yet: they count too. */
  const opening = new Map<string, number>();
  const countOpening = (id: string, by: number) => {
    const next = (opening.get(id) ?? 0) + by;
    if (next > 0) opening.set(id, next);
    else opening.delete(id);
  };
  let count = 0;
  let isDraining = false;
  const each = (use: (client: ClientStream) => void) => {
    for (const set of bySession.values()) for (const client of set) use(client);
  };

  function remove(client: ClientStream): void {
    const set = bySession.get(client.session.id);
    if (!set?.delete(client)) return;
    count -= 1;
    if (set.size === 0) bySession.delete(client.session.id);
  }

  const closeHere = (id: string) => {
    for (const client of bySession.get(id) ?? []) client.stream.close();
  };
  const closeOver = () =>
    each(({ session, stream }) => {
      if (sessions.isOver(session)) stream.close();
    });
  // While the store is unavailable nothing is known, so no stream ends; the next look shows.
  const look = () => void sessions.learnEnds([...bySession.keys()]).then(closeOver, () => undefined);
  const stopLooking = store.isShared ? clock.every(LOOK_MS, look) : () => undefined;
  store.subscribe("ended", closeHere);
  store.subscribe("moved", closeHere);
  store.onGap(look);

  const stop = clock.every(HEARTBEAT_MS, () =>
    each((client) => {
      if (sessions.isOver(client.session)) return client.stream.close();
      client.stream.heartbeat();
      // A stream without bytes for this long is dead, whatever TCP reports: closing it makes the relay open the next one.
      if (client.source && clock.now() - client.source.lastByteAt > DEAD_LINE_MS) client.source.close();
    }),
  );

  return {
    get count() {
      return count;
    },
    async open({ session, address, epoch, after, connect, onEvent }) {
      if (isDraining) throw new Failure("unavailable", { retryAfter: 5 });
      if ((bySession.get(session.id)?.size ?? 0) + (opening.get(session.id) ?? 0) >= maxPerSession) {
        throw new Failure("rate_limited", { retryAfter: 30 });
      }
      const gone = new AbortController();
      const leave = placeOf(address);
      gone.signal.addEventListener("abort", leave, { once: true });
      countOpening(session.id, 1);
      const source = await connect(after, gone.signal)
        .catch((error: unknown) => {
          leave();
          throw error;
        })
        .finally(() => countOpening(session.id, -1));
      if (isDraining || sessions.isOver(session)) {
        // Both may have happened while the service answered.
        gone.abort();
        throw new Failure(isDraining ? "unavailable" : "unauthenticated");
      }
      const stream = createChatStream({
        epoch,
        after,
        watch,
        onClosed: () => {
          remove(client);
          gone.abort();
        },
      });
      const client: ClientStream = { session, stream, source };
      const set = bySession.get(session.id) ?? new Set<ClientStream>();
      bySession.set(session.id, set.add(client));
      count += 1;
      void relayEvents({
        stream,
        source,
        connect: (from) => connect(from, gone.signal),
        clock,
        jitter,
        onSource: (current) => {
          client.source = current;
        },
        onEvent,
      });
      return stream.body;
    },
    closeOver,
    reset(reason) {
      const stream = createChatStream({ epoch: "", after: 0, watch, onClosed: () => undefined });
      stream.sendControl({ type: "reset", reason });
      stream.close();
      return stream.body;
    },
    closeSession(id) {
      closeHere(id);
      store.publish({ topic: "moved", text: id });
    },
    drain() {
      isDraining = true;
      stop();
      stopLooking();
      each(({ stream }) => {
        stream.sendControl({ type: "drain", delayMs: Math.floor(jitter() * DRAIN_SPREAD_MS) });
        stream.close();
      });
    },
  };
}
