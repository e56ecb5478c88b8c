import type { ChatEvent } from "../../shared/event.ts";
import { DEAD_LINE_MS, HEARTBEAT_MS } from "../../shared/limits.ts";
import { createBackoff } from "../client/backoff.ts";
import type { Environment } from "./environment.ts";
import { createEventReader } from "./event-reader.ts";
import { readEvent } from "./wire-events.ts";

export type StreamStatus = "idle" | "connecting" | "live" | "waiting";

export interface StreamHandlers {
  onEvent(event: ChatEvent): void;
  onStatus(status: StreamStatus): void;
  /** The position is gone, or what came could not be read: fetch the conversation again, then `start`. The stream has stopped. */
  onReset(): void;
  /** 401, 403, 404 or 409: this session or conversation has no stream. The stream has stopped. */
  onRefused(status: number): void;
}

export interface StreamDeps extends Pick<Environment, "now" | "random" | "setTimer"> {
  readonly connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;
}

/** How one connection came to its end, and hence what comes next. */
type Outcome =
  | { readonly kind: "lost"; readonly floorMs: number }
  | { readonly kind: "refused"; readonly status: number }
  | { readonly kind: "reset" }
  | { readonly kind: "drain"; readonly delayMs: number };

/** A connection that held this long was a good one: the next loss starts from the shortest delay again. */
const STEADY_MS = 5_000;

export type EventStream = ReturnType<typeof createEventStream>;

/**
 * Server-Sent Events by `fetch`, with our own reconnect: the browser's EventSource gives up for good on a 503 and can't
 * send Authorization. After a loss it goes on behind the last event that was handled.
 */
export function createEventStream(deps: StreamDeps, handlers: StreamHandlers) {
  const backoff = createBackoff(deps.random);
  let position: string | undefined;
  let current: AbortController | undefined;
  let cancelTimer = (): void => undefined;
  let wanted = false;
  /** The server itself said how long to stay away. */
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
    if (outcome.kind === "lost" || outcome.kind === "drain") {
      handlers.onStatus("waiting");
      isToldToWait = outcome.kind === "drain" || outcome.floorMs > 0;
      const delay = outcome.kind === "drain" ? outcome.delayMs : backoff.next(outcome.floorMs);
      cancelTimer = deps.setTimer(connect, delay);
      return;
    }
    stop();
    if (outcome.kind === "reset") handlers.onReset();
    else handlers.onRefused(outcome.status);
  };

  const follow = async (mine: AbortController): Promise<Outcome> => {
    let cancelDeadLine = (): void => undefined;
    const isAlive = () => {
      lastByteAt = deps.now();
      cancelDeadLine();
      cancelDeadLine = deps.setTimer(() => mine.abort(), DEAD_LINE_MS);
    };
    isAlive();
    try {
      const gone = whenAborted(mine.signal);
      const response = await Promise.race([deps.connect(position, mine.signal), gone]);
      const refusal = refusalOf(response);
      if (refusal) return refusal;
      if (current === mine) handlers.onStatus("live");
      return await readAll(response, mine, isAlive);
    } catch {
      // Whatever broke, a lost line is all that can be said of it; the next attempt will show.
      return { kind: "lost", floorMs: 0 };
    } finally {
      cancelDeadLine();
      mine.abort();
    }
  };

  const readAll = async (
    response: Response,
    mine: AbortController,
    isAlive: () => void,
  ): Promise<Outcome> => {
    let outcome: Outcome | undefined;
    const feed = createEventReader((data, id) => {
      if (outcome || current !== mine) return;
      outcome = handle(data);
      position = id || position;
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    mine.signal.addEventListener("abort", () => void reader?.cancel().catch(() => undefined), { once: true });
    while (reader && !outcome) {
      const { done, value } = await reader.read();
      if (done) break;
      isAlive();
      feed(value);
    }
    return outcome ?? { kind: "lost", floorMs: 0 };
  };

  /** Hands one event on. An event of an unknown type is passed over; a known one with a wrong shape never reaches the screen. */
  const handle = (data: string): Outcome | undefined => {
    const event = parseEvent(data);
    if (!event) return undefined;
    if (event.type === "reset") return { kind: "reset" };
    if (event.type === "drain") return { kind: "drain", delayMs: event.delayMs };
    handlers.onEvent(event);
    if ("seq" in event) backoff.reset();
    return undefined;
  };

  const stop = () => {
    wanted = false;
    cancelTimer();
    current?.abort();
    current = undefined;
    handlers.onStatus("idle");
  };

  return {
    /** Follows a conversation from behind `seq`; 0 asks for the whole log. */
    start(from: { epoch: string; seq: number }) {
      position = from.seq > 0 ? `${from.epoch}:${from.seq}` : undefined;
      wanted = true;
      connect();
    },
    stop,
    /** The page is being put away: the line closes and is not opened again before `wake`. */
    pause() {
      cancelTimer();
      current?.abort();
      current = undefined;
    },
    /** The page is back or the network is: at once if the line is down, or has been silent for longer than a heartbeat. */
    wake() {
      if (!wanted) return;
      if (!current || deps.now() - lastByteAt > HEARTBEAT_MS + STEADY_MS) connect();
    },
    /** The network is gone, and this line with it, though nobody may have said so: to be opened again. */
    drop: () => current?.abort(),
    /** The server was just heard of: a delay of our own has no sense any more. */
    hurry() {
      if (wanted && !current && !isToldToWait) connect();
    },
  };
}

function refusalOf(response: Response): Outcome | undefined {
  if ([401, 403, 404, 409].includes(response.status)) return { kind: "refused", status: response.status };
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  if (response.status === 200 && isStream) return undefined;
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return { kind: "lost", floorMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0 };
}

function parseEvent(data: string): ChatEvent | undefined {
  try {
    return readEvent(JSON.parse(data));
  } catch {
    // Not JSON: nothing that could be shown.
    return undefined;
  }
}

function whenAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("the line was closed")), { once: true });
  });
  // Nobody may be waiting when it happens, and that is fine.
  aborted.catch(() => undefined);
  return aborted;
}
