import { accessSync, constants, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** What customers wrote lies in it: its owner alone may look in. */
const OWNER_ONLY = 0o700;

/**
 * Makes a folder with whatever is missing above it, one by one: asked for all of it at once, Node never comes back where
 * the kernel refuses new folders as "not there" (`/proc`).
 *
 * @throws Error of the file system
 */
export function makeFolder(path: string): void {
  for (const folder of missingFolders(path)) {
    try {
      mkdirSync(folder, OWNER_ONLY);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!isFolder(folder)) throw error;
    }
  }
}

/** Whether `path` is a folder that can be written, or could be made; nothing is changed to find out. */
export function couldBeWritten(path: string): boolean {
  const [first] = missingFolders(path);
  const nearest = first === undefined ? path : dirname(first);
  try {
    accessSync(nearest, constants.W_OK);
    return isFolder(nearest);
  } catch {
    // Refused: that is the answer.
    return false;
  }
}

/** From the highest down. */
function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
