import { createParser } from "eventsource-parser";
import { jsonOf } from "../../../shared/json.ts";
import type { AgentEvent } from "../agent.ts";
import { ReplyFault } from "./reply-fault.ts";
import type { ReplyReader } from "./reply-reader.ts";

/** The longest line, in characters. */
const MAX_LINE = 512 * 1024;
/** The longest answer, in bytes. */
const MAX_REPLY = 4 * 1024 * 1024;

export interface ReplyParser {
  /** Yields what came before a fault, too. @throws ReplyFault */
  feed(bytes: Uint8Array): Generator<AgentEvent>;
  end(): Generator<AgentEvent>;
}

/** Reads the bytes of an answer: lines of JSON, or Server-Sent Events. */
export function createReplyParser(form: "lines" | "events", reader: ReplyReader): ReplyParser {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let ready: AgentEvent[] = [];
  let size = 0;
  let rest = "";
  const take = (text: string) => {
    if (text.trim() === "") return;
    const value = jsonOf(text);
    if (value === undefined)
      throw new ReplyFault("agent_malformed", "The agent sent something that is not JSON.");
    ready.push(...reader.take(value));
  };
  const events = createParser({
    maxBufferSize: MAX_LINE,
    onEvent: ({ data }) => take(data),
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") throw tooLong();
    },
  });
  const feedLines = (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE) throw tooLong();
    for (const line of lines) take(line);
  };
  const handOver = function* (read: () => void) {
    let fault: unknown;
    try {
      read();
    } catch (error) {
      fault = error;
    }
    const all = ready;
    ready = [];
    yield* all;
    if (fault !== undefined) throw fault;
  };
  return {
    feed: (bytes) =>
      handOver(() => {
        size += bytes.length;
        if (size > MAX_REPLY) throw tooLong();
        const text = decode(() => decoder.decode(bytes, { stream: true }));
        if (form === "lines") feedLines(text);
        else events.feed(text);
      }),
    end: () =>
      handOver(() => {
        decode(() => decoder.decode());
        // The last line may lack its end; half of one is no JSON.
        take(rest);
        ready.push(...reader.end());
      }),
  };
}

function tooLong(): ReplyFault {
  return new ReplyFault("agent_malformed", "The agent's answer is too long.");
}

function decode(text: () => string): string {
  try {
    return text();
  } catch (cause) {
    throw new ReplyFault("agent_malformed", "The agent's answer is not UTF-8.", cause);
  }
}
