import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Sessions and keys lie in it: its owner alone may look in. */
const OWNER_ONLY = 0o700;

/**
 * Makes a folder with whatever is missing above it, one by one: asked for all of it at once, Node never comes back where
 * the kernel refuses new folders as "not there" (`/proc`).
 *
 * @throws Error of the file system
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  for (const folder of missing) {
    try {
      mkdirSync(folder, OWNER_ONLY);
    } catch (error) {
      // Another process may have made it in the meantime.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
