import { createParser } from "eventsource-parser";
import { type FeedEvent, ServiceEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { isWithin } from "../../shared/v1/echo.ts";
import type { OpenStream } from "./client.ts";

/** Longest event read, in characters: the longest answer in four-byte characters, escaped, fits with room. */
const MAX_EVENT_CHARACTERS = 512 * 1024;

/** One open stream of events: of the service, or of the log that the BFF stores in its place. */
export interface EventSource {
  /** When bytes last came, heartbeats included. */
  readonly lastByteAt: number;
  /** The events as they come; ends when the other side ends the stream, throws when the connection breaks. */
  events(): AsyncGenerator<FeedEvent>;
  close(): void;
}

/**
 * Reads a conversation's Server-Sent Events and checks each one. An event of an unknown type, not of its type's form, or of
 * another conversation is skipped and reported to `onUnknown`.
 */
export function createEventSource(
  stream: OpenStream,
  conversationId: string,
  { clock, onUnknown }: { readonly clock: Clock; readonly onUnknown: () => void },
): EventSource {
  let lastByteAt = clock.now();
  return {
    get lastByteAt() {
      return stream.isInProcess ? clock.now() : lastByteAt;
    },
    close: () => stream.close(),
    async *events() {
      let ready: ServiceEvent[] = [];
      const decoder = new TextDecoder();
      const parser = createParser({
        maxBufferSize: MAX_EVENT_CHARACTERS,
        onEvent: ({ data }) => {
          const event = parseEvent(data, conversationId);
          if (event) ready.push(event);
          else onUnknown();
        },
      });
      for await (const chunk of stream.body) {
        lastByteAt = clock.now();
        parser.feed(decoder.decode(chunk, { stream: true }));
        if (ready.length === 0) continue;
        const batch = ready;
        ready = [];
        yield* batch;
      }
    },
  };
}

function parseEvent(data: string, conversationId: string): ServiceEvent | undefined {
  try {
    const said: unknown = JSON.parse(data);
    const parsed = ServiceEvent.safeParse(said);
    return parsed.success && isWithin(said, conversationId) ? parsed.data : undefined;
  } catch {
    // Not JSON: the caller counts it as unknown.
    return undefined;
  }
}
