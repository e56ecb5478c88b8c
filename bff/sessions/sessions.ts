import { Failure } from "../../shared/errors.ts";
import { BoundedMap } from "../bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { SessionFacts, SessionRecord, SessionStore } from "./session-store.ts";
import { bearerOf, hashToken, newToken, type Random, seal, sealingKey, unseal } from "./token.ts";

const HOUR_MS = 3_600_000;

/** An anonymous session ends when it was not used for so long, and at the latest after so long (R28). */
export const IDLE_MS = 24 * HOUR_MS;
export const ABSOLUTE_MS = 7 * 24 * HOUR_MS;

/** How often "last seen" is written down; a crash may make a session look idle for so much longer. */
const TOUCH_MS = 30_000;
const PURGE_MS = HOUR_MS;
const MAX_CACHED = 50_000;

/** The service's own token for a customer. */
export interface ServiceToken {
  readonly token: string;
  /** Milliseconds since 1970; undefined where the service did not say. */
  readonly expiresAt: number | undefined;
}

/** A session in use. Only `sessions.ts` changes it. */
export interface Session extends SessionFacts {
  /** Hash of the bearer token. */
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly serviceToken: ServiceToken;
}

export interface Sessions {
  /** Opens a session and gives its bearer token, which is kept nowhere. */
  open(facts: SessionFacts, serviceToken: ServiceToken): Promise<{ bearer: string; session: Session }>;
  /**
   * The session of an `Authorization` header.
   * @throws Failure unauthenticated (none, malformed, unknown, revoked), session_expired
   */
  find(authorization: string | undefined): Promise<Session>;
  saveServiceToken(session: Session, serviceToken: ServiceToken): Promise<void>;
  revoke(session: Session): Promise<void>;
  /** When the session ends if it is not used again, in milliseconds since 1970. */
  expiresAt(session: Session): number;
  /** Whether it is over or revoked. */
  isOver(session: Session): boolean;
  /** Writes down what is pending and stops the timers. */
  close(): Promise<void>;
}

interface Entry {
  session: Session;
  readonly key: Uint8Array;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Told when background upkeep of the store fails; the next round tries again. */
  readonly onUpkeepFailure: (error: unknown) => void;
}

/** Opens, finds and ends sessions. A session used before is found in memory: one look-up and one hash per request. */
export function createSessions({ store, clock, random, onUpkeepFailure }: SessionsDeps): Sessions {
  const cache = new BoundedMap<string, Entry>(MAX_CACHED);
  const revoked = new BoundedMap<string, true>(MAX_CACHED);
  let seen = new Map<string, number>();

  const expiresAt = ({ createdAt, lastSeenAt }: { createdAt: number; lastSeenAt: number }) =>
    Math.min(createdAt + ABSOLUTE_MS, lastSeenAt + IDLE_MS);

  async function load(bearer: string, id: string): Promise<Entry> {
    const record = await store.find(id);
    if (!record || revoked.get(id)) throw new Failure("unauthenticated");
    const entry = entryOf(record, sealingKey(bearer));
    cache.set(id, entry);
    return entry;
  }

  async function flush(): Promise<void> {
    if (seen.size === 0) return;
    const batch = seen;
    seen = new Map();
    await store.touch(batch);
  }
  const purge = () =>
    store.purge({ createdAt: clock.now() - ABSOLUTE_MS, lastSeenAt: clock.now() - IDLE_MS - TOUCH_MS });
  const stopTouching = clock.every(TOUCH_MS, () => void flush().catch(onUpkeepFailure));
  const stopPurging = clock.every(PURGE_MS, () => void purge().catch(onUpkeepFailure));

  return {
    expiresAt,
    isOver: (session) => revoked.get(session.id) !== undefined || clock.now() >= expiresAt(session),

    async open(facts, serviceToken) {
      const bearer = newToken(random);
      const id = hashToken(bearer);
      const key = sealingKey(bearer);
      const now = clock.now();
      const session: Session = { ...facts, id, createdAt: now, lastSeenAt: now, serviceToken };
      const sealedToken = seal(key, serviceToken.token, random);
      const tokenExpiresAt = serviceToken.expiresAt;
      await store.insert({ id, facts, sealedToken, tokenExpiresAt, createdAt: now, lastSeenAt: now });
      cache.set(id, { session, key });
      return { bearer, session };
    },

    async find(authorization) {
      const bearer = bearerOf(authorization);
      if (bearer === undefined) throw new Failure("unauthenticated");
      const id = hashToken(bearer);
      const entry = cache.get(id) ?? (await load(bearer, id));
      const now = clock.now();
      if (now >= expiresAt(entry.session)) throw new Failure("session_expired");
      if (now > entry.session.lastSeenAt) {
        // Mutated in place: a copy of the session for each request would cost more than the look-up.
        (entry.session as { lastSeenAt: number }).lastSeenAt = now;
        seen.set(id, now);
      }
      return entry.session;
    },

    async saveServiceToken(session, serviceToken) {
      const entry = cache.get(session.id);
      (session as { serviceToken: ServiceToken }).serviceToken = serviceToken;
      if (!entry) return;
      (entry.session as { serviceToken: ServiceToken }).serviceToken = serviceToken;
      await store.saveToken(session.id, seal(entry.key, serviceToken.token, random), serviceToken.expiresAt);
    },

    async revoke(session) {
      await store.remove(session.id);
      revoked.set(session.id, true);
      cache.delete(session.id);
      seen.delete(session.id);
    },

    async close() {
      stopTouching();
      stopPurging();
      await flush();
    },
  };
}

function entryOf(record: SessionRecord, key: Uint8Array): Entry {
  const { id, facts, sealedToken, tokenExpiresAt, createdAt, lastSeenAt } = record;
  let token: string;
  try {
    token = unseal(key, sealedToken);
  } catch (cause) {
    // Sealed under another key or changed on disk: this row opens for nobody.
    throw new Failure("unauthenticated", { cause });
  }
  const serviceToken = { token, expiresAt: tokenExpiresAt };
  return { session: { ...facts, id, createdAt, lastSeenAt, serviceToken }, key };
}
