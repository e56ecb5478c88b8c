import { DatabaseSync } from "node:sqlite";
import { LRUCache } from "lru-cache";
import { Failure } from "../../shared/errors.ts";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { upgradeSchema } from "./sqlite-schema.ts";
import type { Change, Signal, Store, Topic } from "./store.ts";
import { createUseCounts } from "./use-counts.ts";

/** SQLite's result code for a full disk (SQLITE_FULL). */
const SQLITE_FULL = 13;
const PURGE_MS = 3_600_000;
/** How soon this process notices that another one changed the file: only `npm run sessions -- erase` does. */
const LOOK_MS = 1000;
/** Characters of values in memory: some 5,000 sessions. */
const CACHED_CHARACTERS = 4_000_000;
const KEYS_AT_ONCE = 500;

interface Cached {
  readonly value: string;
  readonly expiresAt: number;
}

/** A write that waits for the next commit. */
interface Waiting {
  readonly changes: readonly Change[];
  readonly signal: Signal | undefined;
  readonly done: PromiseWithResolvers<boolean>;
}

/**
 * The embedded store: one SQLite file for one process. Values read before stay in memory, so a read costs no query. Writes
 * that wait share the next commit, which is synced to the disk: an anonymous visitor's only way back to their conversation
 * is in here.
 *
 * @throws StartError when the file can't be opened or has another version
 */
