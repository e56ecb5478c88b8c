import { createParser } from "eventsource-parser";
import type * as z from "zod/mini";
import { type FeedEvent, ServiceEvent } from "../../shared/event.ts";
import { jsonOf } from "../../shared/json.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { isWithin } from "../../shared/v1/echo.ts";
import type { UpstreamStream } from "./transport.ts";

/** Longest event read, in characters: the longest answer in four-byte characters, escaped, fits with room. */
const MAX_EVENT_CHARACTERS = 512 * 1024;

/** One open stream of events: from the service, or from the log that the BFF stores instead. */
export interface EventSource {
  /** When bytes last arrived, heartbeats included. */
  readonly lastByteAt: number;
  /** Passes on the events as they arrive, until the other side ends the stream; rejects when the connection breaks. */
  read(onEvent: (event: FeedEvent) => void): Promise<void>;
  close(): void;
}

/**
 * Reads a conversation's Server-Sent Events and checks each one. One of an unknown type, of another form or of another
 * conversation is skipped and reported to `onUnknown`.
 */
export function createEventSource(
  stream: UpstreamStream,
  conversationId: string,
  { clock, onUnknown }: { readonly clock: Clock; readonly onUnknown: () => void },
): EventSource {
  let lastByteAt = clock.now();
  return {
    get lastByteAt() {
      return stream.isInProcess ? clock.now() : lastByteAt;
    },
    close: () => stream.discard(),
    async read(give) {
      const decoder = new TextDecoder();
      const parser = createParser({
        maxBufferSize: MAX_EVENT_CHARACTERS,
        onEvent: ({ data }) => {
          const event = parseWithin(ServiceEvent, data, conversationId);
          if (event) give(event);
          else onUnknown();
        },
      });
      for await (const chunk of stream.body) {
        lastByteAt = clock.now();
        parser.feed(decoder.decode(chunk, { stream: true }));
      }
    },
  };
}

/** Undefined for what is not JSON, not of the schema's form, or about another conversation. */
export function parseWithin<S extends z.ZodMiniType>(
  schema: S,
  text: string,
  conversationId: string,
): z.output<S> | undefined {
  const said = jsonOf(text);
  return isWithin(said, conversationId) ? schema.safeParse(said).data : undefined;
}
