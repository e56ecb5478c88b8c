import { LRUCache } from "lru-cache";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createIdleCache } from "../../shared/server/idle-cache.ts";
import { createSecret, type Random } from "../../shared/server/random.ts";
import { createRecords, type Stored } from "../store/records.ts";
import type { Change, Store } from "../store/store.ts";
import { ANONYMOUS_LIFE, IDENTIFIED_LIFE } from "./lifetimes.ts";
import { type SessionFacts, SessionRecord } from "./session-record.ts";
import { bearerOf, hashToken, seal, sealingKey, unseal } from "./token.ts";

/** How often "last seen" is written; after a crash a session may look idle for this much longer. */
const TOUCH_MS = 30_000;
const AFTER_END_MS = 3_600_000;
const CACHED_CHARACTERS = 4_000_000;
/** Ended sessions that streams and running requests may still use. */
const MAX_ENDED = 10_000;

const PREFIX = "session:";

/** The service's own token for a customer. */
export interface ServiceToken {
  readonly token: string;
  /** Milliseconds since 1970; undefined where the service did not say. */
  readonly expiresAt: number | undefined;
}

interface LiveSession extends SessionFacts {
  readonly id: string;
  createdAt: number;
  lastSeenAt: number;
  serviceToken: ServiceToken;
}

/** A session in use. `id` is the hash of the bearer token. Only `sessions.ts` changes it, in place: streams have the same object. */
export type Session = Readonly<LiveSession>;

/** The fields that a change sets: an undefined field is removed, a missing one stays. */
export type FactsChange = { readonly [Name in keyof SessionFacts]?: SessionFacts[Name] | undefined };

export interface OpenedSession {
  /** The bearer token, which is stored nowhere. */
  readonly bearer: string;
  readonly session: Session;
}

export type Sessions = ReturnType<typeof createSessions>;

interface Entry {
  readonly session: LiveSession;
  readonly sealingKey: Uint8Array;
  readonly size: number;
  /** The record that `session` was made from. The same text in the store gives the same object. */
  record: SessionRecord;
}

/**
 * Opens, finds and ends sessions. The store is asked each time, so a session that another process ended opens nothing.
 * Every function that touches the store may throw Failure unavailable or storage_full.
 */
