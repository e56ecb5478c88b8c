import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { checkDatabase } from "../../service/store/sqlite/check-database.ts";

const WRITER = fileURLToPath(new URL("../kills/kill-writer-main.ts", import.meta.url));
const IMAGE_BYTES = 48 * 1024 * 1024;
const DATABASE = "service.sqlite";

/** The result of a power cut. */
export interface PowerCut {
  /** Keys whose acknowledgement had been printed when the power failed. */
  readonly acknowledged: readonly string[];
  /** Those of them that are missing afterwards. */
  readonly lost: readonly string[];
  readonly faults: readonly string[];
}

export interface PowerCutOptions {
  /** The power is cut after this many acknowledgements. */
  readonly enough: number;
  /** How the writer works; `unsynced` syncs nothing to the disk. */
  readonly mode?: "unsynced";
}

/** Whether this account may mount a file as a disk. */
export function canCutPower(): boolean {
  if (process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), "parley-power-"));
  try {
    mount(makeImage(folder), join(folder, "disk"));
    unmount(join(folder, "disk"));
    return true;
  } catch {
    // No loop devices, or no mkfs: then a power cut can't be simulated.
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The store writes to a file system on a separate disk, which is a file. Data that the system has not written to that
 * disk (memory pages that were not synced) is not in the file. A copy of it, taken while the writer is stopped, is the
 * disk as a power cut at that moment would leave it. The copy is mounted, which replays the file system's own journal,
 * and its database is opened as the next start would.
 */
export async function cutPower({ enough, mode }: PowerCutOptions): Promise<PowerCut> {
  const folder = mkdtempSync(join(tmpdir(), "parley-power-"));
  const before = join(folder, "disk");
  const after = join(folder, "after");
  try {
    const image = makeImage(folder);
    mount(image, before);
    // The database is already safe on the disk: whatever is lost was written later.
    await write(join(before, DATABASE), "first", 1);
    execFileSync("sync", ["-f", before]);
    const acknowledged = await write(join(before, DATABASE), "second", enough, mode, () => {
      copyFileSync(image, `${image}.cut`);
    });
    unmount(before);
    mount(`${image}.cut`, after);
    try {
      const path = join(after, DATABASE);
      const { faults } = checkDatabase(path);
      return { acknowledged, lost: missingOf(path, acknowledged), faults };
    } finally {
      unmount(after);
    }
  } finally {
    for (const disk of [before, after]) unmount(disk);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes until `enough` were acknowledged, stops the writer, calls `cut`, and kills it. Returns the keys. */
async function write(
  path: string,
  round: string,
  enough: number,
  mode = "",
  cut: () => void = () => undefined,
) {
  const child = spawn(process.execPath, [WRITER, path, round, mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  let isCut = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (isCut || printed.split("\n").length <= enough) return;
    isCut = true;
    // Anything that is still printed was acknowledged before the stop, because the writer can't write any more.
    child.kill("SIGSTOP");
    cut();
    child.kill("SIGKILL");
  });
  await once(child, "close");
  if (!isCut) throw new Error("the writer ended by itself");
  return printed.split("\n").slice(0, -1);
}

function missingOf(path: string, keys: readonly string[]): string[] {
  const database = new DatabaseSync(path);
  const find = database.prepare("SELECT 1 FROM message_keys WHERE client_message_id = ?");
  const missing = keys.filter((key) => find.get(key) === undefined);
  database.close();
  return missing;
}

function makeImage(folder: string): string {
  const image = join(folder, "image");
  writeFileSync(image, "");
  truncateSync(image, IMAGE_BYTES);
  execFileSync("mkfs.ext4", ["-q", image], { stdio: "ignore" });
  return image;
}

/** `commit`: the file system itself syncs nothing during the test. */
function mount(image: string, at: string): void {
  mkdirSync(at, { recursive: true });
  execFileSync("mount", ["-o", "loop,commit=300", image, at], { stdio: "ignore" });
}

function unmount(at: string): void {
  if (!existsSync(at)) return;
  try {
    execFileSync("umount", [at], { stdio: "ignore" });
  } catch {
    // Not mounted (any more): every path ends here.
  }
}
