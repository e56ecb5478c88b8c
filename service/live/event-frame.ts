import type { ServiceEvent } from "../../shared/event.ts";

const encoder = new TextEncoder();

/** A comment: it proves that the connection is alive, and readers ignore it. */
export const HEARTBEAT_FRAME: Uint8Array = encoder.encode(":\n\n");

/**
 * Formats one event as `text/event-stream`: the seq as its id, and JSON on one line. JSON escapes CR, LF and NUL, and
 * Unicode's other line separators do not end a line in this format, so no text can start another event.
 */
export function eventFrame(event: ServiceEvent): Uint8Array {
  const id = "seq" in event ? `id: ${event.seq}\n` : "";
  return encoder.encode(`${id}data: ${JSON.stringify(event)}\n\n`);
}
