/** SQLite's result code if it can't extend the shared memory of a write-ahead log; in words it says "disk I/O error". */
const IOERR_SHMSIZE = 0x130a;

/** Why SQLite can't open or write a file, in words for the operator. */
export function sqliteReason(error: unknown): string {
  if (!(error instanceof Error)) return "unknown reason";
  return "errcode" in error && error.errcode === IOERR_SHMSIZE ? "its disk has no space left" : error.message;
}
