import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Secret } from "../../shared/server/secret.ts";
import { createRedisFeedStore } from "../feeds/redis-feed-store.ts";
import { createRedisSessionStore } from "../sessions/redis-session-store.ts";
import type { Stores } from "../stores.ts";
import { openRedisLine, type RedisLine } from "./redis-line.ts";
import { createRedisPeers } from "./redis-peers.ts";
import { createRedisUseCounts } from "./redis-use-counts.ts";
import { keyPrefix, parseStoreAddress } from "./store-address.ts";

/** The log has one line a minute of a store that is away, however many tries fail. */
const SAY_MS = 60_000;

/**
 * Opens the store that several BFFs share. Keys carry the site's id, so that the token of one site is none at another
 *. What of the store's own settings could lose what was kept is said in the log.
 *
 * @throws Error with one sentence when the store refuses this process
 */
export async function openRedisStores(deps: {
  readonly storeUrl: Secret;
  readonly siteId: string;
  readonly log: Log;
  readonly clock: Clock;
}): Promise<Required<Stores>> {
  const { storeUrl, siteId, log, clock } = deps;
  const address = parseStoreAddress(storeUrl);
  if (!address) throw new Error("STORE_URL is no address of a store.");
  let saidAt = Number.NEGATIVE_INFINITY;
  const onDown = () => {
    if (clock.now() - saidAt < SAY_MS) return;
    saidAt = clock.now();
    log.error({}, "the store at STORE_URL can't be reached; trying again");
  };
  const line = await openRedisLine(address, { clock, onDown });
  if (line.isUp) await warnOfSettings(line, log);
  else onDown();
  const prefix = keyPrefix(siteId);
  return {
    store: createRedisSessionStore(line, prefix, clock),
    feedStore: createRedisFeedStore(line, prefix),
    counts: createRedisUseCounts(line, prefix),
    peers: createRedisPeers(line, prefix, clock),
  };
}

/** Read by INFO: managed stores often refuse CONFIG. One that tells nothing is believed. */
async function warnOfSettings(line: RedisLine, log: Log): Promise<void> {
  const info = await Promise.all(
    ["memory", "persistence"].map((section) => line.send("INFO", section)),
  ).catch(() => []);
  const text = info.map(String).join("\n");
  const policy = text.match(/^maxmemory_policy:(\S+)/m)?.[1];
  if (policy !== undefined && policy !== "noeviction") {
    log.warn(
      { policy },
      "the store at STORE_URL may throw sessions and used tokens away: set maxmemory-policy noeviction",
    );
  }
  if (/^aof_enabled:0/m.test(text)) {
    log.warn({}, "the store at STORE_URL loses its latest writes when it dies: set appendonly yes");
  }
}
