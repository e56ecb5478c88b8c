import { Failure } from "../../shared/errors.ts";
import { jsonOf } from "../../shared/json.ts";
import { createStreamParser } from "../../shared/server/stream-parser.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { TurnEvent } from "../../shared/v1/turns.ts";
import type { ReadEvent } from "./event-source.ts";

/**
 * The events of a turn, one on each line, without those that `readEvent` rejects. A last line without LF counts only when
 * the body itself ended well. A line that is no JSON was cut, even if the connection ended well.
 *
 * @throws Failure not_confirmed beyond a limit, on a cut line or on bytes that are not UTF-8; whatever the body throws when the
 * connection breaks
 */
export async function* readTurnEvents(
  body: AsyncIterable<Uint8Array>,
  conversationId: string,
  readEvent: ReadEvent,
): AsyncGenerator<TurnEvent> {
  const reader = {
    take(line: string): TurnEvent[] {
      if (line.trim() === "") return [];
      if (jsonOf(line) === undefined) throw reader.malformed("cut");
      const event = readEvent(TurnEvent, line, conversationId);
      return event ? [event] : [];
    },
    end: () => [],
    malformed: (is: string) => new Failure("not_confirmed", { cause: `a turn's stream is ${is}` }),
  };
  const parser = createStreamParser("lines", reader, TURN_STREAM);
  for await (const chunk of body) yield* parser.feed(chunk);
  yield* parser.end();
}
