import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** These folders hold sessions, keys and what customers wrote: only the owner may read them. */
const OWNER_ONLY = 0o700;

/**
 * Creates a folder and its missing parents, readable by the owner only. The parents are created one by one, because
 * Node's recursive `mkdir` never returns where the kernel answers "not found" to every new folder (`/proc`).
 *
 * @throws Error of the file system
 */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder, OWNER_ONLY);
    } catch (error) {
      // Another process may have created it in the meantime.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** Returns whether `path` is a writable folder or could be created. Changes nothing. */
export function couldBeWritten(path: string): boolean {
  const [first] = missingFolders(path);
  const nearest = first === undefined ? path : dirname(first);
  try {
    accessSync(nearest, constants.W_OK);
    return isFolder(nearest);
  } catch {
    // The file system refuses access, which answers the question.
    return false;
  }
}

/** From the topmost down. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
