import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";

/** A folder with limited space. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk with a file; the returned function removes it. */
  fill(): () => void;
}

const MAX_FILL_BYTES = 64 * 1024 * 1024;
const BLOCK_BYTES = 4096;

/**
 * Creates a disk of `bytes`, removed after the test. With `files` it holds that many files and folders, its own root
 * included; 0 sets no limit. Returns undefined if this account may not mount one: then a database is limited by its own
 * page count instead (`boundPages`).
 */
export function mountSmallDisk(bytes: number, files = 0): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "parley-disk-"));
  try {
    const options = `size=${bytes},nr_inodes=${files}`;
    execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { stdio: "ignore" });
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

/** Makes a database full at its current size: it may not grow by a page. The returned function lifts that. */
export function boundPages(database: DatabaseSync): () => void {
  const pages = Number(Object.values(database.prepare("PRAGMA page_count").get() ?? {})[0]);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  return () => database.exec("PRAGMA max_page_count = 1073741823");
}
