import { createParser } from "eventsource-parser";
import { jsonOf } from "../../../shared/json.ts";
import type { Dialect, ModelEvent } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";

/** The longest event, in characters; far more than a model puts into one. */
const MAX_EVENT = 1024 * 1024;
/** The longest answer, in bytes, with all its framing. */
const MAX_ANSWER = 8 * 1024 * 1024;

export interface AnswerParser {
  /** Yields what came before a fault, too, because it may have been shown. @throws ModelFault */
  feed(bytes: Uint8Array): Generator<ModelEvent>;
  /** What the end of the connection means. @throws ModelFault when the answer is not whole */
  end(): Generator<ModelEvent>;
}

/**
 * Reads the bytes of one answer: Server-Sent Events, or one JSON document from a server that does not stream. Only the
 * protocol's own end makes an answer whole, never the end of the connection.
 */
export function createAnswerParser(dialect: Dialect, isJson: boolean): AnswerParser {
  const reader = dialect.reader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let ready: ModelEvent[] = [];
  let document = "";
  let size = 0;
  const take = (text: string, name: string | undefined) => {
    if (text.trim() === "[DONE]") return reader.done();
    const value = jsonOf(text);
    if (value === undefined)
      throw new ModelFault("model_malformed", "The model sent an event that is not JSON.");
    ready.push(...reader.take(value, name));
  };
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ data, event }) => take(data, event),
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") throw tooLong();
    },
  });
  const handOver = function* (read: () => void) {
    let fault: unknown;
    try {
      read();
    } catch (error) {
      fault = error;
    }
    const events = ready;
    ready = [];
    yield* events;
    if (fault !== undefined) throw fault;
  };
  return {
    feed: (bytes) =>
      handOver(() => {
        size += bytes.length;
        if (size > MAX_ANSWER) throw tooLong();
        const text = decode(() => decoder.decode(bytes, { stream: true }));
        if (isJson) document += text;
        else parser.feed(text);
      }),
    end: () =>
      handOver(() => {
        decode(() => decoder.decode());
        if (isJson) {
          take(document, undefined);
          reader.done();
        }
        ready.push(...reader.end());
      }),
  };
}

function tooLong(): ModelFault {
  return new ModelFault("model_malformed", "The model's answer is too long.");
}

function decode(text: () => string): string {
  try {
    return text();
  } catch (cause) {
    throw new ModelFault("model_malformed", "The model's answer is not UTF-8.", { cause });
  }
}
