import { join } from "node:path";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Secret } from "../../shared/server/secret.ts";
import { createSqliteStore } from "./sqlite-store.ts";
import type { Store } from "./store.ts";

export const STORE_FILE = "bff.sqlite";

export interface StoreSettings {
  readonly dataDir: string;
  readonly storeUrl: Secret | undefined;
  readonly siteId: string;
}

/**
 * Opens the embedded store, or with `storeUrl` the shared one; the client of Redis is loaded only then.
 * @throws StartError when it can't be opened, or refuses this process
 */
export async function openStore(
  { dataDir, storeUrl, siteId }: StoreSettings,
  { log, clock = systemClock }: { readonly log: Log; readonly clock?: Clock },
): Promise<Store> {
  if (storeUrl !== undefined) {
    const { openRedisStore } = await import("./open-redis-store.ts");
    return openRedisStore(storeUrl, siteId, { log, clock });
  }
  const onUpkeepFailure = () => log.warn({}, "expired state could not be deleted; trying again later");
  return createSqliteStore(join(dataDir, STORE_FILE), { clock, onUpkeepFailure });
}
