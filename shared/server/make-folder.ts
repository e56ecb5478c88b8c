import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isDiskFull } from "./disk-full.ts";
import { StartError } from "./start-error.ts";

/** These folders hold sessions, keys and what customers wrote: only the owner may read them. */
const OWNER_ONLY = 0o700;

/**
 * Creates a folder and its missing parents, readable by the owner only. The parents are created one by one, because
 * Node's recursive `mkdir` never returns where the kernel answers "not found" to every new folder (`/proc`).
 *
 * @throws Error of the file system
 */
export function makeFolder(path: string): void {
  const folder = resolve(path);
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, OWNER_ONLY);
  } catch (error) {
    // Another process may have created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

/** Creates the data folder, and makes sure that it can be written. @throws StartError */
export function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    // Only writing shows it: `access` also permits a folder on a disk that an error made read-only.
    rmdirSync(mkdtempSync(join(dataDir, "probe-")));
  } catch (cause) {
    // On a full disk a program still starts, so that it can erase.
    if (isDiskFull(cause) && isFolder(dataDir)) return;
    const sentence = `The data folder ${dataDir} can't be written. Check its disk and its permissions, or set DATA_DIR to another folder.`;
    throw new StartError(sentence, { cause });
  }
}

/** Returns whether `path` is a writable folder or could be created. Changes nothing. */
export function couldBeWritten(path: string): boolean {
  const nearest = nearestFolder(path);
  try {
    accessSync(nearest, constants.W_OK);
    return isFolder(nearest);
  } catch {
    // The file system refuses access, which answers the question.
    return false;
  }
}

/** The folder itself, or the nearest one above it that exists. */
export function nearestFolder(path: string): string {
  let folder = resolve(path);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
