import type { ServerResponse } from "node:http";
import type { ControlEvent, FeedEvent } from "../../shared/event.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** A client that is this far behind is disconnected, and resumes after the last event that it has. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

/** Gaps in the numbering that late events may still fill. A service numbers without gaps, so there are usually none. */
const MAX_OPEN_PLACES = 1000;

const HEARTBEAT = Buffer.from(":\n\n");

export type StreamWatch = Pick<Metrics, "streamReset" | "duplicateSuppressed">;

export type ChatStream = ReturnType<typeof createChatStream>;

/** Node's own response. A `Response` with a `ReadableStream` takes 5 kB more for each open stream. */
export type Outgoing = Pick<
  ServerResponse,
  "writeHead" | "flushHeaders" | "write" | "end" | "destroy" | "destroyed" | "writableLength"
> & { once(name: "close", listener: () => void): unknown };

/**
 * Writes events as `id: EPOCH:SEQ` and one line of JSON; JSON escapes line ends, so no text can break the format.
 * `onClosed` runs once, whichever side ended the stream.
 */
export function createChatStream(options: {
  outgoing: Outgoing;
  headers: Readonly<Record<string, string>>;
  epoch: string;
  after: number;
  watch: StreamWatch;
  onClosed: () => void;
}) {
  const { outgoing, headers, epoch, watch, onClosed } = options;
  let lastSeq = options.after;
  const openPlaces = new Set<number>();
  let isClosed = false;

  const end = (how: () => void) => {
    if (isClosed) return;
    isClosed = true;
    how();
    onClosed();
  };
  outgoing.once("close", () => end(() => undefined));
  outgoing.writeHead(200, headers);
  outgoing.flushHeaders();
  const write = (bytes: Buffer) => {
    if (isClosed) return;
    if (outgoing.writableLength + bytes.byteLength > MAX_BUFFERED_BYTES) end(() => outgoing.destroy());
    else outgoing.write(bytes);
  };

  return {
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
        write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
        return;
      }
      if (event.seq <= lastSeq && !openPlaces.delete(event.seq)) {
        watch.duplicateSuppressed();
        return;
      }
      for (let seq = lastSeq + 1; seq < event.seq && openPlaces.size < MAX_OPEN_PLACES; seq += 1)
        openPlaces.add(seq);
      lastSeq = Math.max(lastSeq, event.seq);
      write(Buffer.from(`id: ${epoch}:${lastSeq}\ndata: ${JSON.stringify(event)}\n\n`));
    },
    sendControl(event: ControlEvent): void {
      if (event.type === "reset") watch.streamReset(event.reason);
      write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
    },
    heartbeat: () => write(HEARTBEAT),
    /** Ends the stream after the buffered data; the client reconnects with its position. */
    close: () => end(() => outgoing.end()),
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
