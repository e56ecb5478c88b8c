import { createParser } from "eventsource-parser";
import { DeskEvent } from "../../shared/desk.ts";
import { Failure } from "../../shared/errors.ts";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import { isSignedOut } from "./desk-client.ts";

/** connecting: first try. live: events arrive. waiting: the line broke, tries go on. stopped: no further try is made. */
export type Connection = "connecting" | "live" | "waiting" | "stopped";

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Spread of the tries of many desks whose network came back at once. */
const WAKE_SPREAD_MS = 1000;
/** A line that was silent for longer than this when the page is seen again has died in the meantime. */
const SILENT_MS = HEARTBEAT_MS + 5000;
/** One event is at most one message with its citations; more in one event is not ours. */
const MAX_EVENT_CHARACTERS = 262_144;

export interface DeskStreamDeps {
  /** Opens the stream, or throws a `Failure`. */
  readonly connect: (signal: AbortSignal) => Promise<Response>;
  /** Runs `run` once after `ms`; the answer cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Milliseconds, for durations alone. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  readonly onEvent: (event: DeskEvent) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The service says that nobody is signed in; the stream has stopped. */
  readonly onSignedOut: () => void;
}

export type DeskStream = ReturnType<typeof createDeskStream>;

/** Waiting time before try number `attempt` (0 is the first), in milliseconds: full jitter, never below `floorMs`. */
export function reconnectDelay(attempt: number, random: number, floorMs = 0): number {
  const ceiling = Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt);
  return Math.max(BASE_DELAY_MS, floorMs, random * ceiling);
}

/**
 * The desk's live line. It has no replay: the one who listens reads the state again each time `live` is told.
 * Silence of 45 s is a dead line; 401 ends it, 403 and 404 too.
 */
export function createDeskStream(deps: DeskStreamDeps) {
  let line: AbortController | undefined;
  let cancelRetry: (() => void) | undefined;
  let attempt = 0;
  let heardAt = 0;

  function stop(): void {
    line?.abort();
    line = undefined;
    cancelRetry?.();
    cancelRetry = undefined;
  }

  function retryAfter(ms: number): void {
    cancelRetry?.();
    cancelRetry = deps.setTimer(connect, ms);
  }

  function connect(): void {
    stop();
    const controller = new AbortController();
    line = controller;
    heardAt = deps.now();
    run(controller).catch((cause: unknown) => {
      // The line was closed on purpose, or another one has taken its place.
      if (line !== controller) return;
      line = undefined;
      onBroken(cause);
    });
  }

  function onBroken(cause: unknown): void {
    if (isSignedOut(cause)) {
      deps.onConnection("stopped");
      deps.onSignedOut();
      return;
    }
    const failure = cause instanceof Failure ? cause : undefined;
    if (failure?.code === "forbidden" || failure?.code === "not_found") {
      deps.onConnection("stopped");
      return;
    }
    deps.onConnection("waiting");
    retryAfter(reconnectDelay(attempt, deps.random(), (failure?.retryAfter ?? 0) * 1000));
    attempt += 1;
  }

  /** Reads until the line ends; always rejects, because a live stream has no good end. */
  async function run(controller: AbortController): Promise<never> {
    let cancelDeadLine = deps.setTimer(() => controller.abort(), DEAD_LINE_MS);
    try {
      const response = await deps.connect(controller.signal);
      if (line !== controller) throw new Failure("unavailable");
      const parser = createParser({
        maxBufferSize: MAX_EVENT_CHARACTERS,
        onEvent: ({ data }) => receive(data),
        onError: (error) => {
          if (error.type === "max-buffer-size-exceeded") controller.abort();
        },
      });
      deps.onConnection("live");
      const decoder = new TextDecoder();
      const reader = response.body?.getReader();
      for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
        if (line !== controller) break;
        // Only bytes prove that the far side is there; a connection alone may be a proxy that answers for a dead one.
        attempt = 0;
        heardAt = deps.now();
        cancelDeadLine();
        cancelDeadLine = deps.setTimer(() => controller.abort(), DEAD_LINE_MS);
        parser.feed(decoder.decode(piece.value, { stream: true }));
      }
      throw new Failure("unavailable");
    } finally {
      cancelDeadLine();
      controller.abort();
    }
  }

  function receive(data: string): void {
    const event = DeskEvent.safeParse(parseOrUndefined(data));
    // An event of a kind that this desk does not know is passed over, as the contract says.
    if (event.success) deps.onEvent(event.data);
  }

  return {
    start(): void {
      attempt = 0;
      deps.onConnection("connecting");
      connect();
    },
    stop,
    /** The network is back or the page is seen again: a waiting try is made now, and a line that fell silent is made anew. */
    wake(): void {
      const isWaiting = cancelRetry !== undefined && !line;
      const isSilent = line !== undefined && deps.now() - heardAt > SILENT_MS;
      if (isWaiting || isSilent) retryAfter(deps.random() * WAKE_SPREAD_MS);
    },
  };
}

function parseOrUndefined(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // Not JSON: not one of ours, so there is nothing to apply.
    return undefined;
  }
}
