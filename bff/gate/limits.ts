import { Failure } from "../../shared/errors.ts";
import type { Rate } from "../../shared/operation.ts";
import { networkOf } from "../../shared/server/client-address.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { createPlaces } from "../../shared/server/places.ts";
import type { Use } from "../request/request-context.ts";
import type { Session } from "../sessions/sessions.ts";
import type { LimitRule, UseCounts } from "../store/use-counts.ts";
import { createRateLimit } from "./rate-limit.ts";

/** The sender of a request, as limits see it. */
export interface Sender {
  readonly address: string;
  /** Without a session, its limits count by address. */
  readonly session?: Pick<Session, "id" | "customer"> | undefined;
}

const bySession = ({ session, address }: Sender) => session?.id ?? address;
const byCustomer = ({ session, address }: Sender) => session?.customer.externalId ?? address;
const byAddress = ({ address }: Sender) => address;
const byNetwork = ({ address }: Sender) => networkOf(address);

/** Each limit: its variable `LIMIT_…`, how many uses a minute it allows by default, and what it counts by. */
const LIMITS = {
  sends: ["SENDS_PER_SESSION", 30, bySession],
  "customer-sends": ["SENDS_PER_CUSTOMER", 60, byCustomer],
  "address-sends": ["SENDS_PER_ADDRESS", 600, byAddress],
  uploads: ["UPLOADS_PER_SESSION", 20, bySession],
  calls: ["CALLS_PER_SESSION", 120, bySession],
  identities: ["IDENTITIES_PER_ADDRESS", 60, byAddress],
  sessions: ["SESSIONS_PER_ADDRESS", 30, byAddress],
  "network-sessions": ["SESSIONS_PER_NETWORK", 300, byNetwork],
} as const satisfies Record<string, readonly [string, number, (sender: Sender) => string]>;
type LimitName = keyof typeof LIMITS;

/** The limits that one use counts in: an operation's rate, or the start of a session. */
const COUNTED_IN = {
  sends: ["customer-sends", "address-sends", "sends"],
  uploads: ["customer-sends", "address-sends", "uploads"],
  calls: ["calls"],
  identities: ["identities"],
  starts: ["sessions", "network-sessions"],
} as const satisfies Record<Exclude<Rate, "typing"> | "starts", readonly LimitName[]>;

/** A typing signal expires after this long and must be renewed; no composer sends more. */
const TYPING: LimitRule = { name: "typing", max: 1, windowMs: 3000 };
const MINUTE_MS = 60_000;
const MOST = 100_000;
const STREAM_WAIT_SECONDS = 30;

export interface LimitSettings {
  readonly perMinute: Readonly<Record<LimitName, number>>;
  /** Event streams open at once. */
  readonly sessionStreams: number;
  readonly addressStreams: number;
  readonly addressConnections: number;
}

/** Reads the `LIMIT_…` variables. */
export function readLimits(reader: EnvironmentReader): LimitSettings {
  const read = (name: string, fallback: number) =>
    reader.integer(`LIMIT_${name}`, { min: 1, max: MOST, fallback });
  const perMinute = Object.entries(LIMITS).map(([name, [variable, usual]]) => [name, read(variable, usual)]);
  return {
    perMinute: Object.fromEntries(perMinute) as Record<LimitName, number>,
    sessionStreams: read("STREAMS_PER_SESSION", 20),
    addressStreams: read("STREAMS_PER_ADDRESS", 200),
    addressConnections: read("CONNECTIONS_PER_ADDRESS", 1000),
  };
}

export interface Limits {
  /**
   * Counts one use in each limit of a rate, or of the start of a session.
   * @throws Failure rate_limited
   */
  take(rate: Rate | "starts", sender: Sender): Promise<void>;
  /**
   * Takes a place for a stream of one address; returns the function that gives it back.
   * @throws Failure rate_limited
   */
  streamOf(address: string): () => void;
}

/** The rate limits. `onUse` is called for each use, so that an answer can say how much is left. */
export function createLimits(
  deps: { readonly clock: Clock; readonly counts: UseCounts },
  settings: LimitSettings,
  onUse: (use: Use) => void,
): Limits {
  const count = (rule: LimitRule, key: string) => createRateLimit(deps, rule, onUse).take(key);
  const streams = createPlaces();
  return {
    async take(rate, sender) {
      if (rate === "typing") return count(TYPING, bySession(sender));
      for (const name of COUNTED_IN[rate]) {
        const [, , keyOf] = LIMITS[name];
        await count({ name, max: settings.perMinute[name], windowMs: MINUTE_MS }, keyOf(sender));
      }
    },
    streamOf(address) {
      const max = settings.addressStreams;
      const leave = streams.take(address, max);
      if (leave) return leave;
      const rule = { name: "address-streams", max, windowMs: MINUTE_MS };
      onUse({ rule, remaining: 0, resetSeconds: STREAM_WAIT_SECONDS, isRefused: true });
      throw new Failure("rate_limited", { retryAfter: STREAM_WAIT_SECONDS });
    },
  };
}
