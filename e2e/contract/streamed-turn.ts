import { createReadEvent } from "../../bff/upstream/event-source.ts";
import { readTurnEvents } from "../../bff/upstream/turn-stream.ts";
import { verifyTaken } from "../../bff/upstream/verified.ts";
import { Failure } from "../../shared/errors.ts";
import type { RequestOf } from "../../shared/operation.ts";
import { SILENT_LOG } from "../../shared/server/log.ts";
import { NDJSON, sendTurn, type TurnEvent } from "../../shared/v1/turns.ts";
import type { Client } from "./client.ts";

/** The events that begin or finish an answer. */
const ANSWER_EVENTS: ReadonlySet<TurnEvent["type"]> = new Set([
  "response.delta",
  "response.snapshot",
  "response.completed",
  "error",
]);

/**
 * Sends a turn whose answer may stream, and reads it as a BFF does: some event confirms the message, and each answer that
 * begins is completed or ends with an error.
 *
 * @throws ContractError
 */
export async function sendStreamedTurn(
  client: Client,
  at: { readonly token: string; readonly id: string },
  turn: RequestOf<typeof sendTurn>,
): Promise<void> {
  const response = await client.open(sendTurn, { ...at, body: turn, headers: { accept: NDJSON } });
  // The answer came in the other form, and was verified.
  if (!response) return;
  const sent = { params: { id: at.id }, request: turn };
  const events: TurnEvent[] = [];
  let isTaken = false;
  const readEvent = createReadEvent(SILENT_LOG);
  try {
    for await (const event of readTurnEvents(response.body ?? new ReadableStream(), at.id, readEvent)) {
      isTaken ||= verifyTaken(event, sent) !== undefined;
      events.push(event);
    }
  } catch (error) {
    const why = error instanceof Failure ? error.cause : "the connection broke";
    client.reject(sendTurn, events, `a BFF does not read its stream to the end (${String(why)}).`);
  }
  if (!isTaken) client.reject(sendTurn, events, "no event of its stream confirms the message.");
  const last = events.findLast(({ type }) => ANSWER_EVENTS.has(type))?.type;
  if (last === "response.delta" || last === "response.snapshot")
    client.reject(sendTurn, events, "an answer of its stream began and was not completed.");
}
