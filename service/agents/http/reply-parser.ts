import { jsonOf } from "../../../shared/json.ts";
import { createStreamParser, type StreamParser } from "../../../shared/server/stream-parser.ts";
import type { AgentEvent } from "../agent.ts";
import { ReplyFault } from "./reply-fault.ts";
import type { ReplyReader } from "./reply-reader.ts";

/** Reads the bytes of an answer: lines of JSON, or Server-Sent Events. The parser throws a `ReplyFault`. */
export function createReplyParser(form: "lines" | "events", reader: ReplyReader): StreamParser<AgentEvent> {
  return createStreamParser(form, {
    take(text) {
      // An agent sends an empty line to say that it is still at work.
      if (reader.isOver() || text.trim() === "") return [];
      const value = jsonOf(text);
      if (value === undefined)
        throw new ReplyFault("agent_malformed", "The agent sent something that is not JSON.");
      return reader.take(value);
    },
    end: () => reader.end(),
    malformed: (is, cause) => new ReplyFault("agent_malformed", `The agent's answer is ${is}.`, cause),
  });
}
