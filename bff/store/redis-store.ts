import { hash } from "node:crypto";
import * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { createUseCounts, type LimitRule } from "../../shared/server/use-counts.ts";
import { type RedisConnection, replyCode, script } from "./redis-connection.ts";
import type { Change, Store } from "./store.ts";
import { blind } from "./store-address.ts";

/**
 * KEYS: one for each change. ARGV: channel ("" for none), signal, then for each change its condition ("*" for none, ""
 * for a key that must not exist, else the SHA-1 of the value), the new value and its life ("" to delete).
 *
 * A full Redis refuses a script's first write if it is a SET, and then the script changes nothing. After a write that
 * needs no space it lets the script finish, so PEXPIRE goes first if no value becomes longer: sessions in use survive.
 */
const WRITE = script(`
local grows = false
for i, key in ipairs(KEYS) do
  local was, size, now = ARGV[3 * i], #ARGV[3 * i + 1], false
  if was ~= '*' then
    now = redis.call('GET', key)
    if was == '' then
      if now then return 0 end
    elseif not now or redis.sha1hex(now) ~= was then return 0 end
  end
  if ARGV[3 * i + 2] ~= '' and (not now or size > #now) then grows = true end
end
for i, key in ipairs(KEYS) do
  if not grows and ARGV[3 * i + 2] ~= '' then redis.call('PEXPIRE', key, ARGV[3 * i + 2]) end
end
for i, key in ipairs(KEYS) do
  if ARGV[3 * i + 2] ~= '' then redis.call('SET', key, ARGV[3 * i + 1], 'PX', ARGV[3 * i + 2]) end
end
for i, key in ipairs(KEYS) do
  if ARGV[3 * i + 2] == '' then redis.call('DEL', key) end
end
if ARGV[1] ~= '' then redis.call('PUBLISH', ARGV[1], ARGV[2]) end
return 1`);

/**
 * KEYS: a list of times, oldest first. ARGV: now, max, window. The key expires with the last window by Redis's own clock,
 * so a reached limit also ends where a BFF's clock was set back. A time that lies ahead counts: clocks of BFFs differ.
 */
const COUNT = script(`
local now, max, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local first = redis.call('LINDEX', KEYS[1], 0)
while first and now - tonumber(first) >= window do
  redis.call('LPOP', KEYS[1])
  first = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count >= max then return {1, 0, tonumber(first)} end
redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {0, max - count - 1, tonumber(first or now)}`);

const Counted = z.tuple([z.number(), z.number(), z.number()]);
const Scanned = z.tuple([z.string(), z.array(z.string())]);
const KEYS_AT_ONCE = "500";

/** The store that several BFFs share. Nothing is cached, because another process may change every value. */
export function createRedisStore(redis: RedisConnection, prefix: string, clock: Clock): Store {
  const own = createUseCounts(clock);
  const channelOf = (topic: string) => `${prefix}${topic}`;
  const usesKey = ({ name }: LimitRule, key: string) => `${prefix}uses:${name}:${blind(key)}`;
  return {
    isShared: true,
    async get(key) {
      const found = await redis.send("GET", prefix + key).catch((error: unknown) => {
        // A key with a value of another type than this program writes.
        if (error instanceof Failure && replyCode(error.cause) === "WRONGTYPE") return "";
        throw error;
      });
      return typeof found === "string" ? found : undefined;
    },
    async write(changes, signal) {
      const keys = changes.map(({ key }) => prefix + key);
      const channel = signal ? [channelOf(signal.topic), signal.text] : ["", ""];
      return (await redis.run(WRITE, keys, [...channel, ...changes.flatMap(argumentsOf)])) === 1;
    },
    async *keys(start) {
      let cursor = "0";
      do {
        const pattern = `${prefix}${start}*`;
        const answer = parse(
          Scanned,
          await redis.send("SCAN", cursor, "MATCH", pattern, "COUNT", KEYS_AT_ONCE),
        );
        for (const key of answer[1]) yield key.slice(prefix.length);
        cursor = answer[0];
      } while (cursor !== "0");
    },
    async count(rule, key, now) {
      const args = [now, rule.max, rule.windowMs].map(String);
      try {
        const answer = await redis.run(COUNT, [usesKey(rule, key)], args);
        const [isRefused, remaining, oldestAt] = parse(Counted, answer);
        return { isRefused: isRefused === 1, remaining, oldestAt };
      } catch (error) {
        // Messages of a running conversation must work in a full store, so they are counted here.
        if (error instanceof Failure && error.code === "storage_full") return own.count(rule, key, now);
        throw error;
      }
    },
    async giveBack(rule, key, at) {
      own.giveBack(rule, key, at);
      await redis.send("LREM", usesKey(rule, key), "-1", String(at));
    },
    publish({ topic, text }) {
      redis.send("PUBLISH", channelOf(topic), text).catch(() => undefined);
    },
    subscribe(topic, listen) {
      redis.subscribe(channelOf(topic), listen);
    },
    onGap: (run) => redis.onResubscribed(run),
    close: () => Promise.resolve(redis.close()),
  };
}

function argumentsOf(change: Change): string[] {
  const { was, value } = change;
  const condition = was === undefined ? "*" : was === null ? "" : hash("sha1", was);
  return value === null
    ? [condition, "", ""]
    : [condition, value, String(Math.max(1, Math.ceil(change.lifeMs)))];
}

function parse<T>(schema: z.ZodMiniType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new Failure("unavailable", { cause: new Error("the store gave an answer of an unknown form") });
}
