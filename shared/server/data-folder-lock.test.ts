import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { mountSmallDisk } from "../../service/testing/small-disk.ts";
import { lockDataFolder } from "./data-folder-lock.ts";

const LOCK = fileURLToPath(new URL("./data-folder-lock.ts", import.meta.url));

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts another process that holds the lock until it is killed. */
async function holdElsewhere(folder: string) {
  const program = `import { lockDataFolder } from ${JSON.stringify(LOCK)};
    lockDataFolder(${JSON.stringify(folder)}, "service");
    console.log("held");
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

describe("the lock on the data folder", () => {
  test("STORE5 a second process is refused with a sentence, and takes the lock of a killed one", async () => {
    const folder = newFolder();
    const other = await holdElsewhere(folder);
    expect(() => lockDataFolder(folder, "service")).toThrow(
      `The data folder ${folder} is in use: another service runs on it. Stop that one, or set DATA_DIR to another folder.`,
    );
    other.kill("SIGKILL");
    await once(other, "close");
    lockDataFolder(folder, "service")();
  });

  test("STORE5 holds within one process too, until it is released", () => {
    const folder = newFolder();
    const unlock = lockDataFolder(folder, "service");
    expect(() => lockDataFolder(folder, "service")).toThrow("is in use");
    // The BFF has its own lock in the same folder.
    lockDataFolder(folder, "BFF")();
    unlock();
    lockDataFolder(folder, "service")();
  });

  test("STORE5 works on a full disk", () => {
    const disk = mountSmallDisk(64 * 1024);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    lockDataFolder(disk.folder, "service")();
    disk.fill();
    lockDataFolder(disk.folder, "service")();
  });

  test("STORE5 a missing folder is refused with a sentence", () => {
    expect(() => lockDataFolder("/nowhere/at/all", "service")).toThrow("can't be locked");
  });
});
