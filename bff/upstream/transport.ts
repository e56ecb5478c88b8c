import { Failure } from "../../shared/errors.ts";
import { readUpTo } from "../../shared/server/read-up-to.ts";

/** One request to the service. All of its headers are ours; none of a client's headers gets in. */
export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path and query below the service's base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or a file stream. */
  readonly body?: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** `content-type` in lower case, without parameters; empty if there is none. */
  readonly mediaType: string;
  /** `retry-after` in whole seconds. */
  readonly retryAfter: number | undefined;
  /** `date` as received: the service's clock. */
  readonly date?: string | undefined;
  /**
   * Reads the body, up to `limit` bytes: an endless answer must not exhaust the memory.
   * @throws Failure `not_confirmed` beyond the limit; what a broken connection throws
   */
  read(limit: number): Promise<Uint8Array>;
  /** Discards an unneeded body, with its connection if necessary. */
  discard(): void;
  /** The body as it arrives. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * Gives `take` each chunk of the body as it arrives, until the end; rejects when the connection breaks or `take` throws.
   * Holds less memory than an iterator of `body`, and does not wait for its reader.
   */
  each(take: (chunk: Uint8Array) => void): Promise<void>;
  /** Present if no connection can break unnoticed: then silence means nothing. */
  readonly isInProcess?: boolean;
}

/**
 * The connection to the service: a pool, or the embedded service's own `fetch`. Follows no redirects and stores no
 * cookies. Rejects when there is no answer; `failure.ts` says what its errors mean.
 */
export interface Transport {
  readonly call: (request: UpstreamRequest) => Promise<UpstreamAnswer>;
  /** Opens a stream, which stays open and must not use a connection for calls. */
  readonly open: (request: UpstreamRequest) => Promise<UpstreamAnswer>;
  readonly close: () => Promise<void>;
}

export function mediaTypeOf(header: string | undefined | null): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json$/;

/** Whether a media type, as `mediaTypeOf` returns it, is JSON. */
export function isJsonType(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

/** Seconds of a `retry-after` value, at most an hour; a date counts from the answer's `date`. Undefined if invalid. */
export function retryAfterOf(header: string | undefined | null, date: string | undefined | null) {
  const until = header?.endsWith(" GMT") ? (Date.parse(header) - Date.parse(date ?? "")) / 1000 : Number.NaN;
  const seconds = /^\d{1,6}$/.test(header ?? "") ? Number(header) : until;
  return seconds >= 0 ? Math.min(seconds, 3600) : undefined;
}

/** The failure for an answer with more bytes than its reader accepts. */
export function tooLarge(limit: number): Failure {
  return new Failure("not_confirmed", { cause: `the answer is larger than ${limit} bytes` });
}

/** Reads a whole body from its chunks; as `UpstreamAnswer.read`. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const { bytes, isWhole } = await readUpTo(body, limit);
  if (isWhole) return bytes;
  throw tooLarge(limit);
}
