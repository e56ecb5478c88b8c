import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 1024 ** 3;

/**
 * Gives the unit tests a temporary folder in memory, if the machine has one with enough room: there a commit's sync
 * costs nothing. The slow suites test real disks, and use the disk's folder.
 */
export function setup(): () => void {
  if (roomIn(MEMORY) < ENOUGH_BYTES) return () => undefined;
  const folder = mkdtempSync(join(MEMORY, "parley-tests-"));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    // This system has no such folder.
    return 0;
  }
}
