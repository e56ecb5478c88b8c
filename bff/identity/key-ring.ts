import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { FetchKeys } from "./fetch-keys.ts";
import { type IdentityKey, parseKeySet } from "./jwk.ts";

/** Where the site's keys are: given in configuration, or behind an address that configuration fixes. */
export type KeySource =
  | { readonly kind: "given"; readonly keys: readonly IdentityKey[] }
  | { readonly kind: "address"; readonly url: string };

/** The keys that live now. */
export interface KeyRing {
  /** The key of an id. `unknown` where there is none; `unavailable` while the keys could not be had. */
  find(kid: string): Promise<IdentityKey | "unknown" | "unavailable">;
  /** Whether sessions that a key vouched for go on. While the keys can't be had, nobody is thrown out for it. */
  isLive(kid: string): boolean;
  /** Tells of keys that left. Returns what stops it. */
  onRemoved(listener: () => void): () => void;
  close(): void;
}

/** Read again so often; with it a key that was taken away is dead, and its sessions with it. */
export const REFRESH_MS = 5 * 60_000;

/** An unknown id may be a key that was just added: asked for at most so often, however many tokens name one. */
export const COOLDOWN_MS = 30_000;

/** Keys that could not be read again for so long are trusted no more. */
export const MAX_AGE_MS = 60 * 60_000;

export interface KeyRingDeps {
  /** Fixed by configuration. */
  readonly url: string;
  readonly fetchKeys: FetchKeys;
  readonly clock: Clock;
  readonly log: Log;
}

/** Keys that configuration holds: they live as long as this process. */
export function createGivenKeys(given: readonly IdentityKey[]): KeyRing {
  const keys = byKid(given);
  return {
    find: (kid) => Promise.resolve(keys.get(kid) ?? "unknown"),
    isLive: (kid) => keys.has(kid),
    onRemoved: () => () => undefined,
    close: () => undefined,
  };
}

/**
 * Keys behind an address, by `kid`.
 *
 * @throws Error with one sentence when the address answers something that is no key set; an address that does not answer
 * at all is asked again, and tokens are `unavailable` until then
 */
export async function openKeyRing({ url, fetchKeys, clock, log }: KeyRingDeps): Promise<KeyRing> {
  let keys: ReadonlyMap<string, IdentityKey> = new Map();
  const listeners = new Set<() => void>();
  let readAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  const isFresh = () => clock.now() - readAt < MAX_AGE_MS;

  async function read(): Promise<void> {
    triedAt = clock.now();
    const parsed = parseKeySet(await fetchKeys(url), { secrets: false });
    if (parsed.faults) throw new KeySetFault(parsed.faults);
    const before = keys;
    keys = byKid(parsed.keys);
    readAt = clock.now();
    if ([...before.keys()].some((kid) => !keys.has(kid))) for (const listener of listeners) listener();
  }

  /** Many tokens share one reading; its failure is a log line and the next attempt's business. */
  function refresh(): Promise<void> {
    running ??= read()
      .catch((error: unknown) => {
        const why = error instanceof KeySetFault ? error.faults : reasonOf(error);
        log.error({ why }, "the identity keys could not be read again");
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  try {
    await read();
  } catch (error) {
    if (error instanceof KeySetFault) {
      throw new Error(`Parley can't start: what IDENTITY_KEYS names ${error.faults.join(" ")}`, {
        cause: error,
      });
    }
    log.error({ why: reasonOf(error) }, "the identity keys can't be read yet; trying again");
  }
  const stop = clock.every(COOLDOWN_MS, () => {
    if (!isFresh() || clock.now() - triedAt >= REFRESH_MS) void refresh();
  });
  return {
    async find(kid) {
      const known = keys.get(kid);
      if (known && isFresh()) return known;
      if (clock.now() - triedAt >= COOLDOWN_MS || running) await refresh();
      if (!isFresh()) return "unavailable";
      return keys.get(kid) ?? "unknown";
    },
    isLive: (kid) => keys.has(kid) || !isFresh(),
    onRemoved(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: stop,
  };
}

/** The address answered, and what it answered is no key set. */
export class KeySetFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join(" "));
    this.name = "KeySetFault";
    this.faults = faults;
  }
}

function byKid(keys: readonly IdentityKey[]): ReadonlyMap<string, IdentityKey> {
  return new Map(keys.map((key) => [key.kid, key]));
}

function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "no answer";
}
