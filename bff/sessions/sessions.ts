import { LRUCache } from "lru-cache";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Peers } from "../peers.ts";
import { createLocks } from "./locks.ts";
import type { PointerOf, SessionFacts, SessionRecord, SessionStore } from "./session-store.ts";
import { bearerOf, hashToken, newToken, type Random, seal, sealingKey, unseal } from "./token.ts";

const HOUR_MS = 3_600_000;

/** A session ends when it was not used for so long, and at the latest after so long. */
export const ANONYMOUS_LIFE = { idleMs: 24 * HOUR_MS, absoluteMs: 7 * 24 * HOUR_MS } as const;
/** The site vouches anew, unseen, as long as the customer is there: each renewal counts from its own time. */
export const IDENTIFIED_LIFE = { idleMs: HOUR_MS, absoluteMs: 12 * HOUR_MS } as const;

/** An identified customer who was away for so long begins without their last conversation. */
export const POINTER_LIFE_MS = 90 * 24 * HOUR_MS;

/** How often "last seen" is written down; a crash may make a session look idle for so much longer. */
export const TOUCH_MS = 30_000;
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
  /**
   * Opens a session in another's place: the old bearer token is dead from then on. `link` is the pointer that goes
   * with it.
   * @throws Failure unauthenticated where the old one is not there any more
   */
  exchange(
    old: Session,
    facts: SessionFacts,
    serviceToken: ServiceToken,
    link?: PointerOf,
  ): Promise<{ bearer: string; session: Session }>;
  /** The site vouched again: the session's time counts from now. What `change` leaves out stays. */
  renew(session: Session, change: Partial<SessionFacts>): Promise<void>;
  /** Changes some of what a session is bound to; its time goes on. */
  changeFacts(session: Session, change: Partial<SessionFacts>): Promise<void>;
  saveServiceToken(session: Session, serviceToken: ServiceToken): Promise<void>;
  revoke(session: Session): Promise<void>;
  /** When the session ends if it is not used again, in milliseconds since 1970. */
  expiresAt(session: Session): number;
  /** Whether it is over or revoked, as far as this process knows. */
  isOver(session: Session): boolean;
  /**
   * Looks which of these were ended by another process, and knows it from then on. Without peers there is nothing to learn.
   * @throws Failure unavailable: then nothing is known, and nothing was ended
   */
  learnEnds(ids: readonly string[]): Promise<void>;
  /** Writes down what is pending and stops the timers. */
  close(): Promise<void>;
}

interface Entry {
  session: Session;
  readonly key: Uint8Array;
  /** What the service's token was opened from. */
  sealed: Uint8Array;
}

export interface SessionsDeps {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Told when background upkeep of the store fails; the next round tries again. */
  readonly onUpkeepFailure: (error: unknown) => void;
  /** Whether the site's key still lives. Without it every one does. */
  readonly isKeyLive?: (kid: string) => boolean;
  /** Whether a visitor whom nobody identified may chat. */
  readonly anonymousAllowed?: boolean;
  /** Other processes on the same store; they end and change sessions too. */
  readonly peers?: Peers | undefined;
}

/**
 * Opens, finds and ends sessions. A session used before is found in memory: one look-up and one hash per request. With
 * peers each request looks into the store instead: a logout elsewhere holds from the next request on.
 */
