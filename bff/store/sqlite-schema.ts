import type { DatabaseSync } from "node:sqlite";

const VERSION = 5;
/** The last version that had a table for each kind of state. Its rows become entries; see decision 0033. */
const VERSION_WITH_TABLES = 4;

const TABLES = `
  CREATE TABLE entries (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX entries_by_end ON entries (expires_at);
`;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How long a row of the earlier version lives on: sessions end by their own times, which stand in their values. */
const LIFE_MS = { session: 25 * HOUR_MS, pointer: 90 * DAY_MS, log: 91 * DAY_MS };

/** `json_patch` leaves out members that are null, as the records' schemas want it. */
const TAKE_OVER = `
  INSERT INTO entries SELECT 'session:' || id, json_patch('{}', json_object(
      'facts', json(facts), 'sealedToken', lower(hex(sealed_token)), 'tokenExpiresAt', token_expires_at,
      'createdAt', created_at, 'lastSeenAt', last_seen_at)), :now + ${LIFE_MS.session} FROM sessions;
  INSERT INTO entries SELECT 'pointer:' || external_id, json_patch('{}', json_object(
      'conversationId', conversation_id, 'status', status, 'epoch', epoch, 'started', started,
      'handoffs', handoffs, 'owner', owner, 'aside', json(aside), 'route', json(route),
      'startedFor', json(started_for))), :now + ${LIFE_MS.pointer} FROM pointers;
  INSERT INTO entries SELECT 'used:' || id, '1', until FROM used_tokens;
`;

const TAKE_OVER_LOGS = `
  INSERT INTO entries SELECT 'log:' || json_array(external_id, conversation_id),
      json_group_array(json(event) ORDER BY seq), :now + ${LIFE_MS.log}
    FROM feed_events GROUP BY external_id, conversation_id;
  DROP TABLE feed_events;
`;

/**
 * Brings a store's file to this version, within the caller's transaction.
 * @returns false for a version that this program does not know; then nothing was changed
 */
export function upgradeSchema(db: DatabaseSync, now: number): boolean {
  const version = db.prepare("PRAGMA user_version").get()?.["user_version"];
  if (version === VERSION) return true;
  if (version !== 0 && version !== VERSION_WITH_TABLES) return false;
  db.exec(TABLES);
  if (version === VERSION_WITH_TABLES) {
    const hasLogs = db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'feed_events'").get();
    db.exec((TAKE_OVER + (hasLogs ? TAKE_OVER_LOGS : "")).replaceAll(":now", String(now)));
    db.exec("DROP TABLE sessions; DROP TABLE pointers; DROP TABLE used_tokens; DROP TABLE probe");
  }
  db.exec(`PRAGMA user_version = ${VERSION}`);
  return true;
}
