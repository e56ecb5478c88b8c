import { createParser } from "eventsource-parser";
import type * as z from "zod/mini";
import { type FeedEvent, ServiceEvent } from "../../shared/event.ts";
import { jsonOf } from "../../shared/json.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { isWithin } from "../../shared/v1/echo.ts";
import type { UpstreamAnswer } from "./transport.ts";

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

interface EventSourceDeps {
  readonly clock: Clock;
  readonly onUnknown: () => void;
}

const LF = 0x0a;

/**
 * Reads a conversation's Server-Sent Events and checks each one. One of an unknown type, of another form or of another
 * conversation is skipped and reported to `onUnknown`.
 */
export class ServiceEventSource implements EventSource {
  readonly #stream: UpstreamAnswer;
  readonly #conversationId: string;
  readonly #deps: EventSourceDeps;
  #lastByteAt: number;
  /** Present while only a part of an event has arrived. A parser holds 2 kB, and most streams are idle. */
  #parse: ((chunk: Uint8Array) => void) | undefined;

  constructor(stream: UpstreamAnswer, conversationId: string, deps: EventSourceDeps) {
    this.#stream = stream;
    this.#conversationId = conversationId;
    this.#deps = deps;
    this.#lastByteAt = deps.clock.now();
  }

  get lastByteAt(): number {
    return this.#stream.isInProcess ? this.#deps.clock.now() : this.#lastByteAt;
  }

  close(): void {
    this.#stream.discard();
  }

  read(give: (event: FeedEvent) => void): Promise<void> {
    return this.#stream.each((chunk) => {
      this.#lastByteAt = this.#deps.clock.now();
      this.#parse ??= this.#newParser(give);
      this.#parse(chunk);
      if (chunk.at(-1) === LF && chunk.at(-2) === LF) this.#parse = undefined;
    });
  }

  #newParser(give: (event: FeedEvent) => void): (chunk: Uint8Array) => void {
    const decoder = new TextDecoder();
    const parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => {
        const event = parseWithin(ServiceEvent, data, this.#conversationId);
        if (event) give(event);
        else this.#deps.onUnknown();
      },
      onError(error) {
        // The connection ends, and the next one asks for what is missing.
        if (error.type === "max-buffer-size-exceeded") throw error;
      },
    });
    return (chunk) => parser.feed(decoder.decode(chunk, { stream: true }));
  }
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
