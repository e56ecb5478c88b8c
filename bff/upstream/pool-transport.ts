import { Readable } from "node:stream";
import { Pool } from "undici";
import { mediaTypeOf, retryAfterOf, type Transport } from "./transport.ts";

/** How long a TCP and TLS connection to the service may take. */
const CONNECT_MS = 2000;

/** More calls at once wait for a free connection. Event streams have a pool of their own without a limit. */
const MAX_CALL_CONNECTIONS = 128;

/** Files have their own connections, so that slow uploads never block a message. */
const MAX_FILE_CONNECTIONS = 64;

/** Not an object stream: chunks may be cut and joined on their way. */
const fileOf = (bytes: AsyncIterable<Uint8Array>) => Readable.from(bytes, { objectMode: false });
const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/**
 * The transport for a service elsewhere: kept-alive connections by undici's `Pool.request`, which does 2.4 times the work
 * of `fetch` on one core. The caller's signal sets the time limit; undici's own limits are off, so that a stream may be
 * silent.
 */
export function createPoolTransport(baseUrl: string): Transport {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname === "/" ? "" : pathname;
  const options = {
    connect: { timeout: CONNECT_MS },
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
  };
  const calls = new Pool(origin, { ...options, connections: MAX_CALL_CONNECTIONS });
  const files = new Pool(origin, { ...options, connections: MAX_FILE_CONNECTIONS });
  const streams = new Pool(origin, { ...options, connections: null });

  return {
    async request({ method, path, headers, body, signal, stream }) {
      const isFile = body !== undefined && typeof body !== "string";
      const answer = await (stream ? streams : isFile ? files : calls).request({
        method,
        path: prefix + path,
        headers,
        signal,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : fileOf(body) }),
      });
      // An abort before anybody reads is reported as an `error` event; without a listener that would end the process.
      answer.body.on("error", () => undefined);
      return {
        status: answer.statusCode,
        mediaType: mediaTypeOf(first(answer.headers["content-type"])),
        retryAfter: retryAfterOf(first(answer.headers["retry-after"])),
        date: first(answer.headers.date),
        body: answer.body,
        discard: () => void answer.body.destroy(),
      };
    },
    async close() {
      await Promise.all([calls.destroy(), files.destroy(), streams.destroy()]);
    },
  };
}
