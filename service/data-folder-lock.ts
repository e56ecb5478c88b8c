import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StartError } from "./start-error.ts";

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

export interface DataFolderLock {
  release(): void;
}

/**
 * Takes the data folder for this process. It is a lock of the operating system, which SQLite takes on an empty file
 * beside the store: it ends with the process, however that ends, so nothing stale can stay behind.
 *
 * @throws StartError with one sentence when another process has it
 */
export function lockDataFolder(dataDir: string, name: string): DataFolderLock {
  const path = join(dataDir, `${name}.lock`);
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written in it: it works on a full disk as well.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock?.close();
    const isTaken = cause instanceof Error && "errcode" in cause && cause.errcode === SQLITE_BUSY;
    throw new StartError(
      isTaken
        ? `The data folder ${dataDir} is in use: another ${name} runs on it. Stop that one, or set DATA_DIR to another folder.`
        : `The data folder ${dataDir} can't be locked: check DATA_DIR and its permissions.`,
      { cause },
    );
  }
  const held = lock;
  return {
    release() {
      if (held.isOpen) held.close();
    },
  };
}
