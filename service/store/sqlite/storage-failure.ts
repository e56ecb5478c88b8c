import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "../../../shared/errors.ts";
import { sqliteReason } from "../../../shared/server/sqlite-reason.ts";

// Primary result codes, https://www.sqlite.org/rescode.html
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
/** An extended one: the system refused to write. */
const IOERR_WRITE = 0x30a;

/**
 * Translates a database error for the caller: `storage_full` when there is no space, `unavailable` while the store
 * can't be used. Other errors are our own faults and are returned unchanged.
 */
export function storageFailure(error: unknown): unknown {
  const code = primaryCode(error);
  if (code === FULL) return new Failure("storage_full", { cause: error });
  if (code !== undefined && [BUSY, LOCKED, READONLY, IOERR, CORRUPT, CANTOPEN].includes(code)) {
    return new Failure("unavailable", { cause: error });
  }
  return error;
}

/** Whether it failed only because another process holds the lock, so that it can be retried as it is. */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const code = primaryCode(error.cause);
  return code === BUSY || code === LOCKED;
}

/** Whether it may succeed with more space: SQLite reports a quota that is used up as any other error of writing. */
export function mayLackSpace(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  return error.code === "storage_full" || codeOf(error.cause) === IOERR_WRITE;
}

/** Why a database at `path` can't be used, in words for the operator: SQLite does not say that its folder is the reason. */
export function reasonOf(error: unknown, path: string): string {
  if (primaryCode(error) !== CANTOPEN || canBeWritten(dirname(path))) return sqliteReason(error);
  return `SQLite must be able to write to the folder ${dirname(path)}, which is read-only for this user. Otherwise copy the database with its -wal and its .files into a folder that can be written, and use the copy`;
}

function canBeWritten(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    // The file system refuses access, which answers the question.
    return false;
  }
}

function primaryCode(error: unknown): number | undefined {
  const code = codeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function codeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isOfSqlite ? Number(error.errcode) : undefined;
}
