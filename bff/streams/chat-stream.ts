import type { ControlEvent, FeedEvent } from "../../shared/event.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** A client that is this far behind is disconnected, and resumes after the last event that it has. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

/** Gaps in the numbering that late events may still fill. A service numbers without gaps, so there are usually none. */
const MAX_OPEN_PLACES = 1000;

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(":\n\n");

export type StreamWatch = Pick<Metrics, "streamReset" | "duplicateSuppressed">;

export type ChatStream = ReturnType<typeof createChatStream>;

/**
 * Writes events as `id: EPOCH:SEQ` and one line of JSON; JSON escapes line ends, so no text can break the format.
 * `onClosed` runs once, whichever side ended the stream.
 */
export function createChatStream(options: {
  epoch: string;
  after: number;
  watch: StreamWatch;
  onClosed: () => void;
}) {
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
    /** Highest seq of a durable event that was sent. */
    get lastSeq() {
      return lastSeq;
    },
    /** Sends an event once: drops repeated ones, and still sends one that arrives after a later one. */
    send(event: FeedEvent): void {
      if (!("seq" in event)) {
        write(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
        return;
      }
      if (event.seq <= lastSeq && !openPlaces.delete(event.seq)) {
        watch.duplicateSuppressed();
        return;
      }
      for (let seq = lastSeq + 1; seq < event.seq && openPlaces.size < MAX_OPEN_PLACES; seq += 1)
        openPlaces.add(seq);
      lastSeq = Math.max(lastSeq, event.seq);
      write(encoder.encode(`id: ${epoch}:${lastSeq}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    sendControl(event: ControlEvent): void {
      if (event.type === "reset") watch.streamReset(event.reason);
      write(encoder.encode(`data: ${JSON.stringify(event)}\n\n`));
    },
    heartbeat: () => write(HEARTBEAT),
    /** Ends the stream after the buffered data; the client reconnects with its position. */
    close: () => end((body) => body.close()),
  };
}

const POSITION = /^([A-Za-z0-9_-]{1,64}):(0|[1-9]\d{0,14})$/;

/** Parses `EPOCH:SEQ`, the last event that a client has; undefined for any other form. */
export function parsePosition(
  lastEventId: string,
): { readonly epoch: string; readonly seq: number } | undefined {
  const [, epoch, seq] = lastEventId.match(POSITION) ?? [];
  return epoch === undefined || seq === undefined ? undefined : { epoch, seq: Number(seq) };
}
