import { DatabaseSync } from "node:sqlite";
import { Failure } from "../../shared/errors.ts";
import type { LoggedEvent } from "../../shared/event.ts";
import { ANONYMOUS_PREFIX } from "../../shared/id.ts";
import type { FeedStore, LogName } from "./feed-store.ts";

/** SQLite's result code for a full disk (SQLITE_FULL). */
const SQLITE_FULL = 13;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS feed_events (
    external_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    written_at INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (external_id, conversation_id, seq)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * The embedded store of logs: a table of its own beside the sessions, in the same file and as durable as they are.
 * `now` gives the time in milliseconds since 1970.
 *
 * @throws Error with one sentence when the file can't be opened
 */
export function createSqliteFeedStore(path: string, now: () => number): FeedStore {
  const db = openDatabase(path);
  const where = "external_id = ? AND conversation_id = ?";
  const last = db.prepare(`SELECT max(seq) AS seq FROM feed_events WHERE ${where}`);
  const lastOf = ({ externalId, conversationId }: LogName) =>
    Number(last.get(externalId, conversationId)?.["seq"] ?? 0);
  const insert = db.prepare("INSERT INTO feed_events VALUES (?, ?, ?, ?, ?)");
  const read = db.prepare(`SELECT event FROM feed_events WHERE ${where} AND seq > ? ORDER BY seq`);
  const find = db.prepare(
    `SELECT event FROM feed_events WHERE ${where} AND (event ->> '$.message.clientMessageId') = ?`,
  );
  const isAnonymous = `substr(external_id, 1, ${ANONYMOUS_PREFIX.length}) = '${ANONYMOUS_PREFIX}'`;
  const purge = db.prepare(
    `DELETE FROM feed_events WHERE (external_id, conversation_id) IN (
       SELECT external_id, conversation_id FROM feed_events GROUP BY external_id, conversation_id
       HAVING max(written_at) < iif(${isAnonymous}, ?, ?))`,
  );
  // Written by `append` from the same type, and by nobody else.
  const eventOf = (row: unknown) => JSON.parse(String((row as { event: unknown }).event)) as LoggedEvent;

  return {
    lastSeq: (log) => attempt(() => lastOf(log)),
    append: (log, place) =>
      attempt(() => {
        const at = now();
        db.exec("BEGIN IMMEDIATE");
        try {
          const events = place(lastOf(log) + 1);
          for (const event of events) {
            insert.run(log.externalId, log.conversationId, event.seq, at, JSON.stringify(event));
          }
          db.exec("COMMIT");
          return events;
        } catch (error) {
          if (db.isTransaction) db.exec("ROLLBACK");
          throw error;
        }
      }),
    read: (log, after) => attempt(() => read.all(log.externalId, log.conversationId, after).map(eventOf)),
    find: (log, key) =>
      attempt(() => {
        const row = find.get(log.externalId, log.conversationId, key);
        return row && eventOf(row);
      }),
    purge: ({ anonymous, identified }) => attempt(() => void purge.run(anonymous, identified)),
    close: () => attempt(() => db.close()),
  };
}

function openDatabase(path: string): DatabaseSync {
  try {
    const db = new DatabaseSync(path);
    db.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    );
    db.exec(SCHEMA);
    return db;
  } catch (cause) {
    throw new Error(`The store ${path} can't be opened. Check DATA_DIR and its permissions.`, { cause });
  }
}

/** Runs one piece of synchronous work as the asynchronous interface wants it, with failures of our own kind. */
async function attempt<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (cause) {
    const isFull = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_FULL;
    throw new Failure(isFull ? "storage_full" : "unavailable", { cause });
  }
}
