import { hash } from "node:crypto";
import { brotliCompressSync } from "node:zlib";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import type { PublicConfig } from "../../shared/api/config.ts";
import { createAlarm } from "../../shared/server/alarm.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { etagOf, type StaticFile } from "../../shared/server/static-files.ts";
import { createRecords } from "../store/records.ts";
import type { Store } from "../store/store.ts";

/** An address answers for this long after its version was last started, or last asked for. */
const LIFE_MS = 400 * 86_400_000;
/** Characters of the hash in an address, 192 bits: nobody can find other bytes with the same ones. */
const HASH_LENGTH = 32;
const MAX_FILES = 20;
const NAME = /^[\w.+-]{1,64}-[\w-]{32}$/;

export type PinnedLoaders = ReturnType<typeof createPinnedLoaders>;

/**
 * The loaders at addresses that never change: this process's own, and those of earlier versions, which stay in the store.
 * An address contains the hash of its bytes, so a store that somebody changed can't put other bytes under it.
 */
export function createPinnedLoaders(deps: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly loader: StaticFile;
  readonly version: string;
}) {
  const { store, clock, log, loader, version } = deps;
  const text = new TextDecoder().decode(loader.plain);
  const own = nameOf(version, loader.plain);
  const records = createRecords<string>({
    store,
    clock,
    prefix: "loader:",
    schema: z.string(),
    lifeOf: () => LIFE_MS,
    cachedCharacters: 100_000,
    livesByReading: () => true,
    ignoresForeign: true,
  });
  /** Ready to send. The store is asked all the same: that a page asks is what makes the entry live on. */
  const files = new LRUCache<string, StaticFile>({ max: MAX_FILES });
  const fileOf = (name: string, code: string): StaticFile | undefined => {
    const plain = new Uint8Array(Buffer.from(code));
    if (nameOf(name.slice(0, -HASH_LENGTH - 1), plain) !== name) return undefined;
    const brotli = new Uint8Array(brotliCompressSync(plain));
    return { ...loader, etag: etagOf(plain), plain, brotli, gzip: undefined };
  };
  let isStored = false;
  const warn = createAlarm(clock, () =>
    log.warn(
      {},
      "this version's loader could not be stored; pages that pin it would lose it with an upgrade",
    ),
  );
  /** Stores this version's loader, for the versions after it. After a failure the next request of it tries again. */
  async function keep(): Promise<void> {
    if (isStored) return;
    try {
      if (!(await records.find(own))) await records.change(own, () => text);
      isStored = true;
    } catch {
      warn();
    }
  }
  return {
    /** The values for a tag with `integrity`, computed from the bytes that are sent. */
    describe: (origin = ""): PublicConfig["loader"] => ({
      version: own,
      integrity: `sha384-${hashOf(loader.plain).toString("base64")}`,
      url: `${origin}/v/${own}/widget.js`,
    }),
    keep,
    /** The loader with this name, if its bytes are those that the name says. @throws Failure unavailable */
    async find(name: string): Promise<StaticFile | undefined> {
      if (name === own) {
        // Not awaited: the page has its file at once.
        void keep();
        return loader;
      }
      const stored = NAME.test(name) ? await records.find(name) : undefined;
      if (stored === undefined) return undefined;
      const known = files.get(name) ?? fileOf(name, stored.value);
      if (known) files.set(name, known);
      return known;
    },
  };
}

const hashOf = (bytes: Uint8Array) => hash("sha384", bytes, "buffer");

function nameOf(version: string, bytes: Uint8Array): string {
  return `${version}-${hashOf(bytes).toString("base64url").slice(0, HASH_LENGTH)}`;
}
