import { Failure } from "../../shared/errors.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { TurnEvent } from "../../shared/v1/turns.ts";
import { parseWithin } from "./event-source.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * The events of a turn. One of an unknown type, of another form or of another conversation is skipped and reported to
 * `onUnknown`. Throws as `readLines`.
 */
export async function* readTurnEvents(
  body: AsyncIterable<Uint8Array>,
  conversationId: string,
  onUnknown: () => void,
): AsyncGenerator<TurnEvent> {
  for await (const line of readLines(body, TURN_STREAM)) {
    const event = parseWithin(TurnEvent, line, conversationId);
    if (event) yield event;
    else onUnknown();
  }
}

/**
 * Reads a body line by line, as UTF-8, up to limits in bytes. Empty lines are skipped and CR before LF is dropped. A last
 * line without LF counts only when the body itself ended well.
 *
 * @throws Failure not_confirmed beyond a limit or on bytes that are not UTF-8; whatever the body throws when the connection breaks
 */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  limits: { readonly lineBytes: number; readonly totalBytes: number },
): AsyncGenerator<string> {
  // In Latin-1 one character is one byte, so a line may be cut and measured anywhere before it is decoded.
  function textOf(line: string): readonly string[] {
    if (line.length > limits.lineBytes) throw unproven("a line is larger than its limit");
    try {
      return [decoder.decode(Buffer.from(line, "latin1")).replace(/\r$/, "")].filter(Boolean);
    } catch {
      throw unproven("bytes that are no UTF-8");
    }
  }
  let rest = "";
  let totalBytes = 0;
  for await (const chunk of body) {
    totalBytes += chunk.byteLength;
    if (totalBytes > limits.totalBytes) throw unproven("the stream is larger than its limit");
    const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* textOf(line);
    if (rest.length > limits.lineBytes) throw unproven("a line is larger than its limit");
  }
  yield* textOf(rest);
}

function unproven(cause: string): Failure {
  return new Failure("not_confirmed", { cause });
}
