import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { inPieces, pdf } from "../testing/files.ts";
import { createShelf } from "./shelf.ts";

/** Files in a folder that this process holds open. */
function heldOpen(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      // Closed since it was listed.
      return [];
    }
  });
}

test.each([0, 1])("a file whose reader leaves after %d pieces is not held open", async (pieces) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-shelf-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shelf = createShelf(folder);
  await shelf.store("att-1", "application/pdf", inPieces(pdf(), 8));
  const { body } = await shelf.open("att-1");
  const reader = body.getReader();
  for (let read = 0; read < pieces; read += 1) await reader.read();
  expect(heldOpen(folder)).toHaveLength(1);
  await reader.cancel();
  expect(heldOpen(folder)).toEqual([]);
});

test("GATE5 the disk gets files in pieces, one of all files after the other", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-shelf-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shelf = createShelf(folder);
  const handle = await open(folder, "r");
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const sync = vi.spyOn(prototype, "sync");
  let running = 0;
  let most = 0;
  const sizes = new Map<FileHandle, number>();
  let largest = 0;
  sync.mockImplementation(async function (this: FileHandle) {
    const stats = await this.stat();
    if (!stats.isFile()) return;
    running += 1;
    most = Math.max(most, running);
    largest = Math.max(largest, stats.size - (sizes.get(this) ?? 0));
    sizes.set(this, stats.size);
    await this.datasync();
    running -= 1;
  });
  onTestFinished(() => sync.mockRestore());
  async function* pieces() {
    yield Buffer.from("%PDF-1.7\n");
    for (let count = 0; count < 32; count += 1) yield Buffer.alloc(64 * 1024);
  }
  await Promise.all(["a", "b", "c"].map((id) => shelf.store(id, "application/pdf", pieces())));
  expect([sizes.size, most]).toEqual([3, 1]);
  expect(largest).toBeLessThanOrEqual((512 + 64) * 1024);
});