export function createSessions(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  /** Runs when "last seen" could not be written; the next round tries again. */
  readonly onUpkeepFailure: (error: unknown) => void;
  /** Whether the site's key is still valid. By default every key is. */
  readonly isKeyLive?: (kid: string) => boolean;
  /** Whether anonymous visitors may chat. */
  readonly anonymousAllowed?: boolean;
}) {
  const { store, clock, random, onUpkeepFailure, isKeyLive = () => true, anonymousAllowed = true } = deps;
  const records = createRecords<SessionRecord>({
    store,
    clock,
    prefix: PREFIX,
    schema: SessionRecord,
    lifeOf: (_, record) => storedLifeOf(record),
    cachedCharacters: CACHED_CHARACTERS,
    ignoresForeign: true,
  });
  const live = createIdleCache<Entry>(clock, CACHED_CHARACTERS, ({ size }) => size);
  // With `max` instead, the cache would reserve the memory of all its entries at once.
  const ended = new LRUCache<string, true>({ maxSize: MAX_ENDED, sizeCalculation: () => 1 });
  let seen = new Map<string, number>();

  const expiresAt = (session: Session) => {
    const { idleMs, absoluteMs } = lifeOf(session);
    return Math.min(session.createdAt + absoluteMs, session.lastSeenAt + idleMs);
  };
  const isExpired = (session: Session) =>
    clock.now() >= expiresAt(session) ||
    (session.customer.identified
      ? session.keyId !== undefined && !isKeyLive(session.keyId)
      : !anonymousAllowed);

  function forget(id: string): void {
    ended.set(id, true);
    records.forget(id);
    live.delete(id);
    seen.delete(id);
  }
  store.subscribe("ended", forget);

  function prepare(facts: SessionFacts, serviceToken: ServiceToken) {
    const bearer = createSecret(random);
    const id = hashToken(bearer);
    const now = clock.now();
    const key = sealingKey(bearer);
    const value = { facts, createdAt: now, lastSeenAt: now, ...sealed(key, serviceToken) };
    const put = records.put(id, value);
    const remember = (): OpenedSession => ({ bearer, session: hold(id, { text: put.value, value }, key) });
    return { put, remember };
  }
  function sealed(key: Uint8Array, { token, expiresAt: tokenExpiresAt }: ServiceToken) {
    return { sealedToken: Buffer.from(seal(key, token, random)).toString("hex"), tokenExpiresAt };
  }

  /** The session that a record describes: the one in use, brought up to date, or a new one. */
  function sessionOf(id: string, stored: Stored<SessionRecord>, bearer: string): LiveSession {
    const entry = live.get(id);
    if (entry) {
      if (entry.record !== stored.value) adopt(entry, stored.value);
      return entry.session;
    }
    return hold(id, stored, sealingKey(bearer));
  }
  function hold(id: string, { text, value: record }: Stored<SessionRecord>, key: Uint8Array): LiveSession {
    const { facts, createdAt, lastSeenAt } = record;
    const session = { ...facts, id, createdAt, lastSeenAt, serviceToken: openToken(record, key) };
    live.set(id, { session, sealingKey: key, record, size: text.length });
    return session;
  }
  /** Changes the record in the store, then this process's objects of it. @throws Failure unauthenticated if it has ended */
  async function update(
    session: LiveSession,
    change: (record: SessionRecord) => SessionRecord | undefined,
  ): Promise<void> {
    const after = await records.change(session.id, (record) => record && change(record));
    if (!after) throw new Failure("unauthenticated");
    const entry = live.get(session.id);
    if (entry) adopt(entry, after);
    if (entry?.session !== session) assignFacts(session, after);
  }
  const changeFacts = (session: Session, change: FactsChange, times = {}) =>
    update(session, (record) => ({
      ...record,
      ...times,
      facts: { ...record.facts, ...change } as SessionFacts,
    }));

  async function flush(): Promise<void> {
    const batch = seen;
    seen = new Map();
    const touch = async ([id, at]: [string, number]) => {
      const change = records.change(id, (record) =>
        record && at > record.lastSeenAt ? { ...record, lastSeenAt: at } : undefined,
      );
      const after = await change.catch((error: unknown) => {
        seen.set(id, Math.max(at, seen.get(id) ?? 0));
        throw error;
      });
      const entry = live.get(id);
      if (entry && after) entry.record = after;
    };
    await Promise.all(Array.from(batch, touch));
  }
  const stopTouching = clock.every(TOUCH_MS, () => void flush().catch(onUpkeepFailure));

  return {
    /** When the session ends if it is not used again, in milliseconds since 1970. */
    expiresAt,
    /** Whether it is over or revoked, as far as this process knows. */
    isOver: (session: Session): boolean => ended.has(session.id) || isExpired(session),

    async open(facts: SessionFacts, serviceToken: ServiceToken): Promise<OpenedSession> {
      const { put, remember } = prepare(facts, serviceToken);
      await store.write([put]);
      return remember();
    },

    /**
     * Replaces a session by a new one; the old bearer token is dead from then on. `also` is written with it.
     * @throws Failure unauthenticated when the old session has ended
     */
    async exchange(
      old: Session,
      facts: SessionFacts,
      serviceToken: ServiceToken,
      also: readonly Change[],
    ): Promise<OpenedSession> {
      const { put, remember } = prepare(facts, serviceToken);
      const signal = { topic: "ended", text: old.id } as const;
      for (;;) {
        const stored = await records.find(old.id);
        if (!stored) {
          forget(old.id);
          throw new Failure("unauthenticated");
        }
        const end = { key: PREFIX + old.id, was: stored.text, value: null };
        if (await store.write([end, put, ...also], signal)) break;
      }
      forget(old.id);
      return remember();
    },

    /** Renews a session that the site signed again: its lifetime starts again. Throws as `changeFacts` does. */
    renew: (session: Session, change: FactsChange) =>
      changeFacts(session, change, { createdAt: clock.now() }),
    /** @throws Failure unauthenticated if the session has ended */
    changeFacts: (session: Session, change: FactsChange) => changeFacts(session, change),

    /** Finds a header's session. @throws Failure unauthenticated (none, malformed, unknown, revoked), session_expired */
    async find(authorization: string | undefined): Promise<Session> {
      const bearer = bearerOf(authorization);
      if (bearer === undefined) throw new Failure("unauthenticated");
      const id = hashToken(bearer);
      const stored = await records.find(id);
      if (!stored || ended.has(id)) {
        live.delete(id);
        throw new Failure("unauthenticated");
      }
      const session = sessionOf(id, stored, bearer);
      if (isExpired(session)) throw new Failure("session_expired");
      const now = clock.now();
      if (now > session.lastSeenAt) {
        session.lastSeenAt = now;
        seen.set(id, now);
      }
      return session;
    },

    async saveServiceToken(session: Session, serviceToken: ServiceToken): Promise<void> {
      const held: LiveSession = session;
      held.serviceToken = serviceToken;
      const entry = live.get(session.id);
      if (!entry) return;
      entry.session.serviceToken = serviceToken;
      const next = sealed(entry.sealingKey, serviceToken);
      await update(session, (record) => ({ ...record, ...next }));
    },

    async revoke({ id }: Session): Promise<void> {
      await store.write([{ key: PREFIX + id, value: null }], { topic: "ended", text: id });
      forget(id);
    },

    /** Learns which sessions another process ended. @throws Failure unavailable: then none of them counts as ended */
    async learnEnds(ids: readonly string[]): Promise<void> {
      const found = await Promise.all(ids.map((id) => records.find(id)));
      ids.forEach((id, index) => {
        if (found[index] === undefined) forget(id);
      });
    },

    async close(): Promise<void> {
      stopTouching();
      await flush();
    },
  };
}

