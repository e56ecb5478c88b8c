import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/**
 * Locks the data folder for one program and returns the function that releases it. SQLite takes an operating system lock
 * on an empty file: it ends with the process, so a crash leaves no stale lock. Each program has its own lock file.
 *
 * @param program names the program in the file name and in the sentence for the operator
 * @throws StartError when another process holds the lock
 */
export function lockDataFolder(dataDir: string, program: "BFF" | "service"): () => void {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(join(dataDir, `${program.toLowerCase()}.lock`), { timeout: 0 });
    // Nothing is ever written to the file, so this works on a full disk as well.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const isTaken = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY;
    throw new StartError(
      isTaken
        ? `The data folder ${dataDir} is in use: another ${program} runs on it. Stop that one, or set DATA_DIR to another folder.`
        : `The data folder ${dataDir} can't be locked. Check DATA_DIR and its permissions.`,
      { cause },
    );
  }
  const held = lock;
  return () => {
    if (held.isOpen) held.close();
  };
}
