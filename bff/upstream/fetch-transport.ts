import { ReadableStream as NodeStream } from "node:stream/web";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import {
  mediaTypeOf,
  readBounded,
  retryAfterOf,
  type Transport,
  type UpstreamAnswer,
  type UpstreamRequest,
} from "./transport.ts";

/** An app that answers requests in this process: the embedded service, or a test's. `env` describes the connection. */
export interface FetchApp {
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
}

/** Never resolved by DNS; the embedded service sees it as its host. */
const INTERNAL_ORIGIN = "http://service.internal";
const encoder = new TextEncoder();

const LARGE_CHUNK_BYTES = 16 * 1024;

/**
 * Calls an app in this process with the same HTTP contract, without a socket. With `isQuiet` its event streams send no
 * heartbeats, and silence is not a fault; without it a test's app is monitored like a remote service.
 */
export function createFetchTransport(service: FetchApp, { isQuiet = false } = {}): Transport {
  async function open(asked: UpstreamRequest): Promise<UpstreamAnswer> {
    const { signal } = asked;
    signal.throwIfAborted();
    const request = localRequest(asked);
    // Nothing can cut this connection, so the service's event streams need no heartbeat.
    const answering = Promise.resolve(service.fetch(request, isQuiet ? { isInProcess: true } : undefined));
    const response = await untilAborted(answering, signal).catch((error: unknown) => {
      // The answer may still arrive, but nobody will read it.
      answering.then(({ body: late }) => late?.cancel()).catch(() => undefined);
      throw error;
    });
    const reader = response.body?.getReader();
    const leave = () => void reader?.cancel().catch(() => undefined);
    // Also while nobody is reading: releases what the service holds open for this answer.
    signal.addEventListener("abort", leave, { once: true });
    const chunks = readChunks(reader, signal);
    return {
      status: response.status,
      mediaType: mediaTypeOf(response.headers.get("content-type")),
      retryAfter: retryAfterOf(response.headers.get("retry-after"), response.headers.get("date")),
      isInProcess: isQuiet,
      date: response.headers.get("date") ?? undefined,
      body: chunks,
      async each(take) {
        for await (const chunk of chunks) take(chunk);
      },
      read: (limit) => readBounded(chunks, limit),
      discard: leave,
    };
  }
  return { call: open, open, close: () => Promise.resolve() };
}

/** Ends the wait on abort, because an app in this process need not watch the signal. */
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
      const { done, value } = await reader.read();
      // An abort cancels the reader, which then reports an end.
      signal.throwIfAborted();
      if (done) return;
      yield value;
      // As from a socket: otherwise a long replay fills the buffer of its client before the loop can send any of it.
      if (value.byteLength > LARGE_CHUNK_BYTES) await loopTurn();
    }
  } finally {
    // After an end this does nothing; after an early return it tells the app that nobody continues to read.
    reader.cancel().catch(() => undefined);
  }
}

/**
 * A request within this process: what Hono and the service read of one. A whole `Request` makes a stream of a text, and an
 * abort signal that only a full garbage collection frees, at several times the cost of answering it.
 */
function localRequest({ method, path, headers, body }: UpstreamRequest): Request {
  const bytes = typeof body === "string" ? encoder.encode(body) : undefined;
  const sent = new Headers(headers);
  if (bytes) sent.set("content-length", String(bytes.byteLength));
  const request: Pick<Request, "method" | "url" | "headers" | "body" | "arrayBuffer"> = {
    method,
    url: INTERNAL_ORIGIN + path,
    headers: sent,
    get body() {
      if (bytes) return streamOf([bytes]);
      return typeof body === "object" ? streamOf(body) : null;
    },
    arrayBuffer: async () => bytes?.buffer ?? new Response(request.body).arrayBuffer(),
  };
  return request as Request;
}

/** Only the type of Node's own class has `from`; the class is the same. */
const streamOf = (bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) =>
  NodeStream.from(bytes) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>;
