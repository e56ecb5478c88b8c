import { randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Config } from "../../bff/config.ts";
import { openStore, STORE_FILE } from "../../bff/store/open-store.ts";
import { type Log, SILENT_LOG } from "../../shared/server/log.ts";
import { couldBeWritten, nearestFolder } from "../../shared/server/make-folder.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { type Finding, fault, good, note } from "./finding.ts";

type Settings = Pick<Config, "baseUrl" | "dataDir" | "storeUrl" | "siteId">;

/** As large as what a start reserves and writes at once, so that a full disk is noticed. */
const PROBE_BYTES = 64 * 1024;
const DATABASES = [STORE_FILE, "service.sqlite"];
const SQLITE_HEAD = "SQLite format 3\0";

/** Examines where the process stores its state: the shared store, the data folder, or both. Nothing stays there. */
export async function examineStores(config: Settings): Promise<readonly Finding[]> {
  // With a shared store and a service elsewhere the folder is not used.
  const folder =
    config.storeUrl === undefined || config.baseUrl === undefined ? examineFolder(config.dataDir) : [];
  return [...folder, ...(config.storeUrl === undefined ? [] : await examineShared(config))];
}

/** Writes an entry that nobody reads, and deletes it. */
async function examineShared(config: Settings): Promise<readonly Finding[]> {
  const key = `doctor:${randomUUID()}`;
  const warnings: string[] = [];
  const log: Log = { ...SILENT_LOG, warn: (_, text) => void warnings.push(text) };
  try {
    const store = await openStore(config, { log });
    try {
      await store.write([{ key, value: "1", lifeMs: 60_000 }]);
      await store.write([{ key, value: null }]);
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof StartError) return [fault(error.message)];
    return [fault("The store at STORE_URL can't be reached, or takes no writes.")];
  }
  const notes = warnings.map((text) => note(`${text[0]?.toUpperCase()}${text.slice(1)}.`));
  return [good("The store at STORE_URL can be written."), ...notes];
}

function examineFolder(dataDir: string): readonly Finding[] {
  const named = `The data folder ${dataDir} (DATA_DIR)`;
  if (!couldBeWritten(dataDir)) return [fault(`${named} can't be written, or is not a folder.`)];
  const probe = join(nearestFolder(dataDir), `.doctor-${randomUUID()}`);
  try {
    writeFileSync(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600, flush: true });
  } catch (error) {
    return [fault(`${named} takes no file (${codeOf(error)}). Check its disk and its permissions.`)];
  } finally {
    rmSync(probe, { force: true });
  }
  if (!existsSync(dataDir)) return [good(`${named} does not exist yet; the first start makes it.`)];
  const faults = DATABASES.filter((name) => existsSync(join(dataDir, name)))
    .map((name) => examineDatabase(join(dataDir, name)))
    .filter((finding) => finding !== undefined);
  return faults.length > 0 ? faults : [good(`${named} can be written.`)];
}

/** Only its beginning: its contents are read by a start, and by `npm run service -- check`. */
function examineDatabase(path: string): Finding | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    const head = Buffer.alloc(SQLITE_HEAD.length);
    const file = openSync(path, "r");
    try {
      const size = readSync(file, head);
      if (size > 0 && head.toString("latin1") !== SQLITE_HEAD) return fault(`${path} is not a database.`);
    } finally {
      closeSync(file);
    }
    return undefined;
  } catch (error) {
    return fault(`${path} can't be read and written by this user (${codeOf(error)}).`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
