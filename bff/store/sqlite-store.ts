import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../shared/errors.ts";
import { type Clock, systemClock } from "../../shared/server/clock.ts";
import { watchPlace } from "../../shared/server/file-place.ts";
import { createIdleCache } from "../../shared/server/idle-cache.ts";
import { openSqlite } from "../../shared/server/open-sqlite.ts";
import { sqliteReason } from "../../shared/server/sqlite-reason.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { transact } from "../../shared/server/transact.ts";
import { createUseCounts } from "../../shared/server/use-counts.ts";
import type { Change, Signal, Store, Topic } from "./store.ts";

const VERSION = 5;
const TABLES = `
  CREATE TABLE entries (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entries_by_end ON entries (expires_at);
  PRAGMA user_version = ${VERSION};
`;
const FOREIGN = "was written by another version. Start that version, or move the file (all sessions end).";
/** SQLite's result code for a full disk (SQLITE_FULL). */
const SQLITE_FULL = 13;
const PURGE_MS = 3_600_000;
/** How soon this process notices that another one changed the file, which only `npm run sessions -- erase` does. */
const LOOK_MS = 1000;
/** Limit for values in memory, in characters: some 5,000 sessions. */
const CACHED_CHARACTERS = 4_000_000;

interface Cached {
  readonly value: string;
  readonly expiresAt: number;
}

interface Waiting {
  readonly changes: readonly Change[];
  readonly signal: Signal | undefined;
  readonly done: PromiseWithResolvers<boolean>;
}

/**
 * The embedded store: one SQLite file for one process. Values that were read stay in memory, so a read costs no query.
 * Queued writes share the next commit, which is synced to the disk, because an anonymous visitor's only way back to
 * their conversation is in here.
 *
 * @throws StartError when the file can't be opened or has another version
 */
export function createSqliteStore(
  path: string,
  options: { readonly clock?: Clock; readonly onUpkeepFailure?: (error: unknown) => void } = {},
): Store {
  const { clock = systemClock, onUpkeepFailure = () => undefined } = options;
  const db = openDatabase(path);
  const isDisplaced = watchPlace(db);
  const select = db.prepare("SELECT value, expires_at FROM entries WHERE key = ?");
  const upsert = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM entries WHERE key = ?");
  const removeExpired = db.prepare("DELETE FROM entries WHERE expires_at <= ? RETURNING key");
  // All at once: only `npm run sessions` lists keys, in its own process.
  const selectKeys = db.prepare("SELECT key FROM entries WHERE key >= ? AND key < ? AND expires_at > ?");
  const version = db.prepare("PRAGMA data_version");
  const cache = createIdleCache<Cached>(clock, CACHED_CHARACTERS, ({ value }) => value.length);
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

  const readLater = async (key: string) => attempt(() => read(key));

  const publish = ({ topic, text }: Signal) => {
    for (const listen of listeners.get(topic) ?? []) listen(text);
  };
  /** The cache's content once the changes are committed. */
  const remember = (changes: readonly Change[]) => {
    for (const change of changes) {
      if (change.value === null) cache.delete(change.key);
      else cache.set(change.key, { value: change.value, expiresAt: clock.now() + change.lifeMs });
    }
  };
  function apply(changes: readonly Change[]): boolean {
    if (changes.some(({ key, was }) => was !== undefined && (read(key) ?? null) !== was)) return false;
    for (const change of changes) {
      if (change.value === null) remove.run(change.key);
      else upsert.run(change.key, change.value, clock.now() + change.lifeMs);
    }
    return true;
  }
  const requireInPlace = () => {
    if (isDisplaced()) throw new Error("the store's file was moved, deleted or replaced");
  };
  /** Commits all queued writes. Memory changes only after the commit. */
  function flush(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    try {
      requireInPlace();
      const held = transact(db, () => batch.map(({ changes }) => apply(changes)));
      requireInPlace();
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
    get(key) {
      const cached = cache.get(key);
      return cached && isLive(cached) ? cached.value : readLater(key);
    },
    write(changes, signal) {
      const done = Promise.withResolvers<boolean>();
      if (waiting.push({ changes, signal, done }) === 1) setImmediate(flush);
      return done.promise;
    },
    async *keys(prefix) {
      const rows = attempt(() => selectKeys.all(prefix, `${prefix}\u{10FFFF}`, clock.now()));
      for (const { key } of rows) yield String(key);
    },
    ...createUseCounts(clock),
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

function openDatabase(path: string): DatabaseSync {
  try {
    return openSqlite(path, { timeout: 2000 }, (db) =>
      transact(db, () => {
        const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
        if (version === 0) db.exec(TABLES);
        else if (version !== VERSION) throw new StartError(`The session store ${path} ${FOREIGN}`);
      }),
    );
  } catch (cause) {
    if (cause instanceof StartError) throw cause;
    throw new StartError(`The session store ${path} can't be opened: ${sqliteReason(cause)}.`, { cause });
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
