import { Failure } from "../../../shared/errors.ts";

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

function primaryCode(error: unknown): number | undefined {
  const code = codeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function codeOf(error: unknown): number | undefined {
  const isOfSqlite = error instanceof Error && "errcode" in error && typeof error.errcode === "number";
  return isOfSqlite ? Number(error.errcode) : undefined;
}
