import { createHash } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { integer, type RowOf, reader, text } from "./columns.ts";

const OWNER_ONLY_FOLDER = 0o700;
const READ_BYTES = 256 * 1024;

const FileRow = reader({ id: text, size: integer, sha256: text });
type FileRow = RowOf<typeof FileRow>;

/** False also for a file of 0 bytes: SQLite deletes the write-ahead log of a lost database when it opens such a file. */
export function hasDatabase(path: string): boolean {
  return existsSync(path) && statSync(path).size > 0;
}

/** The folder of the files that belong to a database or a backup, next to it. */
export function filesOf(path: string): string {
  return `${path}.files`;
}

/** The files that a database names; none if it is older than the file feature. */
export function listFiles(database: DatabaseSync): FileRow[] {
  const isThere = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'attachments'").get();
  if (!isThere) return [];
  const rows = database.prepare("SELECT id, size, sha256 FROM attachments ORDER BY id").all();
  return rows.map(({ id, size, sha256 }) => ({
    id: String(id),
    size: Number(size),
    sha256: String(sha256),
  }));
}

/**
 * Faults of the files that a database names: missing, or with other content. A conversation that was erased meanwhile
 * takes its files along, which is not a fault.
 */
export function findFileFaults(database: DatabaseSync, folder: string): string[] {
  return listFiles(database)
    .filter((row) => !isSound(join(folder, row.id), row))
    .filter(({ id }) => database.prepare("SELECT 1 FROM attachments WHERE id = ?").get(id) !== undefined)
    .map(({ id }) => `File ${id}: it is not there, or not what was stored.`);
}

/**
 * Copies the files that a database names from one folder to another, unless they exist there; durable when it returns.
 * Returns the ids of those that are missing.
 */
export function copyFiles(path: string, from: string, to: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const missing: string[] = [];
    const rows = listFiles(database);
    if (rows.length === 0) return missing;
    mkdirSync(to, { recursive: true, mode: OWNER_ONLY_FOLDER });
    for (const row of rows) {
      const source = join(from, row.id);
      const target = join(to, row.id);
      if (isSound(target, row)) continue;
      try {
        copyFileSync(source, target);
      } catch (error) {
        if (existsSync(source)) throw error;
        missing.push(row.id);
        continue;
      }
      syncToDisk(target);
    }
    syncToDisk(to);
    return missing;
  } finally {
    database.close();
  }
}

/** Hard-links every file of a folder into another one, which is emptied first. */
export function linkFiles(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true, mode: OWNER_ONLY_FOLDER });
  // A folder among them, as some network drives make, can't be linked, and is not ours.
  for (const one of readdirSync(from, { withFileTypes: true }))
    if (one.isFile()) linkSync(join(from, one.name), join(to, one.name));
  syncToDisk(to);
}

function isSound(path: string, { size, sha256 }: FileRow): boolean {
  if (!existsSync(path)) return false;
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(READ_BYTES);
  const file = openSync(path, "r");
  let total = 0;
  try {
    for (;;) {
      const read = readSync(file, buffer);
      if (read === 0) break;
      total += read;
      hash.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return total === size && hash.digest("hex") === sha256;
}

/** Returns once a file, or the names in a folder, are on disk. */
export function syncToDisk(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
