import { Failure } from "../../shared/errors.ts";
import type { Rate } from "../../shared/operation.ts";
import { networkOf } from "../../shared/server/client-address.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { EnvironmentReader } from "../../shared/server/environment.ts";
import { createPlaces } from "../../shared/server/places.ts";
import type { LimitRule, UseCounts } from "../../shared/server/use-counts.ts";
import type { RequestContexts, Use } from "../request/request-context.ts";
import type { Session } from "../sessions/sessions.ts";
import type { MoreHeaders } from "./answers.ts";

export interface Sender {
  readonly address: string;
  /** Without a session, its limits count by address. */
  readonly session?: Pick<Session, "id" | "customer"> | undefined;
  /** The most that the request's body can have. */
  readonly bytes?: number;
}

/** A limit of what is open at once. */
type PlaceRule = Pick<LimitRule, "name" | "max">;

const bySession = ({ session, address }: Sender) => session?.id ?? address;
const byCustomer = ({ session, address }: Sender) => session?.customer.externalId ?? address;
const byAddress = ({ address }: Sender) => address;
const byNetwork = ({ address }: Sender) => networkOf(address);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Each limit: its variable `LIMIT_…`, its uses by default, what it counts by, and in which time if not in a minute. */
const LIMITS = {
  sends: ["SENDS_PER_SESSION", 30, bySession],
  "customer-sends": ["SENDS_PER_CUSTOMER", 60, byCustomer],
  "address-sends": ["SENDS_PER_ADDRESS", 600, byAddress],
  uploads: ["UPLOADS_PER_SESSION", 20, bySession],
  calls: ["CALLS_PER_SESSION", 120, bySession],
  // A person answers each hand-off, an erasure makes the service rewrite its database, and files fill its disk.
  "customer-handoffs": ["HANDOFFS_PER_CUSTOMER", 10, byCustomer, HOUR_MS],
  "address-handoffs": ["HANDOFFS_PER_ADDRESS", 60, byAddress, HOUR_MS],
  // A model may write what is proposed.
  "customer-summaries": ["SUMMARIES_PER_CUSTOMER", 30, byCustomer, HOUR_MS],
  // Somebody may type the addresses of others.
  "customer-contacts": ["CONTACTS_PER_CUSTOMER", 10, byCustomer, HOUR_MS],
  "address-contacts": ["CONTACTS_PER_ADDRESS", 60, byAddress, HOUR_MS],
  "address-erasures": ["ERASURES_PER_ADDRESS", 60, byAddress, HOUR_MS],
  "address-upload-mb": ["UPLOAD_MB_PER_ADDRESS", 300, byAddress, HOUR_MS],
  attempts: ["ATTEMPTS_PER_ADDRESS", 300, byAddress],
  identities: ["IDENTITIES_PER_ADDRESS", 60, byAddress],
  sessions: ["SESSIONS_PER_ADDRESS", 30, byAddress],
  "network-sessions": ["SESSIONS_PER_NETWORK", 300, byNetwork],
} as const satisfies Record<string, LimitEntry>;
type LimitName = keyof typeof LIMITS;
type LimitEntry = readonly [
  variable: string,
  usual: number,
  keyOf: (sender: Sender) => string,
  windowMs?: number,
];

/** These limits count bytes: a request counts once for each started unit of this many bytes in its body. */
const BYTES_OF_ONE: { readonly [Name in LimitName]?: number } = {
  "address-sends": 2000,
  "address-upload-mb": 1_000_000,
};

/** The limits that one use counts in: an operation's rate, or an attempt to get a session and its success. */
const COUNTED_IN = {
  sends: ["customer-sends", "address-sends", "sends"],
  uploads: ["customer-sends", "uploads", "address-upload-mb"],
  calls: ["calls"],
  handoffs: ["calls", "customer-handoffs", "address-handoffs"],
  summaries: ["calls", "customer-summaries"],
  contacts: ["calls", "customer-contacts", "address-contacts"],
  erasures: ["calls", "address-erasures"],
  attempts: ["attempts"],
  identities: ["identities"],
  starts: ["sessions", "network-sessions"],
} as const satisfies Record<Exclude<Rate, "typing"> | "attempts" | Entry, readonly LimitName[]>;

