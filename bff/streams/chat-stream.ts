import type { ServerResponse } from "node:http";
import type { ControlEvent, FeedEvent } from "../../shared/event.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** A client that is this far behind is disconnected, and resumes after the last event that it has. */
export const MAX_BUFFERED_BYTES = 256 * 1024;

/** Gaps in the numbering that late events may still fill. A service numbers without gaps, so there are usually none. */
const MAX_OPEN_PLACES = 1000;

const HEARTBEAT = Buffer.from(":\n\n");

export type StreamWatch = Pick<Metrics, "streamReset" | "duplicateSuppressed">;

/** Node's own response. A `Response` with a `ReadableStream` takes 5 kB more for each open stream. */
export type Outgoing = Pick<
  ServerResponse,
  "writeHead" | "flushHeaders" | "write" | "end" | "destroy" | "destroyed" | "writableLength"
> & { on(name: "close", listener: () => void): unknown };

/**
 * Writes events as `id: EPOCH:SEQ` and one line of JSON; JSON escapes line ends, so no text can break the format.
 * `onClosed` runs once, no matter which side ended the stream. This is a class, because there are thousands of streams
 * and each closure takes 56 bytes.
 */
export class ChatStream {
  readonly #outgoing: Outgoing;
  readonly #epoch: string;
  readonly #watch: StreamWatch;
  readonly #onClosed: () => void;
  #lastSeq: number;
  #openPlaces: Set<number> | undefined;
  #isClosed = false;

  constructor(options: {
    outgoing: Outgoing;
    headers: Readonly<Record<string, string>>;
    epoch: string;
    after: number;
    watch: StreamWatch;
    onClosed: () => void;
  }) {
    const { outgoing, headers } = options;
    this.#outgoing = outgoing;
    this.#epoch = options.epoch;
    this.#watch = options.watch;
    this.#onClosed = options.onClosed;
    this.#lastSeq = options.after;
    outgoing.on("close", () => this.#end());
    outgoing.writeHead(200, headers);
    outgoing.flushHeaders();
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Highest seq of a durable event that was sent. */
  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** Sends an event once: drops repeated ones, and still sends one that arrives after a later one. */
  send(event: FeedEvent | ControlEvent): void {
    if (event.type === "reset") this.#watch.streamReset(event.reason);
    if (!("seq" in event)) {
      this.#write(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
      return;
    }
    if (event.seq <= this.#lastSeq && !this.#openPlaces?.delete(event.seq)) {
      this.#watch.duplicateSuppressed();
      return;
    }
    this.#noteGap(event.seq);
    this.#lastSeq = Math.max(this.#lastSeq, event.seq);
    this.#write(Buffer.from(`id: ${this.#epoch}:${this.#lastSeq}\ndata: ${JSON.stringify(event)}\n\n`));
  }

  heartbeat(): void {
    this.#write(HEARTBEAT);
  }

  /** Ends the stream after the buffered data; the client reconnects with its position. */
  close(): void {
    this.#end("end");
  }

  #noteGap(seq: number): void {
    for (let missing = this.#lastSeq + 1; missing < seq; missing += 1) {
      this.#openPlaces ??= new Set();
      if (this.#openPlaces.size >= MAX_OPEN_PLACES) return;
      this.#openPlaces.add(missing);
    }
  }

  #write(bytes: Buffer): void {
    if (this.#isClosed) return;
    if (bytes.byteLength > MAX_BUFFERED_BYTES) {
      // Too large for any client's buffer: it is the last event of this stream, and the client resumes after it.
      this.#outgoing.write(bytes);
      this.#end("end");
    } else if (this.#outgoing.writableLength + bytes.byteLength > MAX_BUFFERED_BYTES) this.#end("destroy");
    else this.#outgoing.write(bytes);
  }

  #end(how?: "end" | "destroy"): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (how) this.#outgoing[how]();
    this.#onClosed();
  }
}

const POSITION = /^([A-Za-z0-9_-]{1,64}):(0|[1-9]\d{0,14})$/;

/** Parses `EPOCH:SEQ`, the last event that a client has; undefined for any other form. */
export function parsePosition(lastEventId: string) {
  const [, epoch, seq] = lastEventId.match(POSITION) ?? [];
  return epoch === undefined || seq === undefined ? undefined : { epoch, seq: Number(seq) };
}
