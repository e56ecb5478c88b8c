import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { Failure } from "../../shared/errors.ts";
import { ANONYMOUS_PREFIX } from "../../shared/id.ts";
import type { Route } from "../../shared/route.ts";
import type {
  ConversationPointer,
  SessionFacts,
  SessionRecord,
  SessionStore,
  SetAside,
} from "./session-store.ts";

/** SQLite's result codes for a full disk (SQLITE_FULL). */
const SQLITE_FULL = 13;

/** Each step leads from one version of the schema to the next; the first makes it. */
const STEPS = [
  `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    external_id TEXT NOT NULL,
    facts TEXT NOT NULL,
    sealed_token BLOB NOT NULL,
    token_expires_at INTEGER,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_customer ON sessions (external_id);
  CREATE TABLE pointers (
    external_id TEXT PRIMARY KEY,
    conversation_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('open', 'ended')),
    epoch TEXT,
    started INTEGER NOT NULL,
    handoffs INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE probe (id INTEGER PRIMARY KEY CHECK (id = 1), at INTEGER NOT NULL) STRICT;
`,
  `
  CREATE TABLE used_tokens (id TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX used_tokens_by_end ON used_tokens (until);
  ALTER TABLE pointers ADD COLUMN owner TEXT;
  ALTER TABLE pointers ADD COLUMN aside TEXT;
  ALTER TABLE pointers ADD COLUMN touched_at INTEGER NOT NULL DEFAULT 0;
`,
  "ALTER TABLE pointers ADD COLUMN route TEXT",
  "ALTER TABLE pointers ADD COLUMN started_for TEXT",
];
const SCHEMA_VERSION = STEPS.length;

type Row = Record<string, SQLOutputValue>;

/**
 * The embedded session store: one file, Node's own SQLite, every write synced before it counts. An anonymous visitor's
 * only way back to their conversation is in here, so a power cut may not lose it.
 *
 * @throws Error with one sentence when the file can't be opened or is of a newer version
 */
export function createSqliteSessionStore(path: string): SessionStore {
  const db = openDatabase(path);
  const insert = db.prepare("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)");
  const find = db.prepare("SELECT * FROM sessions WHERE id = ?");
  const saveToken = db.prepare("UPDATE sessions SET sealed_token = ?, token_expires_at = ? WHERE id = ?");
  const touch = db.prepare("UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?");
  const remove = db.prepare("DELETE FROM sessions WHERE id = ?");
  const update = db.prepare(
    "UPDATE sessions SET facts = ?, created_at = ?, last_seen_at = max(last_seen_at, ?) WHERE id = ?",
  );
  const purge = db.prepare(
    `DELETE FROM sessions WHERE (facts ->> '$.customer.identified') = ? AND (created_at < ? OR last_seen_at < ?)`,
  );
  // An identified customer comes back by who they are, an anonymous visitor by their session alone.
  const purgePointers = db.prepare(
    `DELETE FROM pointers WHERE (substr(external_id, 1, ${ANONYMOUS_PREFIX.length}) = '${ANONYMOUS_PREFIX}' OR touched_at < ?)
     AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.external_id = pointers.external_id)`,
  );
  const purgeTokens = db.prepare("DELETE FROM used_tokens WHERE until < ?");
  const useOnce = db.prepare("INSERT INTO used_tokens VALUES (?, ?) ON CONFLICT DO NOTHING");
  const findPointer = db.prepare("SELECT * FROM pointers WHERE external_id = ?");
  const savePointer = db.prepare(
    `INSERT OR REPLACE INTO pointers (external_id, conversation_id, status, epoch, started, handoffs, owner, aside, route, started_for, touched_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unixepoch('subsec') * 1000)`,
  );
  const probe = db.prepare("INSERT OR REPLACE INTO probe VALUES (1, unixepoch())");

  const together = (write: () => void) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      write();
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };

  const insertRecord = (record: SessionRecord) => {
    const { id, facts, sealedToken, tokenExpiresAt, createdAt, lastSeenAt } = record;
    insert.run(
      id,
      facts.customer.externalId,
      JSON.stringify(facts),
      sealedToken,
      tokenExpiresAt ?? null,
      createdAt,
      lastSeenAt,
    );
  };
  const writePointer = (externalId: string, p: ConversationPointer) => {
    savePointer.run(
      externalId,
      p.conversationId ?? null,
      p.status,
      p.epoch ?? null,
      p.started,
      p.handoffs,
      p.owner ?? null,
      p.aside && p.aside.length > 0 ? JSON.stringify(p.aside) : null,
      p.route ? JSON.stringify(p.route) : null,
      p.startedFor ? JSON.stringify(p.startedFor) : null,
    );
  };

  return {
    insert: (record) => attempt(() => insertRecord(record)),
    update: ({ id, change, createdAt, lastSeenAt }) =>
      attempt(() =>
        together(() => {
          const record = recordOf(find.get(id));
          if (record) update.run(JSON.stringify({ ...record.facts, ...change }), createdAt, lastSeenAt, id);
        }),
      ),
    replace: (id, record, link) =>
      attempt(() => {
        let isReplaced = false;
        together(() => {
          isReplaced = remove.run(id).changes !== 0;
          if (!isReplaced) return;
          insertRecord(record);
          if (link) writePointer(link.externalId, link.pointer);
        });
        return isReplaced;
      }),
    find: (id) => attempt(() => recordOf(find.get(id))),
    saveToken: (id, sealed, expiresAt) => attempt(() => void saveToken.run(sealed, expiresAt ?? null, id)),
    touch: (seen) =>
      attempt(() =>
        together(() => {
          for (const [id, at] of seen) touch.run(at, id);
        }),
      ),
    remove: (id) => attempt(() => void remove.run(id)),
    missing: (ids) => attempt(() => ids.filter((id) => find.get(id) === undefined)),
    purge: ({ anonymous, identified, pointersTouchedAt, tokensUntil }) =>
      attempt(() =>
        together(() => {
          const gone = purge.run(0, anonymous.createdAt, anonymous.lastSeenAt).changes;
          const alsoGone = purge.run(1, identified.createdAt, identified.lastSeenAt).changes;
          if (gone !== 0 || alsoGone !== 0) purgePointers.run(pointersTouchedAt);
          purgeTokens.run(tokensUntil);
        }),
      ),
    findPointer: (externalId) => attempt(() => pointerOf(findPointer.get(externalId))),
    savePointer: (externalId, pointer, before) =>
      attempt(() => {
        let isSaved = false;
        together(() => {
          isSaved = isSamePointer(pointerOf(findPointer.get(externalId)), before);
          if (isSaved) writePointer(externalId, pointer);
        });
        return isSaved;
      }),
    useOnce: (id, until) => attempt(() => useOnce.run(id, until).changes === 1),
    probe: () => attempt(() => void probe.run()),
    close: () => attempt(() => db.close()),
  };
}

