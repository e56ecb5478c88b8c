/** A reader with a larger backlog is disconnected; it resumes from the last event that it has. */
const MAX_BACKLOG_BYTES = 256 * 1024;
/** While the backlog is larger, a replay waits for the reader. */
const CALM_BACKLOG_BYTES = 64 * 1024;

export interface ByteQueue {
  readonly stream: ReadableStream<Uint8Array>;
  /** Sends bytes to the reader, or queues them. Does nothing after the end. */
  push(bytes: Uint8Array): void;
  /** Resolves when a slow reader has caught up enough, or has left; undefined when it is not slow. */
  calm(): Promise<void> | undefined;
  /** Ends the stream after the queued bytes. */
  end(): void;
}

/** A byte stream that is fed from outside and never blocks the writer. `onEnd` is called once, however it ends. */
export function createByteQueue(onEnd: () => void): ByteQueue {
  let backlog: Uint8Array[] = [];
  let size = 0;
  let wanted = false;
  let state: "open" | "ending" | "ended" = "open";
  let control: ReadableStreamDefaultController<Uint8Array> | undefined;
  const calmed: (() => void)[] = [];

  const finish = () => {
    if (state === "ended") return;
    state = "ended";
    backlog = [];
    size = 0;
    for (const tell of calmed.splice(0)) tell();
    onEnd();
  };
  const hand = () => {
    if (size > 0) {
      wanted = false;
      control?.enqueue(Buffer.concat(backlog, size));
      backlog = [];
      size = 0;
      for (const tell of calmed.splice(0)) tell();
    }
    if (state === "ending") {
      control?.close();
      finish();
    }
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        control = controller;
      },
      pull() {
        wanted = true;
        hand();
      },
      cancel: finish,
    },
    { highWaterMark: 0 },
  );
  return {
    stream,
    push(bytes) {
      if (state !== "open") return;
      backlog.push(bytes);
      size += bytes.length;
      if (wanted) hand();
      else if (size > MAX_BACKLOG_BYTES) {
        control?.close();
        finish();
      }
    },
    calm: () =>
      state === "ended" || size <= CALM_BACKLOG_BYTES
        ? undefined
        : new Promise((resolve) => calmed.push(resolve)),
    end() {
      if (state !== "open") return;
      state = "ending";
      if (wanted || size === 0) hand();
    },
  };
}
