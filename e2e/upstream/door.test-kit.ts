import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders, type Server } from "node:http";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { serve } from "@hono/node-server";
import { type Bff, createBff } from "../../bff/app.ts";
import { type Config, parseConfig } from "../../bff/config.ts";
import type { StaticFiles } from "../../bff/static/load-files.ts";
import { createSqliteStore } from "../../bff/store/sqlite-store.ts";
import { createPoolTransport } from "../../bff/upstream/pool-transport.ts";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { MockUpstream } from "./mock.ts";

export interface DoorAnswer {
  readonly status: number;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

/** The BFF as a browser reaches it: its real server, over HTTP, with a mock upstream. */
export interface Door {
  readonly bff: Bff;
  readonly origin: string;
  readonly call: (
    method: string,
    path: string,
    more?: { readonly token?: string | undefined; readonly body?: unknown; readonly file?: string },
  ) => Promise<DoorAnswer>;
  /** All log lines so far. */
  readonly logged: () => string;
  readonly close: () => Promise<void>;
}

export interface DoorOptions {
  /** How long one call to the upstream may take, in ms. */
  readonly upstreamTotalMs?: number;
  readonly clock?: Clock;
  /** The file of the BFF's store; by default it is in memory, because a new file costs more than a cell of the table. */
  readonly storePath?: string;
  /** Replaces the fetch that points to the mock. The mock is still called. */
  readonly config?: Config;
}

/** The API tests need nothing of the build. */
const NO_FILES: StaticFiles = {
  loader: {
    mediaType: "text/javascript",
    etag: '"0"',
    plain: new Uint8Array(),
    brotli: undefined,
    gzip: undefined,
  },
  frame: '<!doctype html><meta name="parley-origins" content="">',
  assets: new Map(),
};
export const PAGE_ORIGIN = "https://shop.example";

/** Starts a separate BFF on a free port, configured for `mock` by the same variables that an operator sets. */
export async function openDoor(mock: MockUpstream, options: DoorOptions = {}): Promise<Door> {
  if (mock.certificate) setDefaultCACertificates([...getCACertificates("default"), mock.certificate]);
  const lines: string[] = [];
  const deps = depsFor(mock, options, lines);
  const origin = deps.config.allowedOrigins[0] ?? PAGE_ORIGIN;
  const bff = createBff(deps);
  const server = serve({ fetch: bff.app.fetch, port: 0, hostname: "127.0.0.1" }) as Server;
  if (!server.listening) await once(server, "listening");
  const { port } = server.address() as { port: number };
  return {
    bff,
    origin,
    call: (method, path, more = {}) => callDoor({ port, origin }, method, path, more),
    logged: () => lines.join("\n"),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await bff.close();
    },
  };
}

function depsFor(mock: MockUpstream, options: DoorOptions, lines: string[]) {
  const clock = options.clock ?? systemClock;
  const config = options.config ?? parseConfig(environmentOf(mock), () => "");
  const write = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }));
  const log: Log = { debug: write, info: write, warn: write, error: write };
  return {
    config,
    version: "0.0.0",
    transport: createPoolTransport(mock.url),
    store: createSqliteStore(options.storePath ?? ":memory:", { clock }),
    files: NO_FILES,
    clock,
    random: (bytes: number) => randomBytes(bytes),
    newRequestId: () => randomUUID(),
    log,
    support: () => Promise.resolve([]),
    ...(options.upstreamTotalMs === undefined ? {} : { upstreamTotalMs: options.upstreamTotalMs }),
  };
}

/** The variables that point a BFF to a mock. */
export function environmentOf({ url, secrets }: MockUpstream): Record<string, string> {
  return {
    BASE_URL: url,
    APPLICATION_CREDENTIAL: secrets.credential,
    APPLICATION_PUBLIC_KEY: secrets.publicKey,
    HANDOFF_SECRET: secrets.handoffSecret,
    ALLOWED_ORIGINS: PAGE_ORIGIN,
  };
}

function callDoor(
  { port, origin }: { readonly port: number; readonly origin: string },
  method: string,
  path: string,
  {
    token,
    body,
    file,
  }: { readonly token?: string | undefined; readonly body?: unknown; readonly file?: string },
): Promise<DoorAnswer> {
  const text = body === undefined ? file : JSON.stringify(body);
  const headers = {
    origin,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(file === undefined ? {} : { "idempotency-key": "file-1", "x-file-name": "a.pdf" }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, method, path, headers, agent: false }, (answer) => {
      let received = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        received += piece;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const type = answer.headers["content-type"] ?? "";
        const json: unknown = /json/.test(type) ? JSON.parse(received) : undefined;
        resolve({ status: answer.statusCode ?? 0, type, headers: answer.headers, text: received, json });
      });
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
