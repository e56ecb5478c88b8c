import type { LiveEvent, LoggedEvent } from "../../shared/event.ts";
import { createEventStream, type EventStreamDeps, type StreamStatus } from "../client/event-stream.ts";
import { parseJson } from "../client/parse-json.ts";
import { readEvent } from "./wire-events.ts";

export interface ChatEventHandlers {
  onEvent(event: LoggedEvent | LiveEvent): void;
  onStatus(status: StreamStatus): void;
  onReset(): void;
  onRefused(status: number): void;
}

/** The events of one conversation. A known event with a wrong shape never reaches the screen. */
export function createChatEventStream(deps: EventStreamDeps, handlers: ChatEventHandlers) {
  const stream = createEventStream(deps, {
    ...handlers,
    onData(data) {
      const event = readEvent(parseJson(data));
      if (!event) return undefined;
      if (event.type === "reset") return "reset";
      if (event.type === "drain") return { drainMs: event.delayMs };
      handlers.onEvent(event);
      return "seq" in event ? "progress" : undefined;
    },
  });
  return {
    ...stream,
    /** Follows a conversation after `seq`; 0 requests the whole log. */
    start(from: { readonly epoch: string; readonly seq: number }): void {
      stream.start(from.seq > 0 ? `${from.epoch}:${from.seq}` : undefined);
    },
  };
}
