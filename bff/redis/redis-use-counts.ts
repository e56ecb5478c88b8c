import { Failure } from "../../shared/errors.ts";
import { createUseCounts, type UseCounts } from "../gate/use-counts.ts";
import { type RedisLine, script } from "./redis-line.ts";
import { blind } from "./store-address.ts";

/** A list of times, oldest first. What no longer counts leaves, and the whole key with the last use's window. */
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

/**
 * Uses counted for all processes together, in one atomic step each. What can't be counted is not let through; only in a
 * full store, which answers, each process counts for itself: what is said in a running conversation needs no room there.
 */
export function createRedisUseCounts(line: RedisLine, prefix: string): UseCounts {
  const own = createUseCounts();
  return {
    async count(rule, key, now) {
      const { name, max, windowMs } = rule;
      const args = [now, max, windowMs].map(String);
      try {
        const answer = await line.run(COUNT, [`${prefix}uses:${name}:${blind(key)}`], args);
        const [isRefused, remaining, oldestAt] = answer as [number, number, number];
        return { isRefused: isRefused === 1, remaining, oldestAt };
      } catch (error) {
        if (error instanceof Failure && error.code === "storage_full") return own.count(rule, key, now);
        throw error;
      }
    },
  };
}
