import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { compileCacheFolder } from "./compile-cache.ts";

const ME = process.getuid?.();

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("the compile cache's folder", () => {
  it("is created below the data folder, for the owner only", () => {
    const dataDir = newFolder();
    const folder = compileCacheFolder(dataDir, ME);
    expect(folder).toBe(join(dataDir, "compile-cache"));
    expect(statSync(join(dataDir, "compile-cache")).mode & 0o777).toBe(0o700);
    expect(compileCacheFolder(dataDir, ME)).toBe(folder);
  });

  it("is below the folder that a link leads to", () => {
    const link = join(newFolder(), "link");
    symlinkSync(newFolder(), link);
    expect(compileCacheFolder(link, ME)).toBe(join(link, "compile-cache"));
  });

  it("is not used where there is no data folder", () => {
    expect(compileCacheFolder(join(newFolder(), "missing"), ME)).toBeUndefined();
  });

  it("is not used where the data folder's path is a file", () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    expect(compileCacheFolder(file, ME)).toBeUndefined();
  });

  it("is not used where the data folder can't be read", () => {
    const link = join(newFolder(), "link");
    symlinkSync(link, link);
    expect(compileCacheFolder(link, ME)).toBeUndefined();
  });

  it("is not used where others can write to it, or planted it", () => {
    const open = newFolder();
    mkdirSync(join(open, "compile-cache"));
    chmodSync(join(open, "compile-cache"), 0o777);
    expect(compileCacheFolder(open, ME)).toBeUndefined();
    const linked = newFolder();
    symlinkSync(newFolder(), join(linked, "compile-cache"));
    expect(compileCacheFolder(linked, ME)).toBeUndefined();
    expect(compileCacheFolder(newFolder(), (ME ?? 0) + 1)).toBeUndefined();
  });
});
