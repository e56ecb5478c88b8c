import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/**
 * Takes the data folder for this BFF, and gives the way to release it. It is a lock of the operating system, which SQLite
 * takes on an empty file: it ends with the process, however that ends, so nothing stale can stay behind. The service has
 * a lock of its own beside it.
 *
 * @throws Error with one sentence when another BFF has it
 */
export function lockDataFolder(dataDir: string): () => void {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, "bff.lock"), { timeout: 0 });
    // Nothing is ever written in it: it works on a full disk as well.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const isTaken = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY;
    throw new Error(
      isTaken
        ? `The data folder ${dataDir} is in use: another BFF runs on it. Stop that one, or set DATA_DIR to another folder.`
        : `The data folder ${dataDir} can't be locked. Check DATA_DIR and its permissions.`,
      { cause },
    );
  }
  const held = lock;
  return () => {
    if (held.isOpen) held.close();
  };
}
