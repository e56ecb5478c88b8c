import type { FakeService } from "../../service/testing/fake/fake-service.ts";

/** One event stream that the BFF opened at the service. */
export interface EventLine {
  /** The `last-event-id` with which it was opened. */
  readonly after: string | undefined;
  /** Whether the BFF ended it. */
  readonly isCancelled: boolean;
  send(data: string | Uint8Array): void;
  end(): void;
  cut(): void;
}

/** Lets a test write the service's event streams. */
export function withEventLines(service: FakeService): EventLine[] {
  const lines: EventLine[] = [];
  service.answer("events", ({ headers }) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (made) => {
        controller = made;
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    lines.push({
      after: headers["last-event-id"],
      get isCancelled() {
        return isCancelled;
      },
      send: (data) => controller?.enqueue(Buffer.from(data)),
      end: () => controller?.close(),
      cut: () => controller?.error(new Error("reset")),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  return lines;
}

/** A message of the log as the service writes it on its stream. */
export function messageEvent(seq: number, body = `message ${seq}`, more: object = {}): string {
  const at = "2026-11-21T12:00:00.000Z";
  const message = { id: `m${seq}`, seq, role: "agent", body, at, ...more };
  return `id: ${seq}\ndata: ${JSON.stringify({ type: "message.created", seq, at, message, ...more })}\n\n`;
}
