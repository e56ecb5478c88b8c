import { createHmac } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import { createSecret, type Random } from "../../shared/server/random.ts";
import type { Store } from "./store.ts";

const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * Hashes texts with a random key, the same for all processes on the store, replaced after a year. Nobody without the key
 * can compute a hash. Throws as the store does; also for an empty key, as a foreign type reads, which anybody would know.
 */
export function createKeyedHash(store: Store, random: Random, name: string) {
  async function keyNow(): Promise<string> {
    const found = await store.get(name);
    if (found === "") {
      throw new Failure("unavailable", { cause: new Error(`the value under ${name} is not one of ours`) });
    }
    if (found !== undefined) return found;
    const value = createSecret(random);
    const isFirst = await store.write([{ key: name, was: null, value, lifeMs: YEAR_MS }]);
    return isFirst ? value : keyNow();
  }
  return async (text: string) =>
    createHmac("sha256", await keyNow())
      .update(text)
      .digest();
}