/** How a visitor gets a session: anonymously, or by an identity token. */
type Entry = "starts" | "identities";

/** A typing signal expires after this long and must be renewed; no composer sends more. */
const TYPING: LimitRule = { name: "typing", max: 1, windowMs: 3000 };
const MOST = 100_000;
const STREAM_WAIT_SECONDS = 30;

/** Uploads of one session at once: a panel sends four, and there may be another tab. */
const SESSION_UPLOADS = { name: "open-uploads", max: 8 };
/** Uploads of one address at once: enough for an office, and fewer than the service's connections for files. */
const ADDRESS_UPLOADS = { name: "address-open-uploads", max: 40 };
const UPLOAD_WAIT_SECONDS = 10;

/** Reads the `LIMIT_…` variables. */
export function readLimits(reader: Pick<EnvironmentReader, "integer">) {
  const read = (name: string, fallback: number) =>
    reader.integer(`LIMIT_${name}`, { min: 1, max: MOST, fallback });
  const most = Object.entries(LIMITS).map(([name, [variable, usual]]) => [name, read(variable, usual)]);
  return {
    most: Object.fromEntries(most) as Record<LimitName, number>,
    sessionStreams: read("STREAMS_PER_SESSION", 20),
    addressStreams: read("STREAMS_PER_ADDRESS", 200),
    addressConnections: read("CONNECTIONS_PER_ADDRESS", 1000),
  };
}

export type Limits = ReturnType<typeof createLimits>;

/**
 * The rate limits. Every function throws Failure rate_limited, with the seconds to wait; `take` also unavailable and
 * storage_full. `onRefused` is called with the name of the limit that refused a use.
 */
