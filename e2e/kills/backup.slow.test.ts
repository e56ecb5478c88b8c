import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { backUpDatabase } from "../../service/store/sqlite/backup.ts";
import { checkDatabase } from "../../service/store/sqlite/check-database.ts";
import { restoreDatabase } from "../../service/store/sqlite/restore.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";

const WRITER = fileURLToPath(new URL("./kill-writer-main.ts", import.meta.url));
/** `BACKUPS` increases it. */
const BACKUPS = Number(process.env["BACKUPS"] ?? 4);
/** How many keys are acknowledged between two backups, at least. */
const BETWEEN = 200;

describe("a backup while another process writes as fast as it can", () => {
  test(`OPS3 OPS4 ${BACKUPS} times: it contains everything acknowledged before it began, is intact, and can be restored`, async () => {
    const path = newDatabasePath();
    const child = spawn(process.execPath, [WRITER, path, "backup"], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
    const acknowledged = () => printed.split("\n").slice(0, -1);
    for (let round = 0; round < BACKUPS; round += 1) {
      const enough = acknowledged().length + BETWEEN;
      while (acknowledged().length < enough) await once(child.stdout, "data");
      const before = acknowledged();
      const file = `${path}.${round}`;
      expect(await backUpDatabase(path, file)).toMatchObject({ faults: [] });
      const restored = newDatabasePath();
      await restoreDatabase({
        from: file,
        to: restored,
        force: false,
        clock: systemClock,
        random: systemRandom,
      });
      const database = new DatabaseSync(restored, { readOnly: true });
      const rows = database.prepare("SELECT client_message_id AS key FROM message_keys").all();
      database.close();
      const keys = new Set(rows.map(({ key }) => key));
      expect(before.filter((key) => !keys.has(key))).toEqual([]);
    }
    child.kill("SIGKILL");
    await once(child, "close");
    expect(checkDatabase(path).faults).toEqual([]);
  });
});
