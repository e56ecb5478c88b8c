import { mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inPieces, pdf } from "../testing/files.ts";
import { createShelf } from "./shelf.ts";

/** Files below a folder that this process holds open. */
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
  await shelf.keep("att-1", "application/pdf", inPieces(pdf(), 8));
  const { body } = await shelf.open("att-1");
  const reader = body.getReader();
  for (let read = 0; read < pieces; read += 1) await reader.read();
  expect(heldOpen(folder)).toHaveLength(1);
  await reader.cancel();
  expect(heldOpen(folder)).toEqual([]);
});
