import type { UseCounts } from "../gate/use-counts.ts";
import { type RedisLine, script } from "./redis-line.ts";

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

/** Uses counted for all processes together, in one atomic step each. */
export function createRedisUseCounts(line: RedisLine, prefix: string): UseCounts {
  return {
    async count({ name, max, windowMs }, key, now) {
      const args = [now, max, windowMs].map(String);
      const answer = await line.run(COUNT, [`${prefix}uses:${name}:${key}`], args);
      const [isRefused, remaining, oldestAt] = answer as [number, number, number];
      return { isRefused: isRefused === 1, remaining, oldestAt };
    },
  };
}
