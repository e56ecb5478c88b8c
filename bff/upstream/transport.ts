import { Failure } from "../../shared/errors.ts";

/** One request to the service. All of its headers are ours; none of a client's headers gets in. */
export interface UpstreamRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Path and query below the service's base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text, or a file as it comes. */
  readonly body?: string | AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  /** True for an event stream, which stays open and must not use a connection for calls. */
  readonly stream: boolean;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** `content-type` in lower case, without parameters; empty where there is none. */
  readonly mediaType: string;
  /** `retry-after` in whole seconds, where it is a number. */
  readonly retryAfter: number | undefined;
  /** `date` as it came: the service's clock. */
  readonly date?: string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
  /** Set where no connection can break unnoticed: silence then says nothing. */
  readonly isInProcess?: boolean;
  /** Drops an answer whose body is of no interest, with its connection if need be. */
  discard(): void;
}

/**
 * The way to the service: a connection pool, or the embedded service's own `fetch`. Follows no redirect and stores no
 * cookies. Rejects when there is no answer; `failure.ts` says what its errors mean.
 */
export interface Transport {
  request(request: UpstreamRequest): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

/** Media type of a `content-type` value. */
export function mediaTypeOf(header: string | undefined | null): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json$/;

/** Whether a media type, as `mediaTypeOf` gives it, says that the body is JSON. */
export function isJsonType(mediaType: string): boolean {
  return JSON_TYPE.test(mediaType);
}

/** Seconds of a `retry-after` value; dates and nonsense give undefined, more than an hour is cut. */
export function retryAfterOf(header: string | undefined | null): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Math.min(Number(header), 3600) : undefined;
}

/**
 * Reads a whole body, up to `limit` bytes: an endless answer must not exhaust the memory.
 * @throws Failure `not_confirmed` beyond the limit; whatever the transport throws when the connection breaks
 */
export async function readBounded(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  let first: Uint8Array | undefined;
  let rest: Uint8Array[] | undefined;
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit)
      throw new Failure("not_confirmed", { cause: `the answer is larger than ${limit} bytes` });
    if (first === undefined) {
      first = chunk;
    } else {
      rest ??= [first];
      rest.push(chunk);
    }
  }
  if (rest !== undefined) return Buffer.concat(rest, size);
  return first ?? new Uint8Array();
}
