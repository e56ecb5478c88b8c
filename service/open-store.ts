import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { lockDataFolder } from "../shared/server/data-folder-lock.ts";
import { makeDataFolder } from "../shared/server/make-folder.ts";
import { StartError } from "../shared/server/start-error.ts";
import { filesOf, hasDatabase } from "./store/sqlite/database-files.ts";
import { createReserve, type Reserve } from "./store/sqlite/reserve.ts";
import { openSqliteStore, type SqliteStoreDeps } from "./store/sqlite/sqlite-store.ts";
import type { Store, StoreDeps } from "./store/store.ts";

const DATABASE = "service.sqlite";
const RESERVE = "service.reserve";
/** The write-ahead log is checkpointed from 4 MB on. This is enough to checkpoint and to erase on a full disk. */
const RESERVE_BYTES = 16 * 1024 * 1024;

/** Opens the store in the data folder. @throws StartError also when only its database is missing or empty */
export function openStore(
  dataDir: string,
  deps: Omit<StoreDeps, "publish"> & Pick<SqliteStoreDeps, "requireUnused">,
  publish: StoreDeps["publish"],
): Store {
  refuseMissing(dataDir);
  const reserve = reserveOf(dataDir);
  return openSqliteStore({ path: join(dataDir, DATABASE), ...deps, publish, reserve });
}

/**
 * Without its rows the sweep would delete every file of a customer, and SQLite what is left in the write-ahead log, so
 * no new database is created beside them. @throws StartError
 */
export function refuseMissing(dataDir: string): void {
  const path = join(dataDir, DATABASE);
  if (hasDatabase(path)) return;
  const left = [`${DATABASE}-wal`, basename(filesOf(path)), RESERVE].filter((name) =>
    existsSync(join(dataDir, name)),
  );
  if (left.length === 0) return;
  throw new StartError(
    `The database ${path} is missing or empty, although other files of it are there (${left.join(", ")}). Put it back, or a backup: npm run service -- restore FILE --force. To start with an empty database, move those files away.`,
  );
}

/** What erasing on a full disk needs. */
export function reserveOf(dataDir: string): Reserve {
  return createReserve(join(dataDir, RESERVE), RESERVE_BYTES);
}

/** The path of a data folder's database, and the lock that a serving process holds. */
export function databaseOf(dataDir: string): { readonly path: string; readonly lock: () => () => void } {
  return {
    path: join(dataDir, DATABASE),
    lock: () => {
      makeDataFolder(dataDir);
      return lockDataFolder(dataDir, "service");
    },
  };
}
