import { Failure } from "../../shared/errors.ts";
import type { FeedEvent } from "../../shared/event.ts";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { type ChatStream, createChatStream } from "./chat-stream.ts";
import { relayEvents } from "./relay.ts";

/** How soon the lines of a session end that another process ended, where its word was lost. */
const LOOK_MS = 4000;

/** On shutdown clients are asked to come back spread over so long. */
const DRAIN_SPREAD_MS = 10_000;

interface Line {
  readonly session: Session;
  readonly stream: ChatStream;
  source: EventSource | undefined;
}

export interface OpenLine {
  readonly session: Session;
  readonly address: string;
  readonly epoch: string;
  readonly after: number;
  /** Opens the service's stream behind `after`; `signal` aborts when the client leaves. */
  readonly connect: (after: number, signal: AbortSignal) => Promise<EventSource>;
  readonly onEvent: (event: FeedEvent) => void;
}

/** Told of what the metrics count. */
export interface StreamWatch {
  streamReset(reason: string): void;
  duplicateSuppressed(): void;
}

/** All event streams of this process: one heartbeat for all, and one hand to end them. */
export interface Streams {
  readonly count: number;
  /**
   * Opens the service's stream first, so that a failure is still an answer with a status, then gives the client's body.
   * @throws Failure rate_limited, and what `connect` throws
   */
  open(line: OpenLine): Promise<ReadableStream<Uint8Array>>;
  /** A stream that says that the position is gone, and ends. */
  reset(reason: string): ReadableStream<Uint8Array>;
  /** Ends the lines of a session, in every process. */
  closeSession(sessionId: string): void;
  /** Ends the lines of sessions that are over: a key of the site was taken away. */
  closeOver(): void;
  /** Asks every client to come back a little later, and ends the lines; no new ones are opened. */
  drain(): void;
}

export function createStreams(deps: {
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly jitter: () => number;
  /** Tabs share one stream; a session with more than this many is no browser. */
  readonly maxPerSession: number;
  /** Takes a place among the streams of one address, and gives the way to leave it. */
  readonly placeOf: (address: string) => () => void;
  readonly watch: StreamWatch;
  readonly store: Pick<Store, "isShared" | "publish" | "subscribe" | "onGap">;
}): Streams {
  const { clock, sessions, jitter, maxPerSession, placeOf, watch, store } = deps;
  const lines = new Map<string, Set<Line>>();
  /** Lines of a session that the service has not answered yet: they count too. */
  const opening = new Map<string, number>();
  const countOpening = (id: string, by: number) => {
    const next = (opening.get(id) ?? 0) + by;
    if (next > 0) opening.set(id, next);
    else opening.delete(id);
  };
  let count = 0;
  let isDraining = false;
  const each = (use: (line: Line) => void) => {
    for (const set of lines.values()) for (const line of set) use(line);
  };

  function remove(line: Line): void {
    const set = lines.get(line.session.id);
    if (!set?.delete(line)) return;
    count -= 1;
    if (set.size === 0) lines.delete(line.session.id);
  }

  const closeHere = (id: string) => {
    for (const line of lines.get(id) ?? []) line.stream.close();
  };
  const closeOver = () =>
    each(({ session, stream }) => {
      if (sessions.isOver(session)) stream.close();
    });
  // While the store is away nothing is known, and nobody is put out: the next look tells.
  const look = () => void sessions.learnEnds([...lines.keys()]).then(closeOver, () => undefined);
  const stopLooking = store.isShared ? clock.every(LOOK_MS, look) : () => undefined;
  store.subscribe("ended", closeHere);
  store.subscribe("moved", closeHere);
  store.onGap(look);

  const stop = clock.every(HEARTBEAT_MS, () =>
    each((line) => {
      if (sessions.isOver(line.session)) return line.stream.close();
      line.stream.heartbeat();
      // A line without bytes for so long is dead, whatever TCP believes: closing it makes the relay open the next.
      if (line.source && clock.now() - line.source.lastByteAt > DEAD_LINE_MS) line.source.close();
    }),
  );

  return {
    get count() {
      return count;
    },
    async open({ session, address, epoch, after, connect, onEvent }) {
      if (isDraining) throw new Failure("unavailable", { retryAfter: 5 });
      if ((lines.get(session.id)?.size ?? 0) + (opening.get(session.id) ?? 0) >= maxPerSession) {
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
          remove(line);
          gone.abort();
        },
      });
      const line: Line = { session, stream, source };
      const set = lines.get(session.id) ?? new Set<Line>();
      lines.set(session.id, set.add(line));
      count += 1;
      void relayEvents({
        stream,
        source,
        connect: (from) => connect(from, gone.signal),
        clock,
        jitter,
        onSource: (current) => {
          line.source = current;
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
