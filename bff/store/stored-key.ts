import type { Random } from "../../shared/server/random.ts";
import type { Store } from "./store.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

/** Reads a random key, the same for all processes on the store, replaced after a year. Throws as the store does. */
export function createStoredKey(store: Store, random: Random, name: string): () => Promise<string> {
  return async function keyNow(): Promise<string> {
    const found = await store.get(name);
    if (found !== undefined) return found;
    const value = Buffer.from(random(32)).toString("base64url");
    const isFirst = await store.write([{ key: name, was: null, value, lifeMs: YEAR_MS }]);
    return isFirst ? value : keyNow();
  };
}
