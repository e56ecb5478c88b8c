import { createAlarm } from "../../shared/server/alarm.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Secret } from "../../shared/server/secret.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { connectRedis, type RedisConnection } from "./redis-connection.ts";
import { createRedisStore } from "./redis-store.ts";
import type { Store } from "./store.ts";
import { keyPrefix, revealStoreUrl } from "./store-address.ts";

/**
 * Opens the store that several BFFs share. Logs a warning for each setting of it that does not suit us.
 * @throws StartError when the store refuses this process
 */
export async function openRedisStore(
  storeUrl: Secret,
  siteId: string,
  { log, clock }: { readonly log: Log; readonly clock: Clock },
): Promise<Store> {
  const url = revealStoreUrl(storeUrl);
  if (url === undefined) throw new StartError("STORE_URL is not the address of a Redis store.");
  const onDown = createAlarm(clock, (code?: string) =>
    log.error({ code }, "the store at STORE_URL can't be reached; trying again"),
  );
  const redis = await connectRedis(url, { clock, onDown });
  await warnOfSettings(redis, log);
  return createRedisStore(redis, keyPrefix(siteId), clock);
}

/** Reads the settings by INFO, because managed stores often refuse CONFIG. A store that hides them, or is away, gets no warning. */
async function warnOfSettings(redis: RedisConnection, log: Log): Promise<void> {
  const info = await Promise.all(
    ["memory", "persistence", "cluster"].map((section) => redis.send("INFO", section)),
  ).catch(() => []);
  const text = info.map(String).join("\n");
  const policy = text.match(/^maxmemory_policy:(\S+)/m)?.[1];
  if (policy !== undefined && policy !== "noeviction") {
    log.warn(
      { policy },
      "the store at STORE_URL may evict sessions and used tokens: set maxmemory-policy noeviction",
    );
  }
  if (/^aof_enabled:0/m.test(text)) {
    log.warn({}, "the store at STORE_URL loses its latest writes when it crashes: set appendonly yes");
  }
  // With one shard it answers /readyz, and refuses what changes two keys, such as a visitor who signs in.
  if (/^cluster_enabled:1/m.test(text)) {
    log.warn({}, "the store at STORE_URL is a cluster, which refuses writes of several keys: use one server");
  }
}
