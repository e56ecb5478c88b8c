import { Readable } from "node:stream";
import { Pool } from "undici";
import { answerOf } from "./pool-answer.ts";
import type { Transport } from "./transport.ts";

/** How long a TCP and TLS connection to the service may take. */
const CONNECT_MS = 2000;

/** More concurrent calls wait for a free connection. Event streams have a separate pool without a limit. */
const MAX_CALL_CONNECTIONS = 128;

/**
 * Files have separate connections, so that slow uploads never block a message. One address can occupy 40 of them for two
 * minutes; waiting costs little, so the slow files of six addresses leave room for the files of others.
 */
const MAX_FILE_CONNECTIONS = 256;

/**
 * The transport for a service elsewhere: kept-alive connections by undici's `Pool`, which does 2.4 times the work
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
    call({ method, path, headers, body, signal }) {
      const asked = { method, path: prefix + path, headers };
      if (body === undefined || typeof body === "string")
        return answerOf(calls, { ...asked, body: body ?? null }, signal, { waits: false });
      // Not an object stream: chunks may be split and joined on their way.
      const file = Readable.from(body, { objectMode: false });
      return answerOf(files, { ...asked, body: file }, signal, { waits: false }).catch((error: unknown) => {
        // A file that was never sent has no other reader, and its browser may break off later.
        file.on("error", () => undefined).destroy();
        throw error;
      });
    },
    open({ method, path, headers, body, signal }) {
      const text = typeof body === "string" ? body : null;
      const asked = { method, path: prefix + path, headers, body: text };
      return answerOf(streams, asked, signal, { waits: true });
    },
    async close() {
      await Promise.all([calls.destroy(), files.destroy(), streams.destroy()]);
    },
  };
}
