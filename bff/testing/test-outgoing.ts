import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { MAX_BUFFERED_BYTES, type Outgoing } from "../streams/chat-stream.ts";

/** Node's response as the server passes it on, without a socket: what is written to it becomes the body of `answer`. */
export function createTestOutgoing() {
  let answer = RESPONSE_ALREADY_SENT;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isDestroyed = false;
  const onClose: (() => void)[] = [];
  const close = () => {
    isDestroyed = true;
    for (const tell of onClose.splice(0)) tell();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (made) => {
        controller = made;
      },
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
  );
  const outgoing = {
    writeHead(status: number, headers: Record<string, string>) {
      answer = new Response(body, { status, headers });
    },
    flushHeaders: () => undefined,
    write: (bytes: Uint8Array) => controller?.enqueue(bytes),
    end() {
      controller?.close();
      close();
    },
    destroy() {
      controller?.error(new Error("the connection was destroyed"));
      close();
    },
    get destroyed() {
      return isDestroyed;
    },
    get writableLength() {
      return MAX_BUFFERED_BYTES - (controller?.desiredSize ?? 0);
    },
    on: (_: "close", listener: () => void) => onClose.push(listener),
  };
  return {
    outgoing: outgoing as unknown as Outgoing,
    /** The answer to a request: what was written, where the app says that it has answered. */
    answerOf: (given: Response) => (given === RESPONSE_ALREADY_SENT ? answer : given),
  };
}
