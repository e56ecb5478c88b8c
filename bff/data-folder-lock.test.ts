import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { lockDataFolder } from "./data-folder-lock.ts";

it("STORE5 a second BFF on the same data folder is refused with a sentence, until the first has gone", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-bff-lock-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const release = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(
    `The data folder ${folder} is in use: another BFF runs on it. Stop that one, or set DATA_DIR to another folder.`,
  );
  release();
  lockDataFolder(folder)();
});
