import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DurableEvent } from "../../shared/event.ts";
import type { Auth } from "../../shared/operation.ts";
import { listen } from "./address.ts";
import { type ArmedFaults, createArmedFaults } from "./armed-faults.ts";
import { startCanaryListener } from "./canary-listener.ts";
import type { Endpoint, Kind } from "./endpoint.ts";
import { type Inside, type RecordedRequest, serve } from "./serve.ts";
import { createState, type UpstreamState } from "./state.ts";
import { createStreams } from "./streams.ts";

export interface MockOptions {
  readonly kind: Kind;
  /** Speaks HTTPS by a certificate made at run time; `certificate` is the one to trust. */
  readonly tls?: boolean;
  /** Those of a configuration under test; without them they are made for this one mock. */
  readonly secrets?: MockUpstream["secrets"];
  readonly publicKeyHeader?: string;
  readonly handoffSecretHeader?: string;
  readonly auth?: Partial<Record<Endpoint, Auth>>;
  /** How long the fault `slow` takes, in ms. */
  readonly slowMs?: number;
}

export interface MockUpstream {
  readonly url: string;
  readonly kind: Kind;
  /** The certificate to trust, where it speaks TLS. */
  readonly certificate: string | undefined;
  /** What its client must be configured with: made for this one mock, so that they can be looked for as canaries. */
  readonly secrets: {
    readonly credential: string;
    readonly publicKey: string;
    readonly handoffSecret: string;
  };
  readonly requests: readonly RecordedRequest[];
  /** What the client did against the contract; empty at the end of every good test. */
  readonly violations: readonly string[];
  /** Who followed a redirect; empty at the end of every good test. */
  readonly canaryCalls: readonly string[];
  readonly state: UpstreamState;
  readonly setFault: ArmedFaults["set"];
  readonly clearFaults: () => Promise<void>;
  /** No faults, no requests, no violations. What it knows of customers and conversations stays. */
  readonly reset: () => Promise<void>;
  /** Every session token issued so far is over. */
  readonly endTokens: () => void;
  /** A person of the team takes the conversation. */
  readonly acceptHandoff: (conversationId: string, name: string) => void;
  /** A person writes. */
  readonly say: (conversationId: string, name: string, body: string) => void;
  /** The log of a conversation, for a test to compare with what the customer saw. */
  readonly logOf: (conversationId: string) => readonly DurableEvent[];
  readonly openStreams: () => number;
  readonly cutStreams: () => void;
  /** Lets the turns go that the script `#hold` keeps open. */
  readonly releaseTurns: () => void;
  readonly close: () => Promise<void>;
}

const SLOW_MS = 200;

/**
 * Starts a strict upstream on a free port of 127.0.0.1. It checks every request against the contract, gives healthy
 * answers, and does any fault of the table on demand.
 */
export async function startMockUpstream(options: MockOptions): Promise<MockUpstream> {
  const secrets = options.secrets ?? {
    credential: `app-credential-canary-${randomBytes(12).toString("hex")}`,
    publicKey: `pk-${randomBytes(6).toString("hex")}`,
    handoffSecret: `handoff-secret-canary-${randomBytes(12).toString("hex")}`,
  };
  const canary = await startCanaryListener();
  const unset = { take: () => undefined, breakAfter: () => false };
  const inside: Inside = {
    kind: options.kind,
    given: {
      ...secrets,
      publicKeyHeader: options.publicKeyHeader ?? "x-public-key",
      handoffSecretHeader: options.handoffSecretHeader ?? "x-handoff-secret",
      auth: options.auth ?? {},
    },
    state: createState(),
    streams: createStreams(),
    requests: [],
    violations: [],
    faults: unset,
    canaryUrl: canary.url,
    slowMs: options.slowMs ?? SLOW_MS,
  };
  const address = await listen(
    (request, response) => guarded(inside, request, response),
    options.tls ?? false,
  );
  const faults = createArmedFaults(address);
  inside.faults = faults;
  return {
    ...facts(inside),
    ...controls(inside),
    url: address.url,
    certificate: address.certificate,
    secrets,
    canaryCalls: canary.calls,
    setFault: faults.set,
    clearFaults: faults.clear,
    reset: async () => {
      await faults.clear();
      inside.requests.length = 0;
      inside.violations.length = 0;
    },
    close: async () => {
      await Promise.all([address.close(), canary.close()]);
    },
  };
}

/** A client that leaves in the middle is no fault of the mock's; whatever else fails shows itself as a violation. */
function guarded(inside: Inside, request: IncomingMessage, response: ServerResponse): void {
  response.on("error", () => response.destroy());
  serve(inside, request, response).catch((cause: unknown) => {
    if (!request.socket.destroyed) inside.violations.push(`the mock itself failed: ${String(cause)}`);
    response.destroy();
  });
}

function facts({ kind, requests, violations, state, streams }: Inside) {
  return {
    kind,
    requests,
    violations,
    state,
    logOf: (id: string) => state.conversations.get(id)?.events ?? [],
    openStreams: streams.count,
  };
}

/** What happens on the service's side without a request. */
function controls({ state, streams }: Inside) {
  function conversationOf(id: string) {
    const conversation = state.conversations.get(id);
    if (!conversation) throw new Error(`no conversation ${id}`);
    return conversation;
  }
  return {
    endTokens: () => {
      for (const token of state.tokens.keys()) state.ended.add(token);
      state.tokens.clear();
    },
    acceptHandoff: (id: string, name: string) => {
      const conversation = conversationOf(id);
      const handoffId = conversation.handoff?.id ?? state.newId("ho");
      conversation.handoff = { id: handoffId, status: "accepted", human: { name } };
      state.append(conversation, { type: "handoff.accepted", handoff: conversation.handoff });
    },
    say: (id: string, name: string, body: string) => {
      state.addMessage(conversationOf(id), { role: "human", body, author: { name } });
    },
    cutStreams: streams.cut,
    releaseTurns: streams.release,
  };
}
