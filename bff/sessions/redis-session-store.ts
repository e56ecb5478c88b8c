import { Failure } from "../../shared/errors.ts";
import { isAnonymousId } from "../../shared/id.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { isForeignValue, type RedisLine, script } from "../redis/redis-line.ts";
import type {
  ConversationPointer,
  SessionChange,
  SessionFacts,
  SessionRecord,
  SessionStore,
} from "./session-store.ts";
import { ANONYMOUS_LIFE, IDENTIFIED_LIFE, POINTER_LIFE_MS, TOUCH_MS } from "./sessions.ts";
import { FACT_NAMES, parseFacts, parsePointer } from "./stored-forms.ts";

const DAY_MS = 24 * 3_600_000;
const PROBE_MS = 60_000;

/** KEYS: session. ARGV: life, last seen, count of names to remove, those names, then names and values to set. */
const UPDATE = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local seen = tonumber(redis.call('HGET', KEYS[1], 'lastSeenAt')) or 0
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], 'lastSeenAt', string.format('%.0f', math.max(seen, tonumber(ARGV[2]))))
local removed = tonumber(ARGV[3])
for i = 4, 3 + removed do redis.call('HDEL', KEYS[1], ARGV[i]) end
for i = 4 + removed, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
return 1`);

/** KEYS: session. ARGV: life of an anonymous one, of an identified one, last seen. Expiry first: it works in a full store. */
const TOUCH = script(`
local kind = redis.call('HGET', KEYS[1], 'kind')
if not kind then return 0 end
redis.call('PEXPIRE', KEYS[1], kind == 'anonymous' and ARGV[1] or ARGV[2])
local seen = tonumber(redis.call('HGET', KEYS[1], 'lastSeenAt')) or 0
if tonumber(ARGV[3]) > seen then redis.call('HSET', KEYS[1], 'lastSeenAt', ARGV[3]) end
return 1`);

/** KEYS: old session, new session, pointer. ARGV: life, pointer's life, pointer or "", then names and values. */
const REPLACE = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[2], unpack(ARGV, 4))
redis.call('PEXPIRE', KEYS[2], ARGV[1])
if ARGV[3] ~= '' then redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[2]) end
redis.call('DEL', KEYS[1])
return 1`);

/** KEYS: pointer. ARGV: what it must be now ("" for none), what it becomes, its life. */
const SAVE_POINTER = script(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`);

/**
 * The session store that several BFFs share. Everything expires by itself. What is found there is checked before it is
 * believed: a session that is none opens for nobody, a pointer that is none leads nowhere and is not written over.
 */
export function createRedisSessionStore(line: RedisLine, prefix: string, clock: Clock): SessionStore {
  const sessionKey = (id: string) => `${prefix}session:${id}`;
  const pointerKey = (externalId: string) => `${prefix}pointer:${externalId}`;
  /** The very text that a pointer was read from: it is written over only while it is still that one. */
  const textOf = new WeakMap<ConversationPointer, string>();

  return {
    async insert(record) {
      const key = sessionKey(record.id);
      const life = String(lifeOf(record.facts));
      // One step: a session without its end would stay for ever.
      await line.run(INSERT, [key], [life, ...fieldsOf(record)]);
    },
    async find(id) {
      const fields = await line.send("HGETALL", sessionKey(id)).catch((error: unknown) => {
        if (isForeignValue(error)) return {};
        throw error;
      });
      return recordOf(id, fields as Record<string, string>);
    },
    async saveToken(id, sealedToken, tokenExpiresAt) {
      await line.run(SAVE_TOKEN, [sessionKey(id)], tokenFields(sealedToken, tokenExpiresAt));
    },
    async touch(seen) {
      const lives = [ANONYMOUS_LIFE, IDENTIFIED_LIFE].map(({ idleMs }) => String(idleMs + 2 * TOUCH_MS));
      await Promise.all(
        Array.from(seen, ([id, at]) => line.run(TOUCH, [sessionKey(id)], [...lives, String(at)])),
      );
    },
    async update({ id, customer, change, createdAt, lastSeenAt }) {
      const removed = FACT_NAMES.filter((name) => name in change && change[name] === undefined);
      const set = [...factFields(change), "createdAt", String(createdAt)];
      const life = String(lifeOf({ customer: change.customer ?? customer }));
      const args = [life, String(lastSeenAt), String(removed.length), ...removed.map(fieldOf), ...set];
      await line.run(UPDATE, [sessionKey(id)], args);
    },
    async replace(id, record, link) {
      const keys = [sessionKey(id), sessionKey(record.id), pointerKey(link?.externalId ?? "")];
      const pointer = link ? JSON.stringify(link.pointer) : "";
      const life = String(pointerLifeOf(link?.externalId ?? ""));
      const args = [String(lifeOf(record.facts)), life, pointer, ...fieldsOf(record)];
      return (await line.run(REPLACE, keys, args)) === 1;
    },
    remove: async (id) => void (await line.send("DEL", sessionKey(id))),
    async missing(ids) {
      const found = await Promise.all(ids.map((id) => line.send("EXISTS", sessionKey(id))));
      return ids.filter((_, index) => found[index] === 0);
    },
    // Everything expires by itself.
    purge: () => Promise.resolve(),
    async findPointer(externalId) {
      // Reading keeps it: a customer who is there again and again comes back to their conversation.
      const life = String(pointerLifeOf(externalId));
      const text = await line.send("GETEX", pointerKey(externalId), "PX", life);
      if (typeof text !== "string") return undefined;
      const pointer = parsePointer(parseJson(text));
      if (!pointer) throw new Failure("unavailable", { cause: new Error("a pointer is not one of ours") });
      textOf.set(pointer, text);
      return pointer;
    },
    async savePointer(externalId, pointer, before) {
      const known = (before && textOf.get(before)) ?? "";
      const args = [known, JSON.stringify(pointer), String(pointerLifeOf(externalId))];
      return (await line.run(SAVE_POINTER, [pointerKey(externalId)], args)) === 1;
    },
    async useOnce(id, until) {
      const life = String(Math.max(1000, Math.ceil(until - clock.now())));
      return (await line.send("SET", `${prefix}used:${id}`, "1", "NX", "PX", life)) !== null;
    },
    probe: async () => void (await line.send("SET", `${prefix}probe`, "1", "PX", String(PROBE_MS))),
    close: () => Promise.resolve(line.close()),
  };
}

const INSERT = script(`
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return redis.call('PEXPIRE', KEYS[1], ARGV[1])`);

const SAVE_TOKEN = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
return redis.call('HSET', KEYS[1], unpack(ARGV))`);