function openDatabase(path: string): DatabaseSync {
  let db: DatabaseSync;
  let version: SQLOutputValue | undefined;
  try {
    db = new DatabaseSync(path);
    db.exec(
      "PRAGMA busy_timeout = 2000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON",
    );
    version = migrate(db);
  } catch (cause) {
    throw new Error(`The session store ${path} can't be opened. Check DATA_DIR and its permissions.`, {
      cause,
    });
  }
  if (typeof version !== "number" || version > SCHEMA_VERSION) {
    db.close();
    throw new Error(
      `The session store ${path} was written by a newer version. Start that version, or move the file.`,
    );
  }
  return db;
}

/** Brings the schema up to date in one step; another process that opens the file meanwhile waits, and finds it done. */
function migrate(db: DatabaseSync): SQLOutputValue | undefined {
  const readVersion = () => db.prepare("PRAGMA user_version").get()?.["user_version"];
  if (Number(readVersion()) >= SCHEMA_VERSION) return readVersion();
  db.exec("BEGIN IMMEDIATE");
  try {
    for (const step of STEPS.slice(Number(readVersion()))) db.exec(step);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
  return readVersion();
}

/** Runs one piece of synchronous work as the asynchronous interface wants it, with failures of our own kind. */
async function attempt<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (cause) {
    const full = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_FULL;
    throw new Failure(full ? "storage_full" : "unavailable", { cause });
  }
}

function recordOf(row: Row | undefined): SessionRecord | undefined {
  if (!row) return undefined;
  const expiresAt = row["token_expires_at"];
  return {
    id: String(row["id"]),
    // Written by `insert` from the same type, and by nobody else.
    facts: JSON.parse(String(row["facts"])) as SessionFacts,
    sealedToken: row["sealed_token"] as Uint8Array,
    tokenExpiresAt: typeof expiresAt === "number" ? expiresAt : undefined,
    createdAt: Number(row["created_at"]),
    lastSeenAt: Number(row["last_seen_at"]),
  };
}

function isSamePointer(a: ConversationPointer | undefined, b: ConversationPointer | undefined): boolean {
  const textOf = (p: ConversationPointer | undefined) =>
    JSON.stringify(
      p && [
        p.conversationId,
        p.status,
        p.epoch,
        p.started,
        p.handoffs,
        p.owner,
        p.aside?.length ? p.aside : undefined,
        p.route,
        p.startedFor,
      ],
    );
  return textOf(a) === textOf(b);
}

function pointerOf(row: Row | undefined): ConversationPointer | undefined {
  if (!row) return undefined;
  const { conversation_id: conversationId, epoch, owner, aside, route, started_for: startedFor } = row;
  return {
    conversationId: typeof conversationId === "string" ? conversationId : undefined,
    status: row["status"] === "ended" ? "ended" : "open",
    epoch: typeof epoch === "string" ? epoch : undefined,
    started: Number(row["started"]),
    handoffs: Number(row["handoffs"]),
    ...(typeof owner === "string" ? { owner } : {}),
    // All written by `savePointer` from the same types, and by nobody else.
    ...(typeof aside === "string" ? { aside: JSON.parse(aside) as SetAside[] } : {}),
    ...(typeof route === "string" ? { route: JSON.parse(route) as Route } : {}),
    ...(typeof startedFor === "string"
      ? { startedFor: JSON.parse(startedFor) as ConversationPointer["startedFor"] }
      : {}),
  };
}
