import type { FakeService } from "../../service/testing/fake/fake-service.ts";
import type { Sent } from "../../shared/operation.ts";
import type { sendTurn } from "../../shared/v1/turns.ts";

/** What a turn without files sends. */
export function turnOf(
  conversationId: string,
  { clientMessageId, body }: { readonly clientMessageId: string; readonly body: string },
): Sent<typeof sendTurn> {
  const request = { clientMessageId, content: { body, format: "plain" as const }, attachments: [] };
  return { params: { id: conversationId }, request };
}

/** One turn's stream that the BFF opened at the service; the test writes it. */
export interface TurnLine {
  readonly clientMessageId: string;
  readonly accept: string | undefined;
  /** Whether the BFF ended it. */
  readonly isCancelled: boolean;
  send(...events: readonly object[]): void;
  write(bytes: string | Uint8Array): void;
  end(): void;
  cut(): void;
}

/** Lets a test write the turns of a service that has no events (`kind: "turns"`). */
export function withTurnLines(service: FakeService): TurnLine[] {
  const lines: TurnLine[] = [];
  service.answer("turns", ({ headers, body: sent }) => {
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
    const write = (bytes: string | Uint8Array) => controller?.enqueue(Buffer.from(bytes));
    lines.push({
      clientMessageId: String((sent as { clientMessageId: unknown }).clientMessageId),
      accept: headers["accept"],
      get isCancelled() {
        return isCancelled;
      },
      send: (...events) => write(events.map((event) => `${JSON.stringify(event)}\n`).join("")),
      write,
      end: () => controller?.close(),
      cut: () => controller?.error(new Error("reset")),
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson; charset=utf-8" } });
  });
  return lines;
}

export const delta = (text: string, messageId = "r1") => ({ type: "response.delta", messageId, delta: text });
export const completed = (body: string, messageId = "r1") => ({
  type: "response.completed",
  messageId,
  content: { body, format: "plain" },
});
