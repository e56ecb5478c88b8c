import { createParser } from "eventsource-parser";
import type * as z from "zod/mini";
import { type FeedEvent, ServiceEvent } from "../../shared/event.ts";
import { jsonOf } from "../../shared/json.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { at, isWithin } from "../../shared/v1/echo.ts";
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
  readonly log: Log;
  readonly readEvent: ReadEvent;
}

const LF = 0x0a;

/** Reads a conversation's Server-Sent Events, without those that `readEvent` rejects and those that are too long. */
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
    let isTooLong = false;
    /** Last characters of an event that is too long. */
    let end = "";
    const parser = createParser({
      maxBufferSize: MAX_EVENT_CHARACTERS,
      onEvent: ({ data }) => {
        const event = this.#deps.readEvent(ServiceEvent, data, this.#conversationId);
        if (event) give(event);
      },
      // Passed over, because another connection would bring the same event again.
      onError: ({ type }) => {
        if (type !== "max-buffer-size-exceeded") return;
        isTooLong = true;
        this.#deps.log.warn({ why: "too long" }, "an event of the service was ignored");
      },
    });
    return (chunk) => {
      // Line by line, because the parser drops the rest of what it was given together with a line that is too long.
      for (const line of decoder.decode(chunk, { stream: true }).split(/(?<=[\r\n])/)) {
        if (!isTooLong) parser.feed(line);
        if (!isTooLong) continue;
        end = (end + line).slice(-2);
        if (!/\n\n|[\r\n]\r/.test(end)) continue;
        isTooLong = false;
        end = "";
        parser.reset();
      }
    };
  }
}

export type ReadEvent = ReturnType<typeof createReadEvent>;

/**
 * Reads one event of the service; returns undefined for what is not JSON, not of the schema's form, or about another
 * conversation. The log names the wrong fields of a known type, once for each type.
 */
export function createReadEvent(log: Log) {
  const warned = new Set<unknown>();
  return <S extends z.ZodMiniType>(schema: S, text: string, conversationId: string) => {
    const said = jsonOf(text);
    if (!isWithin(said, conversationId)) return undefined;
    const { data, error } = schema.safeParse(said);
    const type = at(said, "type");
    const fields = error?.issues.map(({ path }) => path.join(".")).join(", ") ?? "";
    // A service may send types that we don't know.
    if (fields === "" || fields === "type" || warned.has(type)) return data;
    warned.add(type);
    log.warn({ type, why: `schema: ${fields}` }, "an event of the service was ignored");
    return data;
  };
}
