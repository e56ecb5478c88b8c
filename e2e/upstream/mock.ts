import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createFakeService, type FakeService } from "../../service/testing/fake/fake-service.ts";
import type { Kind } from "../../service/testing/fake/kinds.ts";
import type { Auth } from "../../shared/operation.ts";
import { listen } from "./address.ts";
import { type ArmedFaults, createArmedFaults } from "./armed-faults.ts";
import { startCanaryListener } from "./canary-listener.ts";
import type { Endpoint } from "./endpoint.ts";
import { type Inside, type RecordedRequest, serve } from "./serve.ts";
import { playScripts } from "./turn-script.ts";
import { reset } from "./wire.ts";

export interface MockOptions {
  readonly kind: Kind;
  /** Speaks HTTPS with a certificate made at run time; `certificate` is the one to trust. */
  readonly tls?: boolean;
  /** Those of a configuration under test; by default they are created for this mock. */
  readonly secrets?: MockUpstream["secrets"];
  readonly publicKeyHeader?: string;
  readonly handoffSecretHeader?: string;
  readonly auth?: Partial<Record<Endpoint, Auth>>;
  /** How long the fault `slow` takes, in ms. */
  readonly slowMs?: number;
}

/** The service's work so far, and the acts of its people. */
type Controls = Pick<
  FakeService,
  "tokens" | "conversations" | "logOf" | "endTokens" | "acceptHandoff" | "say"
>;

export interface MockUpstream extends Controls {
  readonly url: string;
  readonly kind: Kind;
  /** The certificate to trust, if it speaks TLS. */
  readonly certificate: string | undefined;
  /** The configuration of its client: created for this mock only, so tests can search for the values. */
  readonly secrets: {
    readonly credential: string;
    readonly publicKey: string;
    readonly handoffSecret: string;
  };
  readonly requests: readonly RecordedRequest[];
  /** The client's violations of the contract; empty at the end of every good test. */
  readonly violations: readonly string[];
  /** Requests that followed a redirect; empty at the end of every good test. */
  readonly canaryCalls: readonly string[];
  readonly setFault: ArmedFaults["set"];
  readonly clearFaults: () => Promise<void>;
  readonly openStreams: () => number;
  readonly cutStreams: () => void;
  /** Releases the turns that the script `#hold` holds open. */
  readonly releaseTurns: () => void;
  readonly close: () => Promise<void>;
}

const SLOW_MS = 200;

/**
 * Starts a strict upstream on a free port of 127.0.0.1: the real service with a server in front that checks every request
 * against the contract and produces any fault of the table on demand.
 */
export async function startMockUpstream(options: MockOptions): Promise<MockUpstream> {
  const secrets = options.secrets ?? {
    credential: `app-credential-canary-${randomBytes(12).toString("hex")}`,
    publicKey: `pk-${randomBytes(6).toString("hex")}`,
    handoffSecret: `handoff-secret-canary-${randomBytes(12).toString("hex")}`,
  };
  const {
    kind,
    publicKeyHeader = "x-public-key",
    handoffSecretHeader = "x-handoff-secret",
    auth = {},
  } = options;
  const service = createFakeService({
    kind,
    agent: "assistant",
    credential: secrets.credential,
    ownHeaders: [publicKeyHeader, handoffSecretHeader],
    schemes: auth,
  });
  const releaseTurns = playScripts(service);
  const canary = await startCanaryListener();
  const inside: Inside = {
    kind,
    given: { ...secrets, publicKeyHeader, handoffSecretHeader, auth },
    service,
    streams: new Set(),
    requests: [],
    violations: [],
    faults: { take: () => undefined, breakAfter: () => false },
    canaryUrl: canary.url,
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const address = await listen(
    (request, response) => guarded(inside, request, response),
    options.tls ?? false,
  );
  const faults = createArmedFaults(address);
  inside.faults = faults;
  const { tokens, conversations, logOf, endTokens, acceptHandoff, say } = service;
  return {
    tokens,
    conversations,
    logOf,
    endTokens,
    acceptHandoff,
    say,
    url: address.url,
    kind,
    certificate: address.certificate,
    secrets,
    requests: inside.requests,
    violations: inside.violations,
    canaryCalls: canary.calls,
    setFault: faults.set,
    clearFaults: faults.clear,
    openStreams: () => inside.streams.size,
    cutStreams: () => {
      for (const { socket } of inside.streams) if (socket) reset(socket);
    },
    releaseTurns,
    close: async () => {
      await Promise.all([address.close(), canary.close()]);
    },
  };
}

/** A client that leaves in the middle is not the upstream's fault; any other failure is recorded as a violation. */
function guarded(inside: Inside, request: IncomingMessage, response: ServerResponse): void {
  response.on("error", () => response.destroy());
  serve(inside, request, response).catch((cause: unknown) => {
    if (!request.socket.destroyed) inside.violations.push(`the upstream itself failed: ${String(cause)}`);
    response.destroy();
  });
}
