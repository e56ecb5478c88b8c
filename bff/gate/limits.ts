import { Failure } from "../../shared/errors.ts";
import type { Rate } from "../../shared/operation.ts";
import { networkOf } from "../../shared/server/client-address.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import type { Session } from "../sessions/sessions.ts";
import type { LimitRule, UseCounts } from "../store/use-counts.ts";
import { createRateLimit, type RateLimit, type Use } from "./rate-limit.ts";

/** What may be done how often. Streams are those open at once. */
export interface LimitSettings {
  readonly sends: LimitRule;
  readonly customerSends: LimitRule;
  readonly addressSends: LimitRule;
  readonly sessions: LimitRule;
  readonly networkSessions: LimitRule;
  readonly identities: LimitRule;
  readonly calls: LimitRule;
  readonly uploads: LimitRule;
  readonly sessionStreams: number;
  readonly addressStreams: number;
  readonly addressConnections: number;
}

const MINUTE_MS = 60_000;
/** Who writes on says so again after this long; more is no composer. */
const TYPING: LimitRule = { name: "typing", max: 1, windowMs: 3000 };
const MOST = 100_000;
const STREAM_WAIT_SECONDS = 30;

/** Reads the `LIMIT_…` variables: uses in a minute, or streams at once. */
export function readLimits(reader: EnvironmentReader): LimitSettings {
  const read = (name: string, fallback: number) =>
    reader.integer(`LIMIT_${name}`, { min: 1, max: MOST, fallback });
  const perMinute = (name: string, variable: string, fallback: number) => ({
    name,
    max: read(variable, fallback),
    windowMs: MINUTE_MS,
  });
  return {
    sends: perMinute("sends", "SENDS_PER_SESSION", 30),
    customerSends: perMinute("customer-sends", "SENDS_PER_CUSTOMER", 60),
    addressSends: perMinute("address-sends", "SENDS_PER_ADDRESS", 600),
    sessions: perMinute("sessions", "SESSIONS_PER_ADDRESS", 30),
    networkSessions: perMinute("network-sessions", "SESSIONS_PER_NETWORK", 300),
    identities: perMinute("identities", "IDENTITIES_PER_ADDRESS", 60),
    calls: perMinute("calls", "CALLS_PER_SESSION", 120),
    uploads: perMinute("uploads", "UPLOADS_PER_SESSION", 20),
    sessionStreams: read("STREAMS_PER_SESSION", 20),
    addressStreams: read("STREAMS_PER_ADDRESS", 200),
    addressConnections: read("CONNECTIONS_PER_ADDRESS", 1000),
  };
}

/** Who makes a request, as limits see them. */
export interface Sender {
  readonly session: Pick<Session, "id" | "customer">;
  readonly address: string;
}

export interface Limits {
  /**
   * Counts one use in the limits of a rate. A message and a file also count for their customer, over all sessions, and for
   * their address.
   * @throws Failure rate_limited
   */
  take(rate: Rate, sender: Sender): Promise<void>;
  /** Identity tokens from one address, good or bad. */
  readonly identities: RateLimit;
  /** New sessions of one address, and of its network. */
  readonly starts: RateLimit;
  /**
   * Takes a place for a stream of one address, and gives the way to leave it.
   * @throws Failure rate_limited
   */
  streamOf(address: string): () => void;
}

/** The rate limits. Every use is told to `onUse`, so that an answer can say how much is left. */
export function createLimits(
  deps: { readonly clock: Clock; readonly counts: UseCounts },
  settings: LimitSettings,
  onUse: (use: Use) => void,
): Limits {
  const limit = (rule: LimitRule) => createRateLimit(deps, rule, onUse);
  const perAddress = limit(settings.sessions);
  const perNetwork = limit(settings.networkSessions);
  const ofCustomer = limit(settings.customerSends);
  const ofAddress = limit(settings.addressSends);
  const identities = limit(settings.identities);
  const ofSession = {
    sends: limit(settings.sends),
    uploads: limit(settings.uploads),
    typing: limit(TYPING),
    calls: limit(settings.calls),
  };
  return {
    async take(rate, { session, address }) {
      if (rate === "identities") return identities.take(address);
      if (rate === "sends" || rate === "uploads") {
        await ofCustomer.take(session.customer.externalId);
        await ofAddress.take(address);
      }
      await ofSession[rate].take(session.id);
    },
    identities,
    starts: {
      async take(address) {
        await perAddress.take(address);
        await perNetwork.take(networkOf(address));
      },
    },
    streamOf: createPlaces(settings.addressStreams, onUse),
  };
}

/** Streams open at once in this process, by address; a place that is left is free at once. */
function createPlaces(max: number, onUse: (use: Use) => void): Limits["streamOf"] {
  const taken = new Map<string, number>();
  return (address) => {
    const before = taken.get(address) ?? 0;
    if (before >= max) {
      const rule = { name: "address-streams", max, windowMs: MINUTE_MS };
      onUse({ rule, remaining: 0, resetSeconds: STREAM_WAIT_SECONDS, isRefused: true });
      throw new Failure("rate_limited", { retryAfter: STREAM_WAIT_SECONDS });
    }
    taken.set(address, before + 1);
    let isLeft = false;
    return () => {
      if (isLeft) return;
      isLeft = true;
      const left = (taken.get(address) ?? 1) - 1;
      if (left > 0) taken.set(address, left);
      else taken.delete(address);
    };
  };
}
