import { DeskEvent } from "../../shared/desk.ts";
import { createEventStream, type EventStreamDeps } from "../client/event-stream.ts";
import { parseJson } from "../client/parse-json.ts";

/**
 * connecting: first attempt. live: events arrive. waiting: disconnected and still retrying, or a call got no answer since
 * the stream last delivered something. stopped: no further attempts.
 */
export type Connection = "connecting" | "live" | "waiting" | "stopped";

/** Spreads the attempts of many desks whose network came back at the same time. */
const WAKE_SPREAD_MS = 1000;

export interface DeskStreamDeps extends Pick<EventStreamDeps, "now" | "random" | "setTimer"> {
  /** Opens the stream. Rejects if nothing answered. */
  readonly connect: (signal: AbortSignal) => Promise<Response>;
  readonly onEvent: (event: DeskEvent) => void;
  readonly onConnection: (connection: Connection) => void;
  /** The live stream delivered something, even if only a heartbeat. */
  readonly onHeard: () => void;
  /** The service says that nobody is signed in; the stream has stopped. */
  readonly onSignedOut: () => void;
}

/** The desk's live events. They are not replayed: each time it is `live`, the state has to be read again. */
export function createDeskStream(deps: DeskStreamDeps) {
  const stream = createEventStream(
    { ...deps, connect: (_, signal) => deps.connect(signal) },
    {
      onData(data) {
        const event = DeskEvent.safeParse(parseJson(data));
        // An event of an unknown type is skipped, as the contract says.
        if (event.success) deps.onEvent(event.data);
        return event.success ? "progress" : undefined;
      },
      onStatus(status) {
        if (status === "live" || status === "waiting") deps.onConnection(status);
      },
      onBytes: deps.onHeard,
      onReset: () => undefined,
      onRefused(status) {
        deps.onConnection("stopped");
        if (status === 401) deps.onSignedOut();
      },
    },
  );
  return {
    start(): void {
      deps.onConnection("connecting");
      stream.start();
    },
    stop: stream.stop,
    /** The network is back or the page is visible again. */
    wake: () => stream.wake(WAKE_SPREAD_MS),
  };
}