function lifeOf({ customer }: Pick<SessionFacts, "customer">) {
  return customer.identified ? IDENTIFIED_LIFE : ANONYMOUS_LIFE;
}

/** A record outlives its session, so that its end is reported as an end and a late "last seen" finds it. */
function storedLifeOf({ facts }: SessionRecord): number {
  return lifeOf(facts).idleMs + AFTER_END_MS;
}

const FACT_NAMES = Object.keys(SessionRecord.shape.facts.shape);
const NO_FACTS = Object.fromEntries(FACT_NAMES.map((name) => [name, undefined]));

function assignFacts(session: LiveSession, { facts, createdAt, lastSeenAt }: SessionRecord): void {
  Object.assign(session, NO_FACTS, facts, {
    createdAt,
    lastSeenAt: Math.max(lastSeenAt, session.lastSeenAt),
  });
}

/** Takes over what another request or process wrote. */
function adopt(entry: Entry, record: SessionRecord): void {
  if (record.sealedToken !== entry.record.sealedToken) {
    entry.session.serviceToken = openToken(record, entry.sealingKey);
  }
  assignFacts(entry.session, record);
  entry.record = record;
}

/** @throws Failure unauthenticated if the stored token was changed, or encrypted with another key */
function openToken({ sealedToken, tokenExpiresAt }: SessionRecord, key: Uint8Array): ServiceToken {
  try {
    return { token: unseal(key, Buffer.from(sealedToken, "hex")), expiresAt: tokenExpiresAt };
  } catch (cause) {
    throw new Failure("unauthenticated", { cause });
  }
}
