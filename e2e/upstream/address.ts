import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { freePort } from "../../bff/testing/free-port.ts";
import { type Certificate, makeCertificate } from "./certificate.ts";

/** A listening address that can disappear and return on the same port. */
export interface Address {
  readonly url: string;
  /** The certificate that a client must trust; absent without TLS. */
  readonly certificate: string | undefined;
  /** From now on every new connection is refused, and open ones are closed after their current answer. */
  readonly refuse: () => void;
  /** From now on every new connection gets an untrusted certificate. */
  readonly distrust: () => void;
  /** Restores the initial state. */
  readonly restore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const RESTORE_TRIES = 20;

/** Listens on a free port of 127.0.0.1, with or without TLS. */
export async function listen(listener: RequestListener, tls: boolean): Promise<Address> {
  const good = tls ? makeCertificate("Parley mock upstream") : undefined;
  // A port that is given to nobody else while this address refuses; otherwise its client would reach another server.
  const port = await freePort();
  let server = await bind(listener, good, port);
  let state: "good" | "refusing" | "distrusted" = "good";

  async function restore(): Promise<void> {
    if (state === "refusing") server = await bind(listener, good, port);
    if (state === "distrusted" && good && isTls(server)) server.setSecureContext(good);
    if (state !== "good") server.closeIdleConnections();
    state = "good";
  }
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    certificate: good?.cert,
    refuse: () => {
      state = "refusing";
      server.close();
      server.closeIdleConnections();
    },
    distrust: () => {
      if (!isTls(server)) throw new Error("a TLS fault needs a mock that was started with tls: true");
      state = "distrusted";
      server.setSecureContext(makeCertificate("Nobody"));
      server.closeIdleConnections();
    },
    restore,
    close: async () => {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function isTls(server: Server | TlsServer): server is TlsServer {
  return "setSecureContext" in server;
}

/** Another process may have been given the port meanwhile, for a moment. */
async function bind(
  listener: RequestListener,
  certificate: Certificate | undefined,
  port: number,
): Promise<Server | TlsServer> {
  for (let attempt = 1; ; attempt += 1) {
    const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
    server.keepAliveTimeout = 60_000;
    server.listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
      return server;
    } catch (cause) {
      if (attempt === RESTORE_TRIES) throw cause;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
