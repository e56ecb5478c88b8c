/**
 * The faults of a network connection, like Toxiproxy's eight toxics. Times are milliseconds. `down` affects the address
 * as a whole and is part of the proxy itself.
 */
export type Toxic =
  | { readonly type: "latency"; readonly latency: number; readonly jitter: number }
  /** Bytes a second. */
  | { readonly type: "bandwidth"; readonly rate: number }
  | { readonly type: "slow_close"; readonly delay: number }
  /**
   * Nothing gets through; the connection is closed after `timeout`, or never: then it stays half-open after the toxic
   * is removed.
   */
  | { readonly type: "timeout"; readonly timeout: number | "never" }
  | { readonly type: "reset_peer"; readonly timeout: number }
  | { readonly type: "slicer"; readonly size: number; readonly delay: number }
  /** The connection is closed after this many bytes of this direction. */
  | { readonly type: "limit_data"; readonly bytes: number };

/** `up`: from the client. `down`: to the client. */
export type Direction = "up" | "down";

export interface PipeDeps {
  /** The current toxic of this direction. */
  readonly toxic: () => Toxic | undefined;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Ends the receiving side in the same way as the sender ended. */
  readonly end: () => void;
  readonly closeBoth: () => void;
  readonly resetBoth: () => void;
}

export interface Pipe {
  /** Resolves when the bytes were forwarded or swallowed. */
  readonly carry: (bytes: Uint8Array) => Promise<void>;
  readonly finish: () => Promise<void>;
  /** Applies a toxic that affects a connection without waiting for its bytes. */
  readonly onToxic: () => void;
  /** Whether bytes were swallowed: then the receiver must not even learn that the sender left. */
  readonly isSilent: () => boolean;
  readonly dispose: () => void;
}

const BANDWIDTH_SLICE_MS = 50;

/** One direction of one connection. */
export function createPipe(deps: PipeDeps): Pipe {
  const timers = new Set<NodeJS.Timeout>();
  let carried = 0;
  let isSilent = false;
  let isDisposed = false;

  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isDisposed) run();
    }, ms);
    timers.add(timer);
  };
  const wait = (ms: number) => new Promise<void>((resolve) => after(ms, resolve));

  const slices = async (bytes: Uint8Array, size: number, ms: number) => {
    for (let at = 0; at < bytes.length && !isDisposed; at += size) {
      await deps.write(bytes.subarray(at, at + size));
      if (ms > 0) await wait(ms);
    }
  };
  const limited = async (bytes: Uint8Array, limit: number) => {
    const left = Math.max(0, limit - carried);
    carried += bytes.length;
    if (left > 0) await deps.write(bytes.subarray(0, left));
    if (bytes.length >= left) deps.closeBoth();
  };

  return {
    async carry(bytes) {
      const toxic = deps.toxic();
      // Once bytes are swallowed, what follows would be torn, so a half-open connection stays half-open.
      if (isSilent || toxic?.type === "timeout") {
        isSilent = true;
        return;
      }
      if (toxic?.type === "limit_data") return limited(bytes, toxic.bytes);
      carried += bytes.length;
      if (toxic?.type === "latency")
        await wait(Math.max(0, toxic.latency + (deps.random() * 2 - 1) * toxic.jitter));
      if (toxic?.type === "slicer") return slices(bytes, toxic.size, toxic.delay);
      if (toxic?.type === "bandwidth") {
        return slices(
          bytes,
          Math.max(1, Math.ceil((toxic.rate * BANDWIDTH_SLICE_MS) / 1000)),
          BANDWIDTH_SLICE_MS,
        );
      }
      return deps.write(bytes);
    },
    async finish() {
      const toxic = deps.toxic();
      isSilent = isSilent || toxic?.type === "timeout";
      if (isSilent) return;
      if (toxic?.type === "slow_close") await wait(toxic.delay);
      deps.end();
    },
    onToxic() {
      const toxic = deps.toxic();
      if (toxic?.type === "reset_peer") after(toxic.timeout, deps.resetBoth);
      if (toxic?.type === "timeout" && toxic.timeout !== "never") after(toxic.timeout, deps.closeBoth);
      if (toxic?.type === "limit_data" && carried >= toxic.bytes) deps.closeBoth();
    },
    isSilent: () => isSilent,
    dispose() {
      isDisposed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
