import { spawn } from "node:child_process";
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { newDatabasePath } from "../../service/testing/test-store.ts";

const WRITER = fileURLToPath(new URL("./kill-writer-main.ts", import.meta.url));
/** `KILLS` sets another number. */
const ROUNDS = Number(process.env["KILLS"] ?? 50);
/** Shifts the moments of the kills in each run of the test. */
const SHIFT = Date.now() % 60;
/** A round starts a process: 1.4 s on two idle cores, several times that beside other tests. */
const PATIENCE_MS = 900_000;
/** Rounds in which the loss of acknowledged writes must be detected; it shows in nearly every one. */
const CONTROL_ROUNDS = 10;

/**
 * Writes until `enough` keys were acknowledged, then kills the process in the middle. Returns every key that it
 * printed.
 */
async function writeAndKill(path: string, round: number, enough: number, mode = ""): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, path, String(round), mode], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    printed += chunk;
    if (printed.length >= enough * 8) child.kill("SIGKILL");
  });
  await once(child, "close");
  expect(child.signalCode).toBe("SIGKILL");
  // The kill may have cut the last line, so it does not count as an acknowledgement.
  return printed.split("\n").slice(0, -1);
}

interface Found {
  readonly integrity: unknown;
  readonly keys: Set<unknown>;
  readonly holes: number;
  readonly unequal: number;
}

/** Opens the files after the kill, as the next process would. */
function inspect(path: string): Found {
  const database = new DatabaseSync(path);
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  const found = {
    integrity: one("PRAGMA integrity_check"),
    keys: new Set(
      database
        .prepare("SELECT client_message_id AS key FROM message_keys")
        .all()
        .map((row) => row["key"]),
    ),
    holes: Number(
      one(`SELECT count(*) FROM (SELECT count(*) AS many, max(seq) AS last FROM events GROUP BY conversation_id)
           WHERE many <> last`),
    ),
    unequal: Number(
      one(`SELECT count(*) FROM conversations c
           WHERE last_seq <> (SELECT count(*) FROM events e WHERE e.conversation_id = c.id)`),
    ),
  };
  database.close();
  return found;
}

describe("SIGKILL while messages are written", () => {
  test(
    `MSG1 MSG4 ${ROUNDS} times (shift ${SHIFT}): every acknowledged message is stored, the file is sound, no seq is missing`,
    async () => {
      const path = newDatabasePath();
      const acknowledged = new Set<string>();
      for (let round = 0; round < ROUNDS; round += 1) {
        // At another moment each time, from the first writes to some thousands.
        for (const key of await writeAndKill(path, round, 20 + ((SHIFT + round * 37) % 60) * 20))
          acknowledged.add(key);
        const found = inspect(path);
        expect(found).toMatchObject({ integrity: "ok", holes: 0, unequal: 0 });
        expect([...acknowledged].filter((key) => !found.keys.has(key))).toEqual([]);
      }
      expect(acknowledged.size).toBeGreaterThan(ROUNDS * 20);
    },
    PATIENCE_MS,
  );

  test("a writer that acknowledges before the commit is detected (control)", async () => {
    const path = newDatabasePath();
    let lost = 0;
    for (let round = 0; round < CONTROL_ROUNDS && lost === 0; round += 1) {
      const printed = await writeAndKill(path, round, 100, "early");
      const { keys } = inspect(path);
      lost += printed.filter((key) => !keys.has(key)).length;
    }
    expect(lost).toBeGreaterThan(0);
  });
});
