import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { runOnFolder } from "./run-on-folder.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-commands-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const run = (dataDir: string, ...args: readonly string[]) =>
  runOnFolder(args, {
    env: { ["DATA_DIR"]: dataDir },
    readFile: (path) => readFileSync(path, "utf8"),
    clock: systemClock,
    random: systemRandom,
    print: () => undefined,
  });

describe("with a DATA_DIR that is no folder of a service", () => {
  test("credential create in a folder without a database fails with a sentence and creates nothing", async () => {
    const folder = newFolder();
    const dataDir = join(folder, "data");
    await expect(run(dataDir, "credential", "create", "--workspace", "ws_1")).rejects.toThrow(
      new StartError(`There is no database ${dataDir}/service.sqlite: is DATA_DIR the folder of a service?`),
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("with a DATA_DIR whose database is empty or missing", () => {
  test.each([
    [["service.sqlite"], "is DATA_DIR the folder of a service?"],
    [["service.sqlite", "service.sqlite-wal"], "Put it back, or a backup"],
    [["service.sqlite-wal"], "Put it back, or a backup"],
  ])(
    "workspace list with only %j fails with a sentence and leaves the files as they are",
    async (files, expected) => {
      const dataDir = newFolder();
      for (const file of files) writeFileSync(join(dataDir, file), "");
      const refused = await run(dataDir, "workspace", "list").catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StartError);
      expect(refused).toMatchObject({ message: expect.stringContaining(expected) });
      expect(readdirSync(dataDir)).toEqual(files);
      for (const file of files) expect(statSync(join(dataDir, file)).size).toBe(0);
    },
  );
});
