import { Failure } from "../../shared/errors.ts";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Limits } from "../gate/limits.ts";
import type { Session, Sessions } from "../sessions/sessions.ts";
import type { Store } from "../store/store.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { ChatStream, type Outgoing, type StreamWatch } from "./chat-stream.ts";
import { type Relayed, relayEvents } from "./relay.ts";

/** How often the store is asked which sessions have ended, because another process's signal of an end can be lost. */
const LOOK_MS = 4000;

/** On shutdown clients are asked to reconnect spread over this time. */
const DRAIN_SPREAD_MS = 10_000;

interface ClientStream extends Relayed {
  readonly session: Session;
}

/** The answer that a stream is written to. */
export interface StreamAnswer {
  readonly outgoing: Outgoing;
  readonly headers: Readonly<Record<string, string>>;
}

export interface StreamRequest extends StreamAnswer, Pick<Relayed, "connect" | "onEvent"> {
  readonly session: Session;
  readonly address: string;
  readonly epoch: string;
  readonly after: number;
}

export type Streams = ReturnType<typeof createStreams>;

/** All event streams of this process: one heartbeat timer for all, and the ways to end them. */
export function createStreams(deps: {
  readonly clock: Clock;
  readonly log: Log;
  readonly sessions: Sessions;
  readonly jitter: () => number;
  readonly limits: Pick<Limits, "stream">;
  readonly watch: StreamWatch;
  readonly store: Pick<Store, "isShared" | "publish" | "subscribe" | "onGap">;
}) {
  const { clock, log, sessions, jitter, limits, watch, store } = deps;
  const bySession = new Map<string, Set<ClientStream>>();
  let isDraining = false;
  const each = (use: (client: ClientStream) => void) => {
    for (const set of bySession.values()) for (const client of set) use(client);
  };

  function remove(client: ClientStream): void {
    const set = bySession.get(client.session.id);
    if (set?.delete(client) && set.size === 0) bySession.delete(client.session.id);
  }

  const closeHere = (id: string) => {
    for (const client of bySession.get(id) ?? []) client.stream.close();
  };
  const closeOver = () =>
    each(({ session, stream }) => {
      if (sessions.isOver(session)) stream.close();
    });
  // While the store is unavailable nothing is known, so no stream ends; the next check decides.
  const look = () => void sessions.learnEnds([...bySession.keys()]).then(closeOver, () => undefined);
  const stopLooking = store.isShared ? clock.every(LOOK_MS, look) : () => undefined;
  store.subscribe("ended", closeHere);
  const closeCustomerHere = (externalId: string) =>
    each(({ session, stream }) => {
      if (session.customer.externalId === externalId) stream.close();
    });
  store.subscribe("moved", closeCustomerHere);
  store.onGap(look);

  // Also closes the streams of sessions that have expired, or whose key the site removed.
  const stop = clock.every(HEARTBEAT_MS, () =>
    each((client) => {
      if (sessions.isOver(client.session)) return client.stream.close();
      client.stream.heartbeat();
      // The service's stream is dead even if TCP reports nothing, or the clock was set back. The relay opens another.
      if (Math.abs(clock.now() - client.source.lastByteAt) > DEAD_LINE_MS) client.source.close();
    }),
  );

  return {
    count: () => [...bySession.values()].reduce((sum, { size }) => sum + size, 0),
    /**
     * Opens the service's stream first, so that a failure still has a status, then begins the client's answer.
     * @throws Failure rate_limited, and what `connect` throws
     */
    async open(request: StreamRequest): Promise<void> {
      const { session, address, outgoing, headers, epoch, after, connect, onEvent } = request;
      if (isDraining) throw new Failure("unavailable", { retryAfter: 5 });
      // Taken before the service answers: simultaneous streams count too.
      const release = limits.stream({ session, address });
      let source: EventSource;
      try {
        // No signal: if the browser leaves now, the end of its own request ends the call.
        source = await connect(after);
      } catch (error) {
        release();
        throw error;
      }
      const isOver = sessions.isOver(session);
      if (isDraining || isOver || outgoing.destroyed) {
        // All of these may have happened while the service answered.
        source.close();
        release();
        throw new Failure(isOver ? "unauthenticated" : "unavailable");
      }
      const onClosed = () => {
        remove(client);
        client.source.close();
        client.reopening?.abort();
        release();
      };
      const stream = new ChatStream({ outgoing, headers, epoch, after, watch, onClosed });
      const client: ClientStream = { session, stream, source, connect, onEvent };
      bySession.set(session.id, (bySession.get(session.id) ?? new Set()).add(client));
      void relayEvents(client, { clock, log, jitter });
    },
    /** A stream that tells its client that its position is gone, and ends. */
    reset(answer: StreamAnswer): void {
      const stream = new ChatStream({ ...answer, epoch: "", after: 0, watch, onClosed: () => undefined });
      stream.send({ type: "reset", reason: "position_gone" });
      stream.close();
    },
    /** Ends the streams of a session that has ended. The signal of its end does so in the other processes. */
    closeSession: closeHere,
    /** Ends the streams of a customer on all devices, in every process, so that they reconnect. */
    closeCustomer(externalId: string): void {
      closeCustomerHere(externalId);
      store.publish({ topic: "moved", text: externalId });
    },
    /** Asks every client to reconnect a little later, and ends all streams; no new ones are opened. */
    drain(): void {
      isDraining = true;
      stop();
      stopLooking();
      each(({ stream }) => {
        stream.send({ type: "drain", delayMs: Math.floor(jitter() * DRAIN_SPREAD_MS) });
        stream.close();
      });
    },
  };
}
