import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { backup } from "node:sqlite";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { openTalk } from "../testing/open-talk.ts";
import { backUpDatabase } from "./backup.ts";
import { checkDatabase } from "./check-database.ts";
import { filesOf } from "./database-files.ts";
import { restoreDatabase } from "./restore.ts";

vi.mock("node:sqlite", async (original) => {
  const sqlite = await original<typeof import("node:sqlite")>();
  return { ...sqlite, backup: vi.fn(sqlite.backup) };
});

/** Runs `happen` after the rows were copied and before the files are. */
function betweenRowsAndFiles(happen: () => Promise<unknown>): void {
  const copyRows = vi.mocked(backup).getMockImplementation();
  vi.mocked(backup).mockImplementationOnce(async (...args) => {
    const pages = await copyRows?.(...args);
    await happen();
    return pages ?? 0;
  });
}

test("OPS3 a file that is erased while a backup is made is left out, and the backup is sound", async () => {
  const { path, store, owner, add } = await openTalk();
  await add();
  betweenRowsAndFiles(() => store.erasure.eraseCustomer(owner.workspaceId, "ann"));
  expect(await backUpDatabase(path, `${path}.backup`)).toMatchObject({ files: 0, faults: [] });
  await store.close();
  await restoreDatabase({
    from: `${path}.backup`,
    to: path,
    force: true,
    clock: systemClock,
    random: systemRandom,
  });
  expect(checkDatabase(path)).toMatchObject({ conversations: 1, files: 0, faults: [] });
});

test("OPS3 a file that is lost while a backup is made is named, and there is no backup", async () => {
  const { path, store, add } = await openTalk();
  const { id } = await add();
  betweenRowsAndFiles(async () => rmSync(join(filesOf(path), id)));
  await expect(backUpDatabase(path, `${path}.backup`)).rejects.toThrow(`File ${id}: it is not there`);
  expect(existsSync(`${path}.backup`)).toBe(false);
  await store.close();
});
