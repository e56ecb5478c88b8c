import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Secret } from "../../shared/server/secret.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { connectRedis, type RedisConnection } from "./redis-connection.ts";
import { createRedisStore } from "./redis-store.ts";
import type { Store } from "./store.ts";
import { keyPrefix, parseStoreAddress } from "./store-address.ts";

/** While the store is down the log gets one line in this time, however many attempts fail. */
const LOG_MS = 60_000;

/**
 * Opens the store that several BFFs share. Keys carry the site's id, so that a token of one site is unknown at another.
 * Logs a warning for each setting of the store that could lose state.
 *
 * @throws StartError when the store refuses this process
 */
export async function openRedisStore(options: {
  readonly storeUrl: Secret;
  readonly siteId: string;
  readonly log: Log;
  readonly clock: Clock;
}): Promise<Store> {
  const { storeUrl, siteId, log, clock } = options;
  const address = parseStoreAddress(storeUrl);
  if (!address) throw new StartError("STORE_URL is not the address of a Redis store.");
  let loggedAt = Number.NEGATIVE_INFINITY;
  const onDown = () => {
    if (clock.now() - loggedAt < LOG_MS) return;
    loggedAt = clock.now();
    log.error({}, "the store at STORE_URL can't be reached; trying again");
  };
  const redis = await connectRedis(address, { clock, onDown });
  if (redis.isUp) await warnOfSettings(redis, log);
  else onDown();
  return createRedisStore(redis, keyPrefix(siteId));
}

/** Reads the settings by INFO, because managed stores often refuse CONFIG. A store that hides them gets no warning. */
async function warnOfSettings(redis: RedisConnection, log: Log): Promise<void> {
  const info = await Promise.all(
    ["memory", "persistence"].map((section) => redis.send("INFO", section)),
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
}
