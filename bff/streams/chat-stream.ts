import type { ChatEvent, FeedEvent } from "../../shared/event.ts";
import { formatPosition } from "./position.ts";

/** A client that is this far behind is disconnected, and resumes after the last event that it has. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

/** Gaps in the numbering that late events may still fill. A service numbers without gaps, so there are usually none. */
const MAX_OPEN_PLACES = 1000;

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");

/** The event stream to one client. */
export interface ChatStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly isClosed: boolean;
  /** Highest seq of a durable event that was sent. */
  readonly lastSeq: number;
  /** Sends an event once: drops what was sent before, and still sends an event that comes after a later one. */
  send(event: FeedEvent): void;
  sendControl(event: Extract<ChatEvent, { type: "reset" | "drain" }>): void;
  heartbeat(): void;
  /** Ends the stream after what is buffered; the client reconnects with its position. */
  close(): void;
}

/**
 * Writes events as `id: EPOCH:SEQ` and one line of JSON; JSON escapes line ends, so no text can break the format.
 * `onClosed` runs once, whichever side ended the stream.
 */
export function createChatStream(options: {
  epoch: string;
  after: number;
  watch: { streamReset(reason: string): void; duplicateSuppressed(): void };
  onClosed: () => void;
}): ChatStream {
  const { epoch, watch, onClosed } = options;
  let lastSeq = options.after;
  const openPlaces = new Set<number>();
  let isClosed = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  const end = (how: (controller: ReadableStreamDefaultController<Uint8Array>) => void) => {
    if (isClosed) return;
    isClosed = true;
    if (controller) how(controller);
    onClosed();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start: (made) => {
        controller = made;
      },
      cancel: () => end(() => undefined),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_BUFFERED_BYTES }),
  );
  const write = (bytes: Uint8Array) => {
    if (isClosed || !controller) return;
    if ((controller.desiredSize ?? 0) < bytes.byteLength) {
      end((body) => body.error(new Error("the client reads too slowly")));
      return;
    }
    controller.enqueue(bytes);
  };

  return {
    body,
    get isClosed() {
      return isClosed;
    },
    get lastSeq() {
      return lastSeq;
    },
    send(event) {
      if (!("seq" in event)) {
        write(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
        return;
      }
      if (event.seq <= lastSeq && !openPlaces.delete(event.seq)) return watch.duplicateSuppressed();
      for (let seq = lastSeq + 1; seq < event.seq && openPlaces.size < MAX_OPEN_PLACES; seq += 1)
        openPlaces.add(seq);
      lastSeq = Math.max(lastSeq, event.seq);
      write(encoder.encode(`id: ${formatPosition(epoch, lastSeq)}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    sendControl(event) {
      if (event.type === "reset") watch.streamReset(event.reason);
      write(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
    },
    heartbeat: () => write(HEARTBEAT),
    close: () => end((body) => body.close()),
  };
}
