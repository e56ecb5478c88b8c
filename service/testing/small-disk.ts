import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";

/** A folder whose room ends. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all room that is left on it, by a file; the answer gives it back. */
  fill(): () => void;
}

const MAX_FILL_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 4096;

/**
 * A disk of `bytes` of its own, which goes when the test is over; undefined where this account may not mount one.
 * There a database is bounded by its own limit instead (`boundPages`).
 */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "parley-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["-l", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      for (;;) {
        const { bavail, bsize } = statfsSync(folder);
        const free = bavail * bsize;
        if (free < BLOCK_BYTES || free > MAX_FILL_BYTES) break;
        writeFileSync(ballast, Buffer.alloc(free, 1), { flag: "a" });
      }
      return () => rmSync(ballast);
    },
  };
}

/** Makes a database full where it stands: it may have no page more than it has. The answer lifts that. */
export function boundPages(database: DatabaseSync): () => void {
  const pages = Number(Object.values(database.prepare("PRAGMA page_count").get() ?? {})[0]);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  return () => database.exec("PRAGMA max_page_count = 1073741823");
}