export function createLimits(
  deps: { readonly clock: Clock; readonly counts: UseCounts; readonly contexts: RequestContexts },
  settings: ReturnType<typeof readLimits>,
  onRefused: (limit: string) => void,
) {
  const onUse = (use: Use) => {
    const context = deps.contexts.getStore();
    if (context && (!context.tightest || shareLeft(use) < shareLeft(context.tightest)))
      context.tightest = use;
    if (use.isRefused) onRefused(use.rule.name);
  };
  const useDeps = { ...deps, onUse };
  const limitOf = (name: LimitName) => {
    const [, , keyOf, windowMs = MINUTE_MS]: LimitEntry = LIMITS[name];
    return { rule: { name, max: settings.most[name], windowMs }, keyOf, bytesOfOne: BYTES_OF_ONE[name] };
  };
  const counted = Object.entries(COUNTED_IN).map(([what, names]) => [what, names.map(limitOf)]);
  const limitsOf: Record<keyof typeof COUNTED_IN, ReturnType<typeof limitOf>[]> = Object.fromEntries(counted);
  const sessionStreams = { name: "streams", max: settings.sessionStreams };
  const addressStreams = { name: "address-streams", max: settings.addressStreams };
  const places = createPlaces();
  /** Takes a place of each rule, for what stays open. Returns the function that gives them back. */
  function takePlaces(waitSeconds: number, wanted: readonly (readonly [PlaceRule, string])[]): () => void {
    const taken: (() => void)[] = [];
    const leave = () => {
      for (const leaveOne of taken) leaveOne();
    };
    for (const [rule, key] of wanted) {
      const place = places.take(`${rule.name} ${key}`, rule.max);
      if (!place) {
        leave();
        const use = { rule: { ...rule, windowMs: MINUTE_MS }, remaining: 0, resetSeconds: waitSeconds };
        onUse({ ...use, isRefused: true });
        throw new Failure("rate_limited", { retryAfter: waitSeconds });
      }
      taken.push(place);
    }
    return leave;
  }
  /** Counts one use in each limit of a rate. Returns the function that takes it back. */
  function take(rate: Rate | "attempts" | Entry, sender: Sender): Promise<GiveBack> {
    if (rate === "typing") return takeUses(useDeps, [[TYPING, bySession(sender)]]);
    const uses: (readonly [LimitRule, string])[] = [];
    for (const { rule, keyOf, bytesOfOne = Infinity } of limitsOf[rate]) {
      const use = [rule, keyOf(sender)] as const;
      const count = Math.max(1, Math.ceil((sender.bytes ?? 0) / bytesOfOne));
      for (let taken = 0; taken < count; taken += 1) uses.push(use);
    }
    return takeUses(useDeps, uses);
  }
  return {
    take,
    /** Runs `make`, which makes a session. One that fails counts as an attempt, and takes no other visitor's place. */
    async entry<T>(by: Entry, sender: Sender, make: () => Promise<T>): Promise<T> {
      await take("attempts", sender);
      const giveBack = await take(by, sender);
      try {
        return await make();
      } catch (error) {
        await giveBack();
        throw error;
      }
    },
    stream: (sender: Sender): (() => void) =>
      takePlaces(STREAM_WAIT_SECONDS, [
        [sessionStreams, bySession(sender)],
        [addressStreams, byAddress(sender)],
      ]),
    /** Runs `send` in places for one upload: each may take two minutes, so a few senders could block all others. */
    async upload<T>(sender: Sender, send: () => Promise<T>): Promise<T> {
      const leave = takePlaces(UPLOAD_WAIT_SECONDS, [
        [ADDRESS_UPLOADS, byAddress(sender)],
        [SESSION_UPLOADS, bySession(sender)],
      ]);
      try {
        return await send();
      } finally {
        leave();
      }
    },
    /** The header fields of the IETF draft, for the limit of the current request that is nearest to its end. */
    headers: (): MoreHeaders => {
      const tightest = deps.contexts.getStore()?.tightest;
      if (!tightest) return {};
      const { rule, remaining, resetSeconds } = tightest;
      return {
        "ratelimit-policy": `"${rule.name}";q=${rule.max};w=${Math.ceil(rule.windowMs / 1000)}`,
        ratelimit: `"${rule.name}";r=${remaining};t=${resetSeconds}`,
      };
    },
  };
}

const shareLeft = ({ remaining, rule }: Use) => remaining / rule.max;

/** Takes back what was counted. */
type GiveBack = () => Promise<unknown>;

/**
 * Counts one use in each rule, in order, until one refuses: at most `max` uses of a key in any window of `windowMs`. It is
 * exact, because each use is stored; a refused use counts in no rule. `onUse` is called for each of them.
 *
 * @throws Failure rate_limited with the seconds to wait; unavailable, storage_full when uses can't be counted
 */
export async function takeUses(
  deps: { readonly clock: Clock; readonly counts: UseCounts; readonly onUse?: (use: Use) => void },
  uses: readonly (readonly [rule: LimitRule, key: string])[],
): Promise<GiveBack> {
  const now = deps.clock.now();
  let taken = 0;
  // Where the store fails, the uses stay counted, and the failure that the customer gets is the first one.
  const giveBack = () =>
    Promise.allSettled(uses.slice(0, taken).map(async ([rule, key]) => deps.counts.giveBack(rule, key, now)));
  for (const [rule, key] of uses) {
    const counted = deps.counts.count(rule, key, now);
    const { remaining, oldestAt, isRefused } = counted instanceof Promise ? await counted : counted;
    const resetSeconds = Math.max(1, Math.ceil((Math.min(oldestAt, now) + rule.windowMs - now) / 1000));
    deps.onUse?.({ rule, remaining: Math.min(remaining, rule.max), resetSeconds, isRefused });
    if (isRefused) {
      await giveBack();
      throw new Failure("rate_limited", { retryAfter: resetSeconds });
    }
    taken += 1;
  }
  return giveBack;
}
