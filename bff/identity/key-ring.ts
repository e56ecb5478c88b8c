import type { KeyObject } from "node:crypto";
import { type CryptoKey, createRemoteJWKSet, customFetch } from "jose";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { isJsonType, mediaTypeOf, readBounded } from "../upstream/transport.ts";
import { type IdentityKey, parseKeySet } from "./key-set.ts";

/** Where the site's keys are: given in the configuration, or at an address that the configuration fixes. */
export type KeySource =
  | { readonly kind: "given"; readonly keys: readonly IdentityKey[] }
  | { readonly kind: "address"; readonly url: string };

/** The keys that are valid now. */
export interface KeyRing {
  /**
   * Returns the key that a token's header names.
   * @throws Failure identity_unknown_kid, identity_bad_signature where the key is for another algorithm, unavailable while
   * the keys can't be read
   */
  find(kid: string, algorithm: string): Promise<KeyObject | CryptoKey>;
  /** Whether sessions that a key authenticated go on. They do while the keys can't be read. */
  isLive(kid: string): boolean;
  /** Calls `listener` when a key was removed. Returns what unsubscribes it. */
  onRemoved(listener: () => void): () => void;
  close(): void;
}

/** How often the keys are read again; a removed key and its sessions end after this long. */
export const REFRESH_MS = 5 * 60_000;

/** An unknown id may be a key that was just added; the address is asked at most this often, however many tokens name one. */
export const COOLDOWN_MS = 30_000;

/** Keys that could not be read again for this long are not trusted any more. */
export const MAX_AGE_MS = 60 * 60_000;

const TIMEOUT_MS = 5000;
const MAX_BYTES = 64 * 1024;

/** Keys from the configuration: they are valid as long as this process runs. */
export function createGivenKeys(given: readonly IdentityKey[]): KeyRing {
  const keys = new Map(given.map((key) => [key.kid, key]));
  return {
    async find(kid, algorithm) {
      const key = keys.get(kid);
      if (!key) throw new Failure("identity_unknown_kid");
      if (key.algorithm !== algorithm) throw otherAlgorithm();
      return key.key;
    },
    isLive: (kid) => keys.has(kid),
    onRemoved: () => () => undefined,
    close: () => undefined,
  };
}

/**
 * Keys at an https address, which jose reads, caches and reads again when a token names an unknown key.
 *
 * @throws Error with one sentence when the address answers something that is not a key set. An address that does not
 * answer is asked again, and tokens are `unavailable` until then
 */
export async function openKeyRing(options: {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<KeyRing> {
  const { url, fetch, clock, log } = options;
  const listeners = new Set<() => void>();
  let live = new Set<string>();
  let failedAt = Number.NEGATIVE_INFINITY;
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
    async [customFetch](address, request) {
      if (Date.now() - failedAt < COOLDOWN_MS) throw new Error("failed a moment ago");
      try {
        const keys = await readKeys(await fetch(address, request));
        const before = live;
        live = new Set(keys.map(({ kid }) => kid));
        if ([...before].some((kid) => !live.has(kid))) for (const listener of listeners) listener();
        return Response.json({ keys: keys.map(toJwk) });
      } catch (error) {
        failedAt = Date.now();
        log.error({ why: reasonOf(error) }, "the identity keys could not be read");
        throw error;
      }
    },
  });
  try {
    await remote.reload();
  } catch (cause) {
    if (cause instanceof KeySetFault) {
      throw new Error(`Parley can't start: the address in IDENTITY_KEYS ${cause.message}`, { cause });
    }
  }
  // A failure is logged above, and the next attempt is due anyway.
  const refresh = () => void remote.reload().catch(() => undefined);
  const stops = [
    clock.every(REFRESH_MS, refresh),
    clock.every(COOLDOWN_MS, () => {
      if (!remote.fresh) refresh();
    }),
  ];
  return {
    async find(kid, algorithm) {
      try {
        return await remote({ kid, alg: algorithm });
      } catch (cause) {
        if (!remote.fresh) {
          throw new Failure("unavailable", { detail: "The identity keys can't be read.", cause });
        }
        throw live.has(kid) ? otherAlgorithm() : new Failure("identity_unknown_kid", { cause });
      }
    },
    isLive: (kid) => live.has(kid) || !remote.fresh,
    onRemoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => {
      for (const stop of stops) stop();
    },
  };
}

function otherAlgorithm(): Failure {
  return new Failure("identity_bad_signature", { detail: "header: alg is not the one of this key." });
}

/** The address answered, and the answer is not an acceptable key set. */
class KeySetFault extends Error {
  override readonly name = "KeySetFault";
}

async function readKeys(answer: Response): Promise<readonly IdentityKey[]> {
  const { status, headers, body } = answer;
  if (status >= 500) throw new Error(`status ${status}`);
  if (status !== 200) throw new KeySetFault(`answers ${status}; it must answer 200 itself.`);
  if (!isJsonType(mediaTypeOf(headers.get("content-type") ?? undefined))) {
    throw new KeySetFault("answers something that is not JSON.");
  }
  const text = body === null ? "" : new TextDecoder().decode(await readBounded(body, MAX_BYTES));
  const { keys, faults } = parseKeySet(text);
  if (faults.length > 0) throw new KeySetFault(`answers a faulty key set: ${faults.join(" ")}`);
  // What comes from an address is public.
  if (keys.some(({ algorithm }) => algorithm === "HS256")) throw new KeySetFault("publishes a secret.");
  return keys;
}

/** The record that jose gets always names its algorithm. */
function toJwk({ kid, algorithm, key }: IdentityKey): object {
  return { ...key.export({ format: "jwk" }), kid, alg: algorithm };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  const { cause, message } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : message;
}
