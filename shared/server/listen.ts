import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { FILE } from "../v1/limits.ts";
import { clientAddress } from "./client-address.ts";
import type { Clock } from "./clock.ts";
import { inUrl } from "./origin.ts";
import { createPlaces } from "./places.ts";
import { cutSlowBodies } from "./slow-bodies.ts";
import { StartError } from "./start-error.ts";

/** Limits of a connection. Event streams are responses, so none of these ends them. */
const SERVER_OPTIONS = {
  headersTimeout: 10_000,
  // For files; every other body has less time (`cutSlowBodies`).
  requestTimeout: FILE.timeMs + 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16 * 1024,
};
const MAX_HEADERS = 100;
const MAX_CONNECTIONS = 20_000;

/** Connections that are still open after this are closed, so that the whole stop takes less than 25 s. */
const CUT_MS = 20_000;
const SWEEP_MS = 100;

export interface Listening {
  /** The address on which it listens; with port 0, the port that was assigned. */
  readonly url: string;
  /** Accepts no new connections and resolves when the running requests are finished, or after 20 s. */
  stop(): Promise<void>;
}

/**
 * Serves `app` on `host` and `port`, with limits on slow and many connections.
 * @throws StartError with one sentence when the port is taken or may not be used
 */
export async function listen(options: {
  readonly app: { fetch(request: Request, env: unknown): Response | Promise<Response> };
  readonly host: string;
  readonly port: number;
  /** The variable that names the port, for the operator. */
  readonly variable?: string;
  readonly clock: Clock;
  /** The limit of connections per address; undefined behind a proxy, whose address they all share. */
  readonly maxPerAddress?: number | undefined;
  /** Browsers reach it over https only, and must not try anything else. */
  readonly isHttps?: boolean;
}): Promise<Listening> {
  const { app, host, port, variable = "PORT", clock, maxPerAddress, isHttps = false } = options;
  const server = createAdaptorServer({
    fetch: (request, env) => (hasTwoHosts(env) ? refusal() : app.fetch(request, env)),
    createServer,
    serverOptions: SERVER_OPTIONS,
  }) as Server;
  if (isHttps) {
    server.prependListener("request", (_, answer) => {
      answer.setHeader("strict-transport-security", "max-age=31536000");
    });
  }
  server.maxHeadersCount = MAX_HEADERS;
  server.maxConnections = MAX_CONNECTIONS;
  cutSlowBodies(server);
  if (maxPerAddress !== undefined) capConnections(server, maxPerAddress);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) =>
      reject(new StartError(sentenceOf(cause, host, port, variable), { cause })),
    );
    server.listen(port, host, resolve);
  });
  const { port: real } = server.address() as AddressInfo;
  return {
    url: `http://${inUrl(host)}:${real}`,
    stop: () => stop(server, clock),
  };
}

/** Closes connections of one address beyond `max`, before a byte of them is read. */
function capConnections(server: Server, max: number): void {
  const places = createPlaces();
  server.on("connection", (socket) => {
    const leave = places.take(clientAddress(socket.remoteAddress, undefined, 0), max);
    if (leave) socket.once("close", leave);
    else socket.destroy();
  });
}

/** Node uses the first of two `Host` headers; a proxy in front may have used the other (RFC 9112, 3.2). */
function hasTwoHosts(env: unknown): boolean {
  const { incoming } = (env ?? {}) as { incoming?: Pick<IncomingMessage, "rawHeaders"> };
  const names = incoming?.rawHeaders ?? [];
  let hosts = 0;
  for (let at = 0; at < names.length; at += 2) {
    if (names[at]?.length === 4 && names[at]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

const refusal = () => new Response(null, { status: 400, headers: { connection: "close" } });

function sentenceOf(error: Error, host: string, port: number, variable: string): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") {
    return `Port ${port} on ${host} is taken. Stop what uses it, or set ${variable} to another, for example ${variable}=${port + 1}.`;
  }
  if (code === "EACCES")
    return `Port ${port} may not be used by this account. Set ${variable} to one above 1023.`;
  return `Can't listen on ${host}:${port} (${typeof code === "string" ? code : error.name}). Check HOST and ${variable}.`;
}

/** `server.close()` itself waits forever for idle and streaming connections. */
function stop(server: Server, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const stopSweeping = clock.every(SWEEP_MS, () => server.closeIdleConnections());
    const stopCutting = clock.after(CUT_MS, () => server.closeAllConnections());
    server.close(() => {
      stopSweeping();
      stopCutting();
      resolve();
    });
  });
}
