import type { KeyObject } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import { type Clock, isRecent } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { shareAnswer } from "../../shared/server/share-answer.ts";
import { isJsonType, mediaTypeOf, readBounded } from "../upstream/transport.ts";
import { type IdentityKey, parseKeySet } from "./key-set.ts";

/** The source of the site's keys: the configuration itself, or an address in it. */
export type KeySource =
  | { readonly kind: "given"; readonly keys: readonly IdentityKey[] }
  | { readonly kind: "address"; readonly url: string };

/** The keys that are valid now. */
export type KeyRing = ReturnType<typeof createGivenKeys>;

/** How often the keys are read again; a removed key stays valid for at most this long, and a heartbeat longer for open streams. */
export const REFRESH_MS = 5 * 60_000;

/** An unknown id may be a new key. The address is asked at most this often, however many tokens name one. */
export const COOLDOWN_MS = 30_000;

/** Keys that could not be refreshed for this long are no longer trusted. */
export const MAX_AGE_MS = 60 * 60_000;

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

/** Keys from the configuration: they are valid as long as this process runs. */
export function createGivenKeys(given: readonly IdentityKey[]) {
  const keys = mapOf(given);
  return {
    /**
     * Returns the key that a token's header names.
     * @throws Failure identity_unknown_kid, identity_bad_signature when the key is for another algorithm, unavailable
     * while the keys can't be read
     */
    find: async (kid: string, algorithm: string) => keyOf(keys, kid, algorithm),
    /** Whether sessions that a key authenticated continue. They do while the keys can't be read. */
    isLive: (kid: string): boolean => keys.has(kid),
    close: (): void => undefined,
  };
}

/**
 * Keys at an https address, which are read every few minutes and when a token names an unknown one.
 *
 * @throws Error with one sentence when the address returns something other than a key set. An address that does not
 * answer is retried, and tokens are `unavailable` until then
 */
export async function openKeyRing(options: {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<KeyRing> {
  const { url, fetch, clock, log } = options;
  let keys = mapOf([]);
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  const isFresh = () => isRecent(clock, readAt, MAX_AGE_MS);

  const read = shareAnswer(clock, COOLDOWN_MS, async () => {
    triedAt = clock.now();
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const headers = { accept: "application/jwk-set+json, application/json" };
      keys = mapOf(await readKeys(await fetch(url, { headers, redirect: "manual", signal })));
      readAt = clock.now();
    } catch (error) {
      log.error({ why: reasonOf(error) }, "the identity keys could not be read");
      throw error;
    }
  });
  // A failure is logged above, and the next attempt is scheduled anyway.
  const refresh = () => read().catch(() => undefined);

  await read().catch((cause: unknown) => {
    if (!(cause instanceof KeySetFault)) return;
    throw new Error(`Parley can't start: the address in IDENTITY_KEYS ${cause.message}`, { cause });
  });
  const isDue = () => !isRecent(clock, triedAt, isFresh() ? REFRESH_MS : COOLDOWN_MS);
  const stop = clock.every(COOLDOWN_MS, () => void (isDue() && refresh()));
  return {
    async find(kid, algorithm) {
      if (!isFresh() || !keys.has(kid)) await refresh();
      if (isFresh()) return keyOf(keys, kid, algorithm);
      throw new Failure("unavailable", { detail: "The identity keys can't be read." });
    },
    isLive: (kid) => keys.has(kid) || !isFresh(),
    close: stop,
  };
}

const mapOf = (keys: readonly IdentityKey[]) => new Map(keys.map((key) => [key.kid, key]));

function keyOf(keys: ReadonlyMap<string, IdentityKey>, kid: string, algorithm: string): KeyObject {
  const key = keys.get(kid);
  if (!key) throw new Failure("identity_unknown_kid");
  if (key.algorithm === algorithm) return key.key;
  throw new Failure("identity_bad_signature", { detail: "header: alg is not the one of this key." });
}

class KeySetFault extends Error {
  override readonly name = "KeySetFault";
}

async function readKeys(answer: Response): Promise<readonly IdentityKey[]> {
  const { status, headers, body } = answer;
  if (status >= 500) throw new Error(`status ${status}`);
  if (status !== 200) throw new KeySetFault(`answers ${status}; it must answer 200 itself.`);
  if (!isJsonType(mediaTypeOf(headers.get("content-type")))) {
    throw new KeySetFault("answers something that is not JSON.");
  }
  const text = new TextDecoder().decode(await readBounded(body, MAX_BYTES));
  const { keys, faults } = parseKeySet(text);
  if (faults.length > 0) throw new KeySetFault(`answers a faulty key set: ${faults.join(" ")}`);
  // Keys from an address are public.
  if (keys.some(({ algorithm }) => algorithm === "HS256")) throw new KeySetFault("publishes a secret.");
  return keys;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  const { cause, message } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : message;
}
