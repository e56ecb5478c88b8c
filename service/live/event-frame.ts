import type { ServiceEvent } from "../../shared/event.ts";

const encoder = new TextEncoder();

/** A comment: it proves that the connection lives, and no reader takes it for an event. */
export const HEARTBEAT_FRAME: Uint8Array = encoder.encode(":\n\n");

/**
 * One event as `text/event-stream`: the seq as its id, and JSON on one line. JSON escapes CR, LF and NUL, and the other
 * line separators of Unicode end no line of this format: no text can begin another event.
 */
export function eventFrame(event: ServiceEvent): Uint8Array {
  const id = "seq" in event ? `id: ${event.seq}\n` : "";
  return encoder.encode(`${id}data: ${JSON.stringify(event)}\n\n`);
}
