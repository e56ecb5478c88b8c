import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { databaseOf } from "../../service/open-store.ts";
import { png } from "../../service/testing/files.ts";
import { makeReadOnly } from "../../service/testing/read-only-file.ts";
import { openTestService, type TestService } from "../../service/testing/test-service.ts";
import { newDatabasePath } from "../../service/testing/test-store.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { systemRandom } from "../../shared/server/random.ts";
import { runDatabaseCommand } from "./database-commands.ts";

async function run(path: string, ...args: string[]): Promise<string> {
  const lines: string[] = [];
  const { lock } = databaseOf(dirname(path));
  await runDatabaseCommand(args, {
    path,
    lock,
    clock: systemClock,
    random: systemRandom,
    print: (line) => void lines.push(line),
  });
  return lines.join("\n");
}

/** A service with one conversation of three messages and their answers. */
async function openTalk(): Promise<{ t: TestService; id: string; file: string }> {
  const t = await openTestService();
  const customer = await t.customer("ann");
  const id = await customer.start();
  for (const body of ["One?", "Two?", "Three?"]) await customer.say(id, body);
  await t.service.settled();
  return { t, id, file: `${newDatabasePath()}.backup` };
}

function change(path: string, sql: string): void {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(sql);
  database.close();
}

describe("backup and restore", () => {
  test("OPS3 a backup is made while the service runs, is checked, and is one file that only its owner may read", async () => {
    const { t, file } = await openTalk();
    expect(await run(t.path, "backup", file)).toMatch(
      /^Backup .*: 1 conversation, 7 events, 3 message keys, 0 files\. It was checked\.$/,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect([`${file}-wal`, `${file}.partial`].filter((path) => existsSync(path))).toEqual([]);
    expect(await run(t.path, "check", file)).toContain("No fault was found.");
  });

  test("OPS3 an existing file is not overwritten, and a missing folder or database is reported in a sentence", async () => {
    const { t, file } = await openTalk();
    await run(t.path, "backup", file);
    const before = readFileSync(file);
    await expect(run(t.path, "backup", file)).rejects.toThrow("is there already");
    for (const command of ["backup", "check"])
      await expect(run(t.path, command, file, "--force")).rejects.toThrow(`${command} takes no --force.`);
    expect(readFileSync(file).equals(before)).toBe(true);
    await expect(run(t.path, "backup", "/nowhere/at/all/x")).rejects.toThrow(
      "There is no folder /nowhere/at/all.",
    );
    await expect(run(newDatabasePath(), "backup", `${file}2`)).rejects.toThrow("There is no database");
    await expect(run(t.path, "backup")).rejects.toThrow("Name the file.");
  });

  test("OPS3 a read-only folder is named, not only that the file can't be opened", async () => {
    const { t, file } = await openTalk();
    await t.close();
    const folder = dirname(t.path);
    for (const name of [`${t.path}-wal`, `${t.path}-shm`]) rmSync(name, { force: true });
    // After the end of the mount, which `makeReadOnly` ends.
    onTestFinished(() => chmodSync(folder, 0o700));
    makeReadOnly(folder, 0o500);
    for (const command of [["check"], ["backup", file], ["compact"]])
      await expect(run(t.path, ...command)).rejects.toThrow(
        `SQLite must be able to write to the folder ${folder}, which is`,
      );
  });

  test("OPS4 a restore brings the backup's content in a log with a new epoch; the former database stays beside it", async () => {
    const { t, id, file } = await openTalk();
    await run(t.path, "backup", file);
    const customer = await t.customer("ann");
    const before = await customer.transcript(id);
    await customer.say(id, "After the backup");
    await t.service.settled();
    await t.close();

    await expect(run(t.path, "restore", file)).rejects.toThrow("add --force to replace it");
    const said = await run(t.path, "restore", file, "--force");
    expect(said).toContain("1 conversation, 7 events, 3 message keys, 0 files");
    expect(said).toContain(`The former database is now ${t.path}.replaced`);
    const again = await t.reopen();
    const restored = await (await again.customer("ann")).transcript(id);
    expect(restored.messages).toEqual(before.messages);
    expect(restored.epoch).not.toBe(before.epoch);
    expect(await run(`${t.path}.replaced`, "check")).toContain("9 events");
    await again.close();
    expect(await run(t.path, "restore", file, "--force")).toContain(`is now ${t.path}.replaced-2`);
    expect(await run(`${t.path}.replaced`, "check")).toContain("9 events");
  });

  test("OPS4 sign-ins of the desk and one-time links that may have ended since the backup are not valid again", async () => {
    const { t, file } = await openTalk();
    change(
      t.path,
      `INSERT INTO desk_users VALUES ('u', '${t.workspace.id}', 'sam@shop.example', 'Sam', '', 'agent', 0, NULL);
       INSERT INTO desk_sessions VALUES ('session', 'u', 'csrf', 0, 0, 9e15);
       INSERT INTO desk_links VALUES ('link', 'u', 'invite', 9e15);`,
    );
    await run(t.path, "backup", file);
    await t.close();
    await run(t.path, "restore", file, "--force");
    const database = new DatabaseSync(t.path);
    const count = database.prepare(
      "SELECT (SELECT count(*) FROM desk_sessions) + (SELECT count(*) FROM desk_links) AS left, count(*) AS people FROM desk_users",
    );
    expect(count.get()).toMatchObject({ left: 0, people: 1 });
    database.close();
  });

  test("OPS4 nothing is restored while a service runs on the folder", async () => {
    const { t, file } = await openTalk();
    await run(t.path, "backup", file);
    const release = databaseOf(dirname(t.path)).lock();
    await expect(run(t.path, "restore", file, "--force")).rejects.toThrow("is in use");
    release();
  });

  test("OPS4 a faulty backup is refused, and the database does not change", async () => {
    const { t, file } = await openTalk();
    await t.close();
    const before = readFileSync(t.path);
    writeFileSync(file, "no database at all".repeat(1000));
    await expect(run(t.path, "restore", file, "--force")).rejects.toThrow("can't be read as a database");
    await expect(run(t.path, "restore", `${file}2`, "--force")).rejects.toThrow("There is no file");
    mkdirSync(`${file}3`);
    await expect(run(t.path, "restore", `${file}3`, "--force")).rejects.toThrow(
      "can't be read as a database",
    );
    expect(readFileSync(t.path).equals(before)).toBe(true);
    expect(existsSync(`${t.path}.replaced`)).toBe(false);
  });

  test("OPS4 a restore that can't copy a file leaves only the old database, and says so", async () => {
    const { t, id, file } = await openTalk();
    const attachment = await (await t.customer("ann")).upload(id, png());
    await run(t.path, "backup", file);
    const other = await openTalk();
    await other.t.close();
    const before = readFileSync(other.t.path);
    mkdirSync(join(`${other.t.path}.files`, attachment.id), { recursive: true });
    await expect(run(other.t.path, "restore", file, "--force")).rejects.toThrow(
      `The database ${other.t.path} is still in its place.`,
    );
    expect(readFileSync(other.t.path).equals(before)).toBe(true);
    const left = readdirSync(dirname(other.t.path)).filter((name) => /replaced|restoring/.test(name));
    expect(left).toEqual([]);
  });

  test("OPS4 a damaged database can be replaced, and its file stays beside it", async () => {
    const { t, file } = await openTalk();
    await run(t.path, "backup", file);
    await t.close();
    writeFileSync(t.path, "damaged".repeat(2000));
    await run(t.path, "restore", file, "--force");
    expect(readFileSync(`${t.path}.replaced`, "utf8")).toContain("damageddamaged");
    expect(await run(t.path, "check")).toContain("No fault was found.");
  });
});

describe("restore without the old database", () => {
  test("OPS4 sets the lost database's write-ahead log aside, and does not add it to the backup", async () => {
    const { t, id, file } = await openTalk();
    await run(t.path, "backup", file);
    const customer = await t.customer("ann");
    for (const body of ["Four?", "Five?", "Six?"]) await customer.say(id, body);
    await t.service.settled();
    const log = readFileSync(`${t.path}-wal`);
    await t.close();
    rmSync(t.path);
    writeFileSync(`${t.path}-wal`, log);
    await run(t.path, "restore", file);
    expect(await run(t.path, "check")).toContain("7 events, 3 message keys, 0 files. No fault was found.");
    expect(readFileSync(`${t.path}.replaced-wal`).equals(log)).toBe(true);
  });

  test("OPS4 the database that the next restore replaces gets a name without the lost one's log", async () => {
    const { t, file } = await openTalk();
    await run(t.path, "backup", file);
    const log = readFileSync(`${t.path}-wal`);
    await t.close();
    rmSync(t.path);
    writeFileSync(`${t.path}-wal`, log);
    await run(t.path, "restore", file);
    await run(t.path, "restore", file, "--force");
    expect(existsSync(`${t.path}.replaced-2`)).toBe(true);
    expect(existsSync(`${t.path}.replaced-2-wal`)).toBe(false);
    expect(readFileSync(`${t.path}.replaced-wal`).equals(log)).toBe(true);
  });
});

describe("beside a database of 0 bytes, as a copy on a full disk leaves it,", () => {
  async function openLost() {
    const { t, file } = await openTalk();
    await run(t.path, "backup", file);
    const log = readFileSync(`${t.path}-wal`);
    await t.close();
    writeFileSync(t.path, "");
    writeFileSync(`${t.path}-wal`, log);
    return { path: t.path, file, log };
  }

  test("OPS4 restore sets the lost database's write-ahead log aside", async () => {
    const { path, file, log } = await openLost();
    await run(path, "restore", file, "--force");
    expect(await run(path, "check")).toContain("7 events, 3 message keys, 0 files. No fault was found.");
    expect(readFileSync(`${path}.replaced-wal`).equals(log)).toBe(true);
  });

  test.each(["check", "compact", "backup"])(
    "STORE3 %s leaves the lost database's write-ahead log, and creates no database",
    async (command) => {
      const { path, log } = await openLost();
      const args = command === "backup" ? [`${path}.copy`] : [];
      await expect(run(path, command, ...args)).rejects.toThrow(
        `There is no database ${path}: it is missing or empty.`,
      );
      expect(statSync(path).size).toBe(0);
      expect(readFileSync(`${path}-wal`).equals(log)).toBe(true);
    },
  );
});

describe("OPS5 check", () => {
  test("an intact log has no fault, also while the service writes it", async () => {
    const { t } = await openTalk();
    expect(await run(t.path, "check")).toBe(
      `${t.path}: 1 conversation, 7 events, 3 message keys, 0 files. No fault was found.`,
    );
  });

  test.each([
    ["a hole in a sequence", "DELETE FROM events WHERE seq = 3", "without a hole"],
    ["a position that is not the last one's", "UPDATE conversations SET last_seq = 99", "last seq"],
    ["an event that is no JSON", "UPDATE events SET data_json = '{' WHERE seq = 2", "not readable"],
    ["a key of no message", "UPDATE message_keys SET seq = 1 WHERE seq = 2", "leads to no message"],
    ["a message without its key", "DELETE FROM message_keys WHERE seq = 2", "has no key"],
    [
      "a text of which a letter changed",
      "UPDATE events SET data_json = replace(data_json, 'One?', 'Ona?') WHERE seq = 2",
      "not the one that was sent",
    ],
    ["rows of a conversation that is gone", "DELETE FROM conversations", "belong to something"],
  ])("finds %s, and no backup is made of it", async (_, sql, fault) => {
    const { t, id, file } = await openTalk();
    await t.close();
    change(t.path, sql);
    await expect(run(t.path, "check")).rejects.toThrow(fault);
    if (!fault.includes("belong")) await expect(run(t.path, "check")).rejects.toThrow(id);
    await expect(run(t.path, "backup", file)).rejects.toThrow(fault);
    expect(existsSync(file)).toBe(false);
  });

  test("a damaged structure is reported", async () => {
    const { t } = await openTalk();
    await t.close();
    const bytes = readFileSync(t.path);
    bytes[4096 * 2] = 0;
    writeFileSync(t.path, bytes);
    await expect(run(t.path, "check")).rejects.toThrow("The file is damaged");
    await expect(run(join(dirname(t.path), "other"), "check")).rejects.toThrow("There is no database");
  });
});

test("STORE6 compact refuses a file that it would not rewrite", async () => {
  const { t, file } = await openTalk();
  await expect(run(t.path, "compact", file)).rejects.toThrow("compact takes no file");
});
