import { randomUUID } from "node:crypto";
import type { Clock } from "../../shared/server/clock.ts";
import type { Lease, Peers, Topic } from "../peers.ts";
import { type RedisLine, script } from "./redis-line.ts";
import { blind } from "./store-address.ts";

/** A process that died keeps its names for so long. */
const LEASE_MS = 10_000;
const RENEW_MS = 3000;

const KEEP = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);
const GIVE_BACK = script(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);

/** The channel of a topic; scripts publish on it too. */
export function channelOf(prefix: string, topic: Topic): string {
  return `${prefix}${topic}`;
}

/** Speaks with the other processes by the store's channels, and shares names with them by keys that expire. */
export function createRedisPeers(line: RedisLine, prefix: string, clock: Clock): Peers {
  return {
    tell(topic, text) {
      // Words may be lost, and whoever needs them looks as well: nobody is told of a failure here.
      line.send("PUBLISH", channelOf(prefix, topic), text).catch(() => undefined);
    },
    hear(topic, listen) {
      line.subscribe(channelOf(prefix, topic), listen).catch(() => undefined);
    },
    onGap: (run) => line.onResubscribed(run),
    async lease(name) {
      const key = `${prefix}lease:${blind(name)}`;
      const owner = randomUUID();
      const taken = await line.send("SET", key, owner, "NX", "PX", String(LEASE_MS));
      return taken === null ? undefined : keep(line, key, owner, clock);
    },
  };
}

function keep(line: RedisLine, key: string, owner: string, clock: Clock): Lease {
  // A renewal that fails is tried again; a name that is lost meanwhile runs out by itself.
  const stop = clock.every(RENEW_MS, () => {
    line.run(KEEP, [key], [owner, String(LEASE_MS)]).catch(() => undefined);
  });
  return {
    async release() {
      stop();
      await line.run(GIVE_BACK, [key], [owner]).catch(() => undefined);
    },
  };
}
