import type { Sent } from "../../shared/operation.ts";
import { isWithin } from "../../shared/v1/echo.ts";
import { TURN_STREAM } from "../../shared/v1/limits.ts";
import { NDJSON, type sendTurn, TurnEvent } from "../../shared/v1/turns.ts";
import type { OpenStream } from "./client.ts";
import { readLines } from "./line-reader.ts";

/** What a turn without files sends. */
export function turnOf(
  conversationId: string,
  { clientMessageId, body }: { readonly clientMessageId: string; readonly body: string },
): Sent<typeof sendTurn> {
  const request = { clientMessageId, content: { body, format: "plain" as const }, attachments: [] };
  return { params: { id: conversationId }, request };
}

export function isTurnStream({ mediaType }: Pick<OpenStream, "mediaType">): boolean {
  return mediaType === NDJSON;
}

/**
 * The events of a turn's stream: one of an unknown type, not of its type's form, or of another conversation is skipped and reported to `onUnknown`. Throws as `readLines`.
 */
export async function* readTurnEvents(
  body: AsyncIterable<Uint8Array>,
  conversationId: string,
  onUnknown: () => void,
): AsyncGenerator<TurnEvent> {
  for await (const line of readLines(body, TURN_STREAM)) {
    const event = parseTurnEvent(line, conversationId);
    if (event) yield event;
    else onUnknown();
  }
}

function parseTurnEvent(line: string, conversationId: string): TurnEvent | undefined {
  try {
    const said: unknown = JSON.parse(line);
    const parsed = TurnEvent.safeParse(said);
    return parsed.success && isWithin(said, conversationId) ? parsed.data : undefined;
  } catch {
    // Not JSON: the caller counts it as unknown.
    return undefined;
  }
}
