import { mediaTypeOf, retryAfterOf, type Transport } from "./transport.ts";

/** An app that answers requests in this process: the embedded service, or a test's. `env` describes the connection. */
export interface FetchApp {
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
}

/** Never resolved by DNS; the embedded service sees it as its host. */
const INTERNAL_ORIGIN = "http://service.internal";

/** Tells the service that nothing can cut this connection, so its event streams need no heartbeat. */
const IN_PROCESS = { isInProcess: true } as const;

/**
 * Calls an app in this process by the same HTTP contract, without a socket. With `isQuiet` its event streams send no
 * heartbeats, and silence is no fault; without it a test's app is watched as a service elsewhere is.
 */
export function createFetchTransport(service: FetchApp, { isQuiet = false } = {}): Transport {
  return {
    async request({ method, path, headers, body, signal }) {
      signal.throwIfAborted();
      const request = new Request(INTERNAL_ORIGIN + path, {
        method,
        headers: { ...headers },
        signal,
        ...(body === undefined
          ? {}
          : typeof body === "string"
            ? { body }
            : { body: streamOf(body), duplex: "half" }),
      });
      const answering = Promise.resolve(
        isQuiet ? service.fetch(request, IN_PROCESS) : service.fetch(request),
      );
      const response = await untilAborted(answering, signal).catch((error: unknown) => {
        // The answer may still come, and nobody will read it.
        answering.then(({ body: late }) => late?.cancel()).catch(() => undefined);
        throw error;
      });
      const reader = response.body?.getReader();
      const leave = () => void reader?.cancel().catch(() => undefined);
      // Also while nobody is reading: what the service holds open for this answer is let go.
      signal.addEventListener("abort", leave, { once: true });
      return {
        status: response.status,
        mediaType: mediaTypeOf(response.headers.get("content-type")),
        retryAfter: retryAfterOf(response.headers.get("retry-after")),
        isInProcess: isQuiet,
        date: response.headers.get("date") ?? undefined,
        body: readChunks(reader, signal),
        discard: leave,
      };
    },
    close: () => Promise.resolve(),
  };
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends the wait on abort: an app in this process need not watch the signal. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function* readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    // After an end this does nothing; after an early return it tells the app that nobody reads on.
    reader.cancel().catch(() => undefined);
  }
}