export function createSessions(deps: SessionsDeps): Sessions {
  const { store, clock, random, onUpkeepFailure, isKeyLive = () => true, anonymousAllowed = true } = deps;
  const { peers } = deps;
  const cache = new LRUCache<string, Entry>({ max: MAX_CACHED });
  const revoked = new LRUCache<string, true>({ max: MAX_CACHED });
  let seen = new Map<string, number>();

  const expiresAt = ({ customer, createdAt, lastSeenAt }: Session) => {
    const { idleMs, absoluteMs } = customer.identified ? IDENTIFIED_LIFE : ANONYMOUS_LIFE;
    return Math.min(createdAt + absoluteMs, lastSeenAt + idleMs);
  };
  const isOver = (session: Session) =>
    clock.now() >= expiresAt(session) ||
    (session.customer.identified
      ? session.keyId !== undefined && !isKeyLive(session.keyId)
      : !anonymousAllowed);

  function prepare(facts: SessionFacts, serviceToken: ServiceToken) {
    const bearer = newToken(random);
    const id = hashToken(bearer);
    const key = sealingKey(bearer);
    const now = clock.now();
    const session: Session = { ...facts, id, createdAt: now, lastSeenAt: now, serviceToken };
    const record: SessionRecord = {
      id,
      facts,
      sealedToken: seal(key, serviceToken.token, random),
      tokenExpiresAt: serviceToken.expiresAt,
      createdAt: now,
      lastSeenAt: now,
    };
    return { bearer, session, record, key };
  }

  function forget(id: string): void {
    revoked.set(id, true);
    cache.delete(id);
    seen.delete(id);
  }
  peers?.hear("ended", forget);

  /** One change of a session after the other, so that none is undone by one that did not see it. */
  const writes = createLocks();
  /** Mutated in place: every request of the session holds this very object. */
  function write(session: Session, change: Partial<SessionFacts>, createdAt?: number): Promise<void> {
    const { id } = session;
    return writes.run(id, async () => {
      const newest = cache.get(id)?.session ?? session;
      const facts = { ...factsOf(newest), ...change };
      const times = { createdAt: createdAt ?? newest.createdAt };
      const { customer, lastSeenAt } = newest;
      await store.update({ id, customer, change, ...times, lastSeenAt });
      for (const known of new Set([session, newest])) Object.assign(known, facts, times);
    });
  }

  async function load(bearer: string, id: string): Promise<Entry> {
    const record = await store.find(id);
    if (!record || revoked.get(id)) {
      cache.delete(id);
      throw new Failure("unauthenticated");
    }
    const known = cache.get(id);
    if (known) return refreshed(known, record);
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
    store.purge({
      anonymous: limitsOf(ANONYMOUS_LIFE, clock.now()),
      identified: limitsOf(IDENTIFIED_LIFE, clock.now()),
      pointersTouchedAt: clock.now() - POINTER_LIFE_MS,
      tokensUntil: clock.now(),
    });
  const stopTouching = clock.every(TOUCH_MS, () => void flush().catch(onUpkeepFailure));
  const stopPurging = clock.every(PURGE_MS, () => void purge().catch(onUpkeepFailure));

  return {
    expiresAt,
    isOver: (session) => revoked.get(session.id) !== undefined || isOver(session),

    async open(facts, serviceToken) {
      const { bearer, session, record, key } = prepare(facts, serviceToken);
      await store.insert(record);
      cache.set(session.id, { session, key, sealed: record.sealedToken });
      return { bearer, session };
    },

    async exchange(old, facts, serviceToken, link) {
      const { bearer, session, record, key } = prepare(facts, serviceToken);
      const isReplaced = await store.replace(old.id, record, link);
      forget(old.id);
      peers?.tell("ended", old.id);
      if (!isReplaced) throw new Failure("unauthenticated");
      cache.set(session.id, { session, key, sealed: record.sealedToken });
      return { bearer, session };
    },

    renew: (session, change) => write(session, change, clock.now()),
    changeFacts: (session, change) => write(session, change),

    async find(authorization) {
      const bearer = bearerOf(authorization);
      if (bearer === undefined) throw new Failure("unauthenticated");
      const id = hashToken(bearer);
      const entry = (peers ? undefined : cache.get(id)) ?? (await load(bearer, id));
      const now = clock.now();
      if (isOver(entry.session)) throw new Failure("session_expired");
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
      const sealed = seal(entry.key, serviceToken.token, random);
      await store.saveToken(session.id, sealed, serviceToken.expiresAt);
      entry.sealed = sealed;
    },

    async revoke(session) {
      await store.remove(session.id);
      forget(session.id);
      peers?.tell("ended", session.id);
    },

    async learnEnds(ids) {
      if (!peers || ids.length === 0) return;
      for (const id of await store.missing(ids)) forget(id);
    },

    async close() {
      stopTouching();
      stopPurging();
      await flush();
    },
  };
}

/** What began or was last seen before these times is over; a crash may have lost the last sight of it. */
function limitsOf(life: typeof ANONYMOUS_LIFE | typeof IDENTIFIED_LIFE, now: number) {
  return { createdAt: now - life.absoluteMs, lastSeenAt: now - life.idleMs - TOUCH_MS };
}

function factsOf(session: Session): SessionFacts {
  const { id: _id, createdAt: _created, lastSeenAt: _seen, serviceToken: _token, ...facts } = session;
  return facts;
}

function entryOf(record: SessionRecord, key: Uint8Array): Entry {
  const { id, facts, sealedToken: sealed, createdAt, lastSeenAt } = record;
  const serviceToken = openToken(record, key);
  return { session: { ...facts, id, createdAt, lastSeenAt, serviceToken }, key, sealed };
}

/** What another process changed, taken over into the object that streams and running requests hold. */
function refreshed(known: Entry, record: SessionRecord): Entry {
  const { facts, createdAt, lastSeenAt, sealedToken } = record;
  const session = known.session as object as Record<string, unknown>;
  for (const name of Object.keys(factsOf(known.session))) if (!(name in facts)) delete session[name];
  Object.assign(session, facts, { createdAt, lastSeenAt: Math.max(lastSeenAt, known.session.lastSeenAt) });
  if (!Buffer.from(sealedToken).equals(known.sealed)) {
    session["serviceToken"] = openToken(record, known.key);
    known.sealed = sealedToken;
  }
  return known;
}

/** @throws Failure unauthenticated: sealed under another key, or changed where it is kept, it opens for nobody */
function openToken({ sealedToken, tokenExpiresAt }: SessionRecord, key: Uint8Array): ServiceToken {
  try {
    return { token: unseal(key, sealedToken), expiresAt: tokenExpiresAt };
  } catch (cause) {
    throw new Failure("unauthenticated", { cause });
  }
}