export function createSqliteStore(
  path: string,
  options: { readonly clock?: Clock; readonly onUpkeepFailure?: (error: unknown) => void } = {},
): Store {
  const { clock = systemClock, onUpkeepFailure = () => undefined } = options;
  const db = openDatabase(path, clock.now());
  const select = db.prepare("SELECT value, expires_at FROM entries WHERE key = ?");
  const upsert = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)");
  const replace = db.prepare(
    "UPDATE entries SET value = ?, expires_at = ? WHERE key = ? AND value = ? AND expires_at > ?",
  );
  const remove = db.prepare("DELETE FROM entries WHERE key = ?");
  const removeExpired = db.prepare("DELETE FROM entries WHERE expires_at <= ? RETURNING key");
  const selectKeys = db.prepare(
    "SELECT key FROM entries WHERE key >= ? AND key > ? AND expires_at > ? ORDER BY key LIMIT ?",
  );
  const version = db.prepare("PRAGMA data_version");
  const cache = new LRUCache<string, Cached>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: ({ value }, key) => value.length + key.length + 100,
  });
  const listeners = new Map<Topic, ((text: string) => void)[]>();
  const onGap: (() => void)[] = [];
  let waiting: Waiting[] = [];

  const isLive = ({ expiresAt }: Cached) => expiresAt > clock.now();
  function read(key: string): string | undefined {
    const row = select.get(key);
    const found = row && { value: String(row["value"]), expiresAt: Number(row["expires_at"]) };
    if (!found || !isLive(found)) {
      cache.delete(key);
      return undefined;
    }
    cache.set(key, found);
    return found.value;
  }

  const publish = ({ topic, text }: Signal) => {
    for (const listen of listeners.get(topic) ?? []) listen(text);
  };
  /** What the cache must hold once the changes are committed. */
  const remember = (changes: readonly Change[]) => {
    for (const change of changes) {
      if (change.value === null) cache.delete(change.key);
      else cache.set(change.key, { value: change.value, expiresAt: clock.now() + change.lifeMs });
    }
  };
  function apply(changes: readonly Change[]): boolean {
    const [only, ...others] = changes;
    if (only && others.length === 0 && typeof only.was === "string" && only.value !== null) {
      // The common case, in one statement: most writes replace the one value that was read.
      const { key, was, value, lifeMs } = only;
      const now = clock.now();
      const isReplaced = replace.run(value, now + lifeMs, key, was, now).changes === 1;
      if (!isReplaced) cache.delete(key);
      return isReplaced;
    }
    if (changes.some(({ key, was }) => was !== undefined && (read(key) ?? null) !== was)) return false;
    for (const change of changes) {
      if (change.value === null) remove.run(change.key);
      else upsert.run(change.key, change.value, clock.now() + change.lifeMs);
    }
    return true;
  }
  /** Commits everything that waits. Memory changes only after the commit. */
  function flush(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      const held = transact(db, () => batch.map(({ changes }) => apply(changes)));
      batch.forEach(({ changes, signal, done }, index) => {
        const isHeld = held[index] === true;
        if (isHeld) remember(changes);
        if (isHeld && signal) publish(signal);
        done.resolve(isHeld);
      });
    } catch (error) {
      for (const { changes, done } of batch) {
        for (const { key } of changes) cache.delete(key);
        done.reject(failureOf(error));
      }
    }
  }

  const versionNow = () => version.get()?.["data_version"];
  let lastVersion = versionNow();
  function look(): void {
    const now = versionNow();
    if (now === lastVersion) return;
    lastVersion = now;
    cache.clear();
    for (const run of onGap) run();
  }
  function upkeep(work: () => void): () => void {
    return () => {
      try {
        work();
      } catch (error) {
        onUpkeepFailure(error);
      }
    };
  }
  const purge = () => {
    for (const { key } of removeExpired.all(clock.now())) cache.delete(String(key));
  };
  const timers = [clock.every(LOOK_MS, upkeep(look)), clock.every(PURGE_MS, upkeep(purge))];

  return {
    isShared: false,
    async get(key) {
      const cached = cache.get(key);
      if (cached && isLive(cached)) return cached.value;
      return attempt(() => read(key));
    },
    write(changes, signal) {
      const done = Promise.withResolvers<boolean>();
      if (waiting.push({ changes, signal, done }) === 1) setImmediate(flush);
      return done.promise;
    },
    async *keys(prefix) {
      for (let last = ""; ; ) {
        const after = last;
        const rows = attempt(() => selectKeys.all(prefix, after, clock.now(), KEYS_AT_ONCE));
        for (const { key } of rows) {
          last = String(key);
          if (!last.startsWith(prefix)) return;
          yield last;
        }
        if (rows.length < KEYS_AT_ONCE) return;
      }
    },
    ...createUseCounts(),
    publish,
    subscribe: (topic, listen) => void listeners.set(topic, [...(listeners.get(topic) ?? []), listen]),
    onGap: (run) => void onGap.push(run),
    async close() {
      for (const stop of timers) stop();
      flush();
      if (db.isOpen) db.close();
    },
  };
}

/**
 * Rewrites the file, so that no byte of deleted values is left in it or in its write-ahead log.
 * @returns false when another process still reads older pages
 * @throws Error of SQLite: locked, no room
 */
export function overwriteDeleted(path: string): boolean {
  const db = new DatabaseSync(path, { timeout: 5000 });
  try {
    db.exec("VACUUM");
    return db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"] !== 1;
  } finally {
    db.close();
  }
}

function openDatabase(path: string, now: number): DatabaseSync {
  let db: DatabaseSync | undefined;
  let isOurs: boolean;
  try {
    db = new DatabaseSync(path);
    db.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    );
    const opened = db;
    isOurs = transact(opened, () => upgradeSchema(opened, now));
  } catch (cause) {
    db?.close();
    throw new StartError(`The session store ${path} can't be opened. Check DATA_DIR and its permissions.`, {
      cause,
    });
  }
  if (isOurs) return db;
  db.close();
  throw new StartError(
    `The session store ${path} was written by another version. Start that version, or move the file.`,
  );
}

function transact<T>(db: DatabaseSync, work: () => T): T {
  db.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    db.exec("COMMIT");
    return value;
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(cause: unknown): Failure {
  const isFull = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_FULL;
  return new Failure(isFull ? "storage_full" : "unavailable", { cause });
}
