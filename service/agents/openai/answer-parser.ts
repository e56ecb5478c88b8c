import { jsonOf } from "../../../shared/json.ts";
import { createStreamParser, type StreamParser } from "../../../shared/server/stream-parser.ts";
import type { Dialect, ModelEvent } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";

export interface AnswerParser extends StreamParser<ModelEvent> {
  /** Whether the protocol's own end has come: then the answer does not wait for the end of the connection. */
  isOver(): boolean;
}

/**
 * Reads the bytes of one answer: Server-Sent Events, or one JSON document from a server that does not stream. Only the
 * protocol's own end makes an answer whole, never the end of the connection. The parser throws a `ModelFault`.
 */
export function createAnswerParser(dialect: Dialect, isJson: boolean): AnswerParser {
  const reader = dialect.reader();
  const parser = createStreamParser<ModelEvent>(isJson ? "document" : "events", {
    take(text, name) {
      if (text.trim() === "[DONE]") {
        reader.done();
        return [];
      }
      const value = jsonOf(text);
      if (value === undefined)
        throw new ModelFault("model_malformed", "The model sent an event that is not JSON.");
      const events = reader.take(value, name);
      if (isJson) reader.done();
      return events;
    },
    end: () => reader.end(),
    malformed: (is, cause) => new ModelFault("model_malformed", `The model's answer is ${is}.`, { cause }),
  });
  return { ...parser, isOver: () => reader.isOver() };
}
