import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 1024 ** 3;

/**
 * Gives the unit tests a folder in memory for what they keep meanwhile, where the machine has one with room: there a
 * commit's sync costs nothing. What a real disk does is the matter of the slow suites, which keep the disk's folder.
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
    // Not on this system.
    return 0;
  }
}
