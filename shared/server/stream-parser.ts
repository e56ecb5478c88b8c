import { createParser } from "eventsource-parser";

/**
 * The longest line and the whole answer with its framing, in bytes. An event may have as many characters as a line has
 * bytes.
 */
export interface StreamLimits {
  readonly lineBytes: number;
  readonly totalBytes: number;
}

/** Far more than an agent puts into one line, or into one answer. */
const USUAL: StreamLimits = { lineBytes: 512 * 1024, totalBytes: 4 * 1024 * 1024 };

export interface StreamParser<E> {
  /** Yields what came before a fault, too, because it may have been shown. @throws the reader's own fault */
  feed(bytes: Uint8Array): Generator<E>;
  /** Handles the end of the connection. @throws the reader's own fault when the answer is not whole */
  end(): Generator<E>;
}

/** Gives a meaning to the pieces of one answer. */
export interface PieceReader<E> {
  /** Takes the text of one line, event or document; `name` is that of an event. @throws its own fault */
  take(text: string, name?: string): readonly E[];
  /** The rest of a whole answer. @throws its own fault when the answer was cut off */
  end(): readonly E[];
  /** The fault of a stream that breaks its form; `is` follows "The answer is". */
  malformed(is: "too long" | "not UTF-8", cause?: unknown): Error;
}

/** Reads the bytes of an answer: lines, Server-Sent Events, or one document that is whole at the end. */
export function createStreamParser<E>(
  form: "lines" | "events" | "document",
  reader: PieceReader<E>,
  { lineBytes, totalBytes }: StreamLimits = USUAL,
): StreamParser<E> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let ready: E[] = [];
  let size = 0;
  /** The line or document that is not whole yet. */
  let rest = "";
  const take = (text: string, name?: string) => ready.push(...reader.take(text, name));
  const events = createParser({
    maxBufferSize: lineBytes,
    onEvent: ({ data, event }) => take(data, event),
    onError({ type }) {
      if (type === "max-buffer-size-exceeded") throw reader.malformed("too long");
    },
  });
  const requireShort = (line: string) => {
    if (Buffer.byteLength(line) > lineBytes) throw reader.malformed("too long");
  };
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw reader.malformed("not UTF-8", cause);
    }
  };
  const handOver = function* (read: () => void) {
    let fault: unknown;
    try {
      read();
    } catch (error) {
      fault = error;
    }
    const all = ready;
    ready = [];
    yield* all;
    if (fault !== undefined) throw fault;
  };
  return {
    feed: (bytes) =>
      handOver(() => {
        size += bytes.length;
        if (size > totalBytes) throw reader.malformed("too long");
        const text = decode(bytes);
        if (form === "events") return events.feed(text);
        rest += text;
        if (form === "document") return;
        const lines = rest.split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          requireShort(line);
          take(line);
        }
        requireShort(rest);
      }),
    end: () =>
      handOver(() => {
        decode();
        // The last line may lack its end; half of one is no JSON.
        if (form !== "events") take(rest);
        ready.push(...reader.end());
      }),
  };
}
