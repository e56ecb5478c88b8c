import { createParser } from "eventsource-parser";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import { createBackoff } from "./backoff.ts";

export type StreamStatus = "idle" | "connecting" | "live" | "waiting";

/** An event's meaning for the stream. */
export type Handled =
  /** The server works: the next disconnection starts with the shortest delay. */
  | "progress"
  /** The position is no longer valid. The stream stops. */
  | "reset"
  /** The server is shutting down: reconnect after this delay. */
  | { readonly drainMs: number }
  | undefined;

export interface EventStreamDeps {
  /** Milliseconds; used only for durations. */
  readonly now: () => number;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  /** Runs `run` once after `ms`; returns what cancels it. */
  readonly setTimer: (run: () => void, ms: number) => () => void;
  /** Whether somebody may be looking: then the first attempts after a loss come soon. Absent means no. */
  readonly isPrompt?: () => boolean;
  /** Opens one connection; rejects if nothing answered. */
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
}

export interface EventStreamHandlers {
  /** The data of one event. Return undefined to skip an event of an unknown type. */
  onData(data: string): Handled;
  onStatus(status: StreamStatus): void;
  /** Any bytes of the open connection arrived, a heartbeat's too. */
  onBytes?(): void;
  /** The position is no longer valid: fetch the conversation again, then call `start`. The stream has stopped. */
  onReset(): void;
  /** 401, 403, 404 or 409: this session has no such stream. The stream has stopped. */
  onRefused(status: number): void;
}

/** How a connection ended, which decides what comes next. */
type Outcome =
  | { readonly floorMs: number }
  | { readonly drainMs: number }
  | { readonly refused: number }
  | "reset";

const LOST: Outcome = { floorMs: 0 };

/** After a connection that lasted this long, the next disconnection starts with the shortest delay. */
const STEADY_MS = 5_000;

/** If the connection was silent for longer than this when the page becomes visible, it is considered dead. */
const SILENT_MS = HEARTBEAT_MS + STEADY_MS;

/** Longer than any of our events: the longest message with its citations. In characters. */
const MAX_EVENT = 1_000_000;

/**
 * Server-Sent Events through `fetch`, with our own reconnect: the browser's EventSource gives up for good on a 503 and
 * can't send Authorization. After a disconnection it resumes after the last event that was handled.
 */
export function createEventStream(deps: EventStreamDeps, handlers: EventStreamHandlers) {
  const backoff = createBackoff(deps.random);
  let position: string | undefined;
  let current: AbortController | undefined;
  let cancelTimer = (): void => undefined;
  let isWanted = false;
  /** The server itself asked for this delay. */
  let isToldToWait = false;
  let lastByteAt = 0;

  const connect = () => {
    cancelTimer();
    current?.abort();
    const mine = new AbortController();
    current = mine;
    handlers.onStatus("connecting");
    const openedAt = deps.now();
    void follow(mine).then((outcome) => {
      if (current !== mine) return;
      current = undefined;
      if (deps.now() - openedAt >= STEADY_MS) backoff.reset();
      goOn(outcome);
    });
  };

  const goOn = (outcome: Outcome) => {
    if (outcome === "reset" || "refused" in outcome) {
      stop();
      if (outcome === "reset") handlers.onReset();
      else handlers.onRefused(outcome.refused);
      return;
    }
    handlers.onStatus("waiting");
    const delayMs = delayAfter(outcome);
    isToldToWait = "drainMs" in outcome || outcome.floorMs > 0;
    cancelTimer = deps.setTimer(connect, delayMs);
  };

  const delayAfter = (outcome: { readonly floorMs: number } | { readonly drainMs: number }): number => {
    if ("drainMs" in outcome) return outcome.drainMs;
    const { floorMs } = outcome;
    return floorMs === 0 && deps.isPrompt?.() ? backoff.nextPrompt() : backoff.next(floorMs);
  };

  const follow = async (mine: AbortController): Promise<Outcome> => {
    let cancelDeadline = (): void => undefined;
    const keepAlive = () => {
      lastByteAt = deps.now();
      cancelDeadline();
      cancelDeadline = deps.setTimer(() => mine.abort(), DEAD_LINE_MS);
    };
    keepAlive();
    try {
      // A connection that never answers may not react to the abort.
      const aborted = new Promise<never>((_, reject) => mine.signal.addEventListener("abort", reject));
      const response = await Promise.race([deps.connect(position, mine.signal), aborted]);
      const refusal = refusalOf(response);
      if (refusal) return refusal;
      if (current === mine) handlers.onStatus("live");
      return await readAll(response, mine, keepAlive);
    } catch {
      // Whatever went wrong, the connection is lost, and the next attempt decides.
      return LOST;
    } finally {
      cancelDeadline();
      mine.abort();
    }
  };

  const readAll = async (
    response: Response,
    mine: AbortController,
    keepAlive: () => void,
  ): Promise<Outcome> => {
    let outcome: Outcome | undefined;
    const parser = createParser({
      maxBufferSize: MAX_EVENT,
      onEvent({ data, id }) {
        if (outcome || current !== mine) return;
        const handled = handlers.onData(data);
        position = id || position;
        if (handled === "progress") backoff.reset();
        else outcome = handled;
      },
      onError({ type }) {
        if (type === "max-buffer-size-exceeded") outcome ??= LOST;
      },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    mine.signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined), { once: true });
    while (reader && !outcome) {
      const { done, value } = await reader.read();
      if (done) break;
      keepAlive();
      if (current === mine) handlers.onBytes?.();
      parser.feed(value);
    }
    return outcome ?? LOST;
  };

  const stop = () => {
    isWanted = false;
    cancelTimer();
    current?.abort();
    current = undefined;
    handlers.onStatus("idle");
  };

  return {
    /** Follows the log after `lastEventId`; without one, everything that the server sends. */
    start(lastEventId?: string): void {
      position = lastEventId;
      isWanted = true;
      connect();
    },
    stop,
    /** The page is going into the background cache: closes the connection until `wake`. */
    pause(): void {
      cancelTimer();
      current?.abort();
      current = undefined;
    },
    /**
     * The page or the network is back: connects if there is no connection, or if it was silent for too long.
     * @param spreadMs connects after a random part of this, so that many pages do not come back together
     */
    wake(spreadMs = 0): void {
      if (!isWanted || (current && deps.now() - lastByteAt <= SILENT_MS)) return;
      cancelTimer();
      if (spreadMs === 0) connect();
      else cancelTimer = deps.setTimer(connect, deps.random() * spreadMs);
    },
    /** Ends the connection, because the network is gone even if no error was reported. Another attempt follows. */
    drop: () => current?.abort(),
    /** The server has just answered something: ends our own delay, but not one that the server asked for. */
    hurry(): void {
      if (isWanted && !current && !isToldToWait) connect();
    },
  };
}

function refusalOf(response: Response): Outcome | undefined {
  if ([401, 403, 404, 409].includes(response.status)) return { refused: response.status };
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  if (response.status === 200 && isStream) return undefined;
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return { floorMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0 };
}
