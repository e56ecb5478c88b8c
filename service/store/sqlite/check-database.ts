import { DatabaseSync } from "node:sqlite";
import { sha256 } from "../../ids.ts";
import { findDamage } from "./database.ts";
import { filesOf, findFileFaults, hasDatabase, listFiles } from "./database-files.ts";
import { StoreError } from "./migrate.ts";
import { reasonOf } from "./storage-failure.ts";

/** The content of a database and its faults; without faults the log is intact. */
export interface DatabaseReport {
  readonly conversations: number;
  readonly events: number;
  readonly keys: number;
  readonly files: number;
  /** Sentences for the operator, with ids and never with message text. */
  readonly faults: readonly string[];
}

const BUSY_TIMEOUT_MS = 5000;
/** How many faults of one kind are listed; a damaged log may have thousands. */
const NAMED = 20;

/** Each query finds the conversations that break one rule of the log. */
const RULES: readonly (readonly [fault: string, sql: string])[] = [
  [
    "its events are not numbered from 1 without a hole",
    `SELECT conversation_id AS id FROM events GROUP BY conversation_id
     HAVING min(seq) <> 1 OR max(seq) <> count(*)`,
  ],
  [
    "its last seq is not that of its last event",
    `SELECT c.id FROM conversations c
     WHERE c.last_seq <> (SELECT count(*) FROM events e WHERE e.conversation_id = c.id)`,
  ],
  ["an event is not readable", "SELECT conversation_id AS id FROM events WHERE NOT json_valid(data_json)"],
  [
    "a message's key leads to no message",
    `SELECT k.conversation_id AS id FROM message_keys k
     LEFT JOIN events e ON e.conversation_id = k.conversation_id AND e.seq = k.seq
     WHERE e.type IS NOT 'message.created' OR NOT json_valid(e.data_json)
       OR e.data_json ->> '$.message.clientMessageId' IS NOT k.client_message_id`,
  ],
  [
    "a customer's message has no key, or its key is another message's",
    `SELECT e.conversation_id AS id FROM events e
     LEFT JOIN message_keys k ON k.conversation_id = e.conversation_id AND k.seq = e.seq
     WHERE e.type = 'message.created' AND json_valid(e.data_json)
       AND e.data_json ->> '$.message.role' = 'customer' AND k.seq IS NULL`,
  ],
  [
    "a message's text is not the one that was sent",
    `SELECT k.conversation_id AS id FROM message_keys k
     JOIN events e ON e.conversation_id = k.conversation_id AND e.seq = k.seq
     WHERE json_valid(e.data_json) AND sha256(e.data_json ->> '$.message.body') <> k.body_hash`,
  ],
];

/**
 * Reads a whole database as it is at one moment, while a service may be running, and checks its structure, its
 * references, and that each log is numbered without gaps and contains every key once.
 *
 * @throws StoreError with one sentence when there is no such database
 */
export function checkDatabase(path: string): DatabaseReport {
  if (!hasDatabase(path)) throw new StoreError(`There is no database ${path}: it is missing or empty.`);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
    database.function("sha256", { deterministic: true }, (text) => sha256(String(text)));
    const damage = findDamage(database, "integrity_check");
    if (damage !== undefined) {
      return { conversations: 0, events: 0, keys: 0, files: 0, faults: [`The file is damaged: ${damage}.`] };
    }
    database.exec("BEGIN");
    const report = readReport(database);
    database.exec("COMMIT");
    const fileFaults = findFileFaults(database, filesOf(path));
    return { ...report, faults: [...report.faults, ...fileFaults.slice(0, NAMED)] };
  } catch (cause) {
    const reason = reasonOf(cause, path);
    throw new StoreError(`${path} can't be read as a database of this service: ${reason}.`, { cause });
  } finally {
    database?.close();
  }
}

function readReport(database: DatabaseSync): DatabaseReport {
  const count = (table: string) =>
    Number(Object.values(database.prepare(`SELECT count(*) FROM ${table}`).get() ?? {})[0]);
  const lost = database.prepare("PRAGMA foreign_key_check").all();
  const faults = lost.length === 0 ? [] : [`${lost.length} rows belong to something that is not there.`];
  for (const [fault, sql] of RULES) {
    const ids = database
      .prepare(sql)
      .all()
      .map(({ id }) => String(id));
    faults.push(...ids.slice(0, NAMED).map((id) => `Conversation ${id}: ${fault}.`));
    if (ids.length > NAMED) faults.push(`${ids.length - NAMED} more: ${fault}.`);
  }
  return {
    conversations: count("conversations"),
    events: count("events"),
    keys: count("message_keys"),
    files: listFiles(database).length,
    faults,
  };
}
