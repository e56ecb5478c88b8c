import { sendTurn, TurnEvent } from "../../shared/v1/turns.ts";
import type { OpenStream, StreamForm, UpstreamClient } from "./client.ts";
import { isWithin } from "./echo.ts";
import { readLines } from "./line-reader.ts";

const NDJSON = "application/x-ndjson";

/** A service that has nothing to stream, because a person answers, may say so in the other form. */
const JSON_TYPE = "application/json";

/** The model may think before its first word. */
export const FIRST_SIGN_MS = 20_000;

const TURN_STREAM: StreamForm = {
  accept: NDJSON,
  statuses: [200, 201],
  mediaTypes: [NDJSON, JSON_TYPE],
  headMs: FIRST_SIGN_MS,
};

const LIMITS = { lineBytes: 256 * 1024, totalBytes: 2 * 1024 * 1024 } as const;

/** Sends what the customer wrote and opens the stream of its answer; `signal` ends it. Throws as `UpstreamClient.open`. */
export function openTurn(
  upstream: UpstreamClient,
  turn: { serviceToken: string; conversationId: string; clientMessageId: string; body: string },
  signal: AbortSignal,
): Promise<OpenStream> {
  const { serviceToken, conversationId, clientMessageId, body } = turn;
  const call = {
    operation: sendTurn,
    request: { clientMessageId, content: { body, format: "plain" as const }, attachments: [] },
    sent: { conversationId, clientMessageId },
    serviceToken,
  };
  return upstream.open(call, signal, TURN_STREAM);
}

export function isTurnStream({ mediaType }: Pick<OpenStream, "mediaType">): boolean {
  return mediaType === NDJSON;
}

/**
 * The events of a turn's stream: what is of a type that we do not know, not of its type's form, or names another
 * conversation, is passed over and reported to `onUnknown`. Throws as `readLines`.
 */
export async function* readTurnEvents(
  body: AsyncIterable<Uint8Array>,
  conversationId: string,
  onUnknown: () => void,
): AsyncGenerator<TurnEvent> {
  for await (const line of readLines(body, LIMITS)) {
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
    // Not JSON: nothing that could be shown. The caller counts it.
    return undefined;
  }
}
