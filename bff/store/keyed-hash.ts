import { createHmac } from "node:crypto";
import { createSecret, type Random } from "../../shared/server/random.ts";
import type { Store } from "./store.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Hashes texts with a random key, the same for all processes on the store, replaced after a year. Nobody without the key
 * can compute a hash. Throws as the store does.
 */
export function createKeyedHash(
  store: Store,
  random: Random,
  name: string,
): (text: string) => Promise<Buffer> {
  async function keyNow(): Promise<string> {
    const found = await store.get(name);
    if (found !== undefined) return found;
    const value = createSecret(random);
    const isFirst = await store.write([{ key: name, was: null, value, lifeMs: YEAR_MS }]);
    return isFirst ? value : keyNow();
  }
  return async (text) =>
    createHmac("sha256", await keyNow())
      .update(text)
      .digest();
}