/** A session's key outlives it by a little, so that its end is said to be one. */
function lifeOf({ customer }: Pick<SessionFacts, "customer">): number {
  return (customer.identified ? IDENTIFIED_LIFE : ANONYMOUS_LIFE).idleMs + 2 * TOUCH_MS;
}

/** An identified customer comes back by who they are, an anonymous visitor by their session alone. */
function pointerLifeOf(externalId: string): number {
  return isAnonymousId(externalId) ? ANONYMOUS_LIFE.absoluteMs + DAY_MS : POINTER_LIFE_MS;
}

const fieldOf = (name: string) => `fact.${name}`;

function factFields(facts: SessionChange["change"]): string[] {
  return FACT_NAMES.flatMap((name) => {
    const value = facts[name];
    return value === undefined ? [] : [fieldOf(name), JSON.stringify(value)];
  });
}

function tokenFields(sealedToken: Uint8Array, expiresAt: number | undefined): string[] {
  const sealed = Buffer.from(sealedToken).toString("base64");
  return ["sealedToken", sealed, "tokenExpiresAt", expiresAt === undefined ? "" : String(expiresAt)];
}

function fieldsOf({ facts, sealedToken, tokenExpiresAt, createdAt, lastSeenAt }: SessionRecord): string[] {
  return [
    ...factFields(facts),
    ...tokenFields(sealedToken, tokenExpiresAt),
    "kind",
    facts.customer.identified ? "identified" : "anonymous",
    "createdAt",
    String(createdAt),
    "lastSeenAt",
    String(lastSeenAt),
  ];
}

function recordOf(id: string, fields: Readonly<Record<string, string>>): SessionRecord | undefined {
  const given = FACT_NAMES.flatMap((name) => {
    const text = fields[fieldOf(name)];
    return text === undefined ? [] : [[name, parseJson(text)] as const];
  });
  const facts = parseFacts(Object.fromEntries(given));
  const [createdAt, lastSeenAt] = [Number(fields["createdAt"]), Number(fields["lastSeenAt"])];
  if (!facts || !Number.isSafeInteger(createdAt) || !Number.isSafeInteger(lastSeenAt)) return undefined;
  const ends = Number(fields["tokenExpiresAt"] || Number.NaN);
  return {
    id,
    facts,
    sealedToken: Buffer.from(fields["sealedToken"] ?? "", "base64"),
    tokenExpiresAt: Number.isSafeInteger(ends) ? ends : undefined,
    createdAt,
    lastSeenAt,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not written by us: no form that is asked for afterwards fits.
    return undefined;
  }
}
