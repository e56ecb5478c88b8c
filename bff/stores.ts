import { join } from "node:path";
import { type Clock, systemClock } from "../shared/server/clock.ts";
import type { Log } from "../shared/server/log.ts";
import type { BffDeps } from "./app.ts";
import type { Config } from "./config.ts";
import { createSqliteFeedStore } from "./feeds/sqlite-feed-store.ts";
import { createSqliteSessionStore } from "./sessions/sqlite-session-store.ts";

/** What a BFF remembers, and with whom. */
export type Stores = Pick<BffDeps, "store" | "feedStore" | "counts" | "peers">;

/**
 * Opens what configuration names: the embedded store, or the one that several BFFs share, whose client is loaded then only.
 * @throws Error with one sentence when it can't be opened, or refuses this process
 */
export async function openStores(
  { dataDir, storeUrl, siteId }: Pick<Config, "dataDir" | "storeUrl" | "siteId">,
  { log, clock = systemClock }: { readonly log: Log; readonly clock?: Clock },
): Promise<Stores> {
  if (storeUrl !== undefined) {
    const { openRedisStores } = await import("./redis/open-redis-stores.ts");
    return openRedisStores({ storeUrl, siteId, log, clock });
  }
  const path = join(dataDir, "bff.sqlite");
  return {
    store: createSqliteSessionStore(path),
    feedStore: createSqliteFeedStore(path, () => clock.now()),
  };
}
