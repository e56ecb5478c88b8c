import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { cutSlowBodies } from "../shared/server/slow-bodies.ts";
import { StartError } from "../shared/server/start-error.ts";
import type { RequestFacts } from "./http/problems.ts";

/** Connection limits: a client that dawdles frees its place. An open event stream is an answer, so none of these ends it. */
const HEADERS_MS = 10_000;
/** For a file on a slow line; every other body has less (`cutSlowBodies`). */
const REQUEST_MS = 130_000;
const UPLOAD = /^\/v1\/support\/conversations\/[^/]+\/attachments$/;
const KEEP_ALIVE_MS = 5000;
const MAX_HEADERS = 100;
/** Streams end at once; a request that is still being worked on gets this long. */
const DRAIN_MS = 10_000;

export interface Listening {
  readonly url: string;
  /** Takes no new connection and resolves when the open ones are done, or after ten seconds. */
  stop(): Promise<void>;
}

/** @throws StartError with one sentence when the port is taken or not allowed */
export async function listen(
  app: Hono<RequestFacts>,
  at: { host: string; port: number },
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
  });
  if ("maxHeadersCount" in server) {
    server.maxHeadersCount = MAX_HEADERS;
    cutSlowBodies(server, ({ method, url = "" }) => method === "POST" && UPLOAD.test(url));
  }
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => reject(new StartError(describe(cause, at), { cause })));
    server.listen(at.port, at.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = at.host.includes(":") ? `[${at.host}]` : at.host;
  return {
    url: `http://${host}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        const closeAll = () => "closeAllConnections" in server && server.closeAllConnections();
        const timer = setTimeout(closeAll, DRAIN_MS).unref();
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        if ("closeIdleConnections" in server) server.closeIdleConnections();
      }),
  };
}

function describe(cause: Error, at: { host: string; port: number }): string {
  const code = "code" in cause ? String(cause.code) : "";
  if (code === "EADDRINUSE") return `Port ${at.port} is taken: stop what uses it, or set PORT to another.`;
  if (code === "EACCES") return `Port ${at.port} is not allowed: set PORT to one above 1023.`;
  return `${at.host}:${at.port} can't be listened on (${code || "unknown reason"}): set HOST and PORT.`;
}
