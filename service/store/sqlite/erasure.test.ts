import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { mountSmallDisk } from "../../testing/small-disk.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import type { Owner } from "../owner.ts";
import type { Store } from "../store.ts";
import { checkDatabase } from "./check-database.ts";
import { openDatabase } from "./database.ts";
import { createReserve } from "./reserve.ts";
import { createSqliteStore, openSqliteStore } from "./sqlite-store.ts";

const CANARY = "canary";
/** Room for a write-ahead log of 4 MB, the size at which it is first checkpointed, and for that checkpoint. */
const DISK_BYTES = 16 * 1024 * 1024;
const RESERVE_BYTES = 8 * 1024 * 1024;
/** SQLite's result code for a write that the system refused. */
const IOERR_WRITE = 778;
const ROUTE = { channel: "web", agentProvider: "none", humanHandoffAdapter: "desk" };

function open(path: string, reserveBytes?: number): Store {
  const reserve =
    reserveBytes === undefined ? undefined : createReserve(join(dirname(path), "reserve"), reserveBytes);
  reserve?.fill();
  const store = openSqliteStore({
    path,
    clock: systemClock,
    random: systemRandom,
    publish: () => undefined,
    reserve,
  });
  onTestFinished(() => store.close());
  return store;
}

/** A customer whose name appears in everything that they leave in the store. */
async function addCustomer(store: Store, workspaceId: string, name: string): Promise<Owner> {
  const profile = {
    externalId: name,
    email: `${name}@example.com`,
    displayName: name,
    attributes: { note: name },
  };
  return { workspaceId, customerId: (await store.customers.upsert(workspaceId, profile)).id };
}

const keyOf = (name: string, index: number) => ({
  clientMessageId: `${name}-${index}`,
  body: `${name} says ${"something ".repeat((index * 7) % 60)} ${index} ${name}`,
});

async function talk(store: Store, owner: Owner, name: string): Promise<string> {
  await store.customers.keepSelection(owner, { sessionId: `session ${name}`, route: ROUTE, locale: "en" });
  const { id } = await store.conversations.start(
    owner,
    { subject: `About ${name}`, route: ROUTE, locale: "en" },
    { key: `start ${name}`, bodyHash: name },
  );
  await store.handoffs.request(
    owner,
    {
      conversationId: id,
      reason: `reason ${name}`,
      currentIntent: name,
      transcript: `summary ${name}`,
      adapter: "desk",
    },
    { key: `ask ${name}`, bodyHash: name },
  );
  return id;
}

/** Writes the canary word until the store takes no more. */
async function talkUntilRefused(store: Store, { owner, id }: { owner: Owner; id: string }): Promise<void> {
  for (let index = 1000; ; index += 1) {
    const sent = store.conversations.addTurn(owner, id, keyOf(CANARY, index));
    const isRefused = await sent.then(
      () => false,
      () => true,
    );
    if (isRefused) return;
  }
}

/** Counts a word in the files of a folder: the database, its write-ahead log, and whatever else is there. */
function countInFiles(folder: string, word: string): number {
  const files = readdirSync(folder).filter((file) => file.startsWith("service.sqlite"));
  return files.reduce(
    (sum, file) => sum + readFileSync(join(folder, file), "latin1").split(word).length - 1,
    0,
  );
}

/** Makes a database larger by this many megabytes, and checkpoints them from the write-ahead log. */
function addBallast(path: string, megabytes: number): void {
  const database = new DatabaseSync(path);
  const bytes = megabytes * 1024 * 1024;
  database.prepare("INSERT INTO meta (key, value) VALUES ('ballast', hex(zeroblob(?)))").run(bytes / 2);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Several customers who chat at the same time, so that their rows share pages. */
async function openTalks(path: string, messages: number, reserveBytes?: number) {
  const store = open(path, reserveBytes);
  const workspace = await store.workspaces.create({ name: "one", publicKey: "pk" });
  const names = ["alice", CANARY, "bertha", "carola"];
  const talks = await Promise.all(
    names.map(async (name) => {
      const owner = await addCustomer(store, workspace.id, name);
      return { name, owner, id: await talk(store, owner, name) };
    }),
  );
  for (let index = 0; index < messages; index += 1) {
    for (const { name, owner, id } of talks) await store.conversations.addTurn(owner, id, keyOf(name, index));
  }
  const [, canary] = talks;
  if (!canary) throw new Error("There is no canary.");
  return { store, workspaceId: workspace.id, canary, others: talks.filter((one) => one !== canary) };
}

async function expectUnharmed(store: Store, others: { owner: Owner; id: string }[], messages: number) {
  for (const { owner, id } of others) {
    expect((await store.conversations.readTranscript(owner, id, 0, 1000)).messages).toHaveLength(messages);
  }
}

describe("erasure", () => {
  test("STORE6 of a customer leaves no trace of them in the files, and does not change others' data", async () => {
    const path = newDatabasePath();
    const { store, workspaceId, canary, others } = await openTalks(path, 60);
    expect(countInFiles(dirname(path), CANARY)).toBeGreaterThan(60);
    expect(await store.erasure.eraseCustomer(workspaceId, CANARY)).toEqual({
      conversations: 1,
      overwritten: true,
    });
    expect(countInFiles(dirname(path), CANARY)).toBe(0);
    await expectUnharmed(store, others, 60);
    expect(checkDatabase(path).faults).toEqual([]);
    await expect(store.conversations.readTranscript(canary.owner, canary.id, 0, 1000)).rejects.toMatchObject({
      code: "conversation_erased",
    });
    await expect(store.erasure.eraseCustomer(workspaceId, CANARY)).rejects.toMatchObject({
      code: "not_found",
    });
  });

  test("STORE6 of one conversation leaves none of its text, and the customer's other conversations stay", async () => {
    const path = newDatabasePath();
    const { store, canary } = await openTalks(path, 1);
    const { id } = await store.conversations.start(
      canary.owner,
      { subject: undefined, route: ROUTE, locale: undefined },
      { key: "second", bodyHash: "second" },
    );
    await store.conversations.addTurn(canary.owner, id, { clientMessageId: "k", body: "a lonely sparrow" });
    expect((await store.erasure.eraseConversation(canary.owner, id)).overwritten).toBe(true);
    expect(countInFiles(dirname(path), "lonely sparrow")).toBe(0);
    // Its audit entry, and the fact that it was erased, with its index.
    expect(countInFiles(dirname(path), id)).toBe(3);
    expect(
      (await store.conversations.readTranscript(canary.owner, canary.id, 0, 1000)).messages,
    ).toHaveLength(1);
    // Idempotent: a caller that missed the first answer may ask again.
    expect(await store.erasure.eraseConversation(canary.owner, id)).toEqual({
      conversations: 0,
      overwritten: true,
    });
  });

  test("STORE6 of a long conversation lets the messages of others commit meanwhile", async () => {
    const path = newDatabasePath();
    const { store, canary, others } = await openTalks(path, 400);
    const [other] = others;
    if (!other) throw new Error("There is no other.");
    let isErased = false;
    const erased = store.erasure.eraseConversation(canary.owner, canary.id).finally(() => {
      isErased = true;
    });
    let said = 0;
    for (; !isErased; said += 1) {
      await store.conversations.addTurn(other.owner, other.id, keyOf(other.name, 400 + said));
    }
    await erased;
    // 400 events are eight pieces.
    expect(said).toBeGreaterThanOrEqual(7);
    expect(checkDatabase(path).faults).toEqual([]);
  });

  test("STORE6 of a linked conversation forgets the answer that its visitor got for its start", async () => {
    const { store, workspaceId, others } = await openTalks(newDatabasePath(), 1);
    const [other] = others;
    if (!other) throw new Error("There is no other.");
    const visitor = await addCustomer(store, workspaceId, `anon_${"v".repeat(20)}`);
    const given = { subject: undefined, route: ROUTE, locale: undefined };
    const start = () => store.conversations.start(visitor, given, { key: "start", bodyHash: "start" });
    const { id } = await start();
    await store.conversations.link(workspaceId, id, {
      externalId: `anon_${"v".repeat(20)}`,
      linkedTo: other.name,
    });
    expect((await start()).id).toBe(id);
    await store.erasure.eraseConversation(other.owner, id);
    expect((await start()).id).not.toBe(id);
    await expectUnharmed(store, [other], 1);
  });

  test("STORE6 another customer's conversation is not found, and stays", async () => {
    const { store, canary, others } = await openTalks(newDatabasePath(), 1);
    const [other] = others;
    if (!other) throw new Error("There is no other.");
    await expect(store.erasure.eraseConversation(other.owner, canary.id)).rejects.toMatchObject({
      code: "not_found",
    });
    await expectUnharmed(store, [canary], 1);
  });

  test("STORE6 after many pages were split and joined, no copy is left in unused space", async () => {
    const path = newDatabasePath();
    const store = open(path);
    const workspace = await store.workspaces.create({ name: "one", publicKey: "pk" });
    const names = Array.from({ length: 12 }, (_, index) => (index % 3 === 0 ? CANARY : "other") + index);
    const talks = await Promise.all(
      names.map(async (name) => {
        const owner = await addCustomer(store, workspace.id, name);
        return { name, owner, id: await talk(store, owner, name) };
      }),
    );
    for (let index = 0; index < 100; index += 1) {
      await Promise.all(
        talks.map(({ name, owner, id }, place) =>
          store.conversations.addTurn(owner, id, {
            clientMessageId: `${name}-${index}`,
            body: `${name} `.repeat(1 + ((index * 31 + place * 17) % (index % 17 === 0 ? 400 : 30))),
          }),
        ),
      );
    }
    for (const { name } of talks.filter((one) => one.name.startsWith(CANARY))) {
      expect((await store.erasure.eraseCustomer(workspace.id, name)).overwritten).toBe(true);
    }
    expect(countInFiles(dirname(path), CANARY)).toBe(0);
    expect(checkDatabase(path).faults).toEqual([]);
  });

  test("STORE6 in a large database it does not claim that no copy is left; compact removes the last ones", async () => {
    const path = newDatabasePath();
    const { store, workspaceId, others } = await openTalks(path, 60);
    addBallast(path, 16);
    const erased = await store.erasure.eraseCustomer(workspaceId, CANARY);
    expect(erased).toEqual({ conversations: 1, overwritten: false });
    expect(await store.erasure.compact()).toBe(true);
    expect(countInFiles(dirname(path), CANARY)).toBe(0);
    await expectUnharmed(store, others, 60);
  });

  test("while another process reads, it does not claim that the write-ahead log is empty", async () => {
    const path = newDatabasePath();
    const { store, workspaceId } = await openTalks(path, 1);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM events").get();
    const erased = await store.erasure.eraseCustomer(workspaceId, CANARY);
    expect(erased.overwritten).toBe(false);
    expect(countInFiles(dirname(path), CANARY)).toBeGreaterThan(0);
    reader.close();
  });

  test("control: without overwriting, deleted words stay in the file", async () => {
    const path = newDatabasePath();
    const { store } = await openTalks(path, 60);
    await store.close();
    const database = new DatabaseSync(path);
    database.exec("PRAGMA secure_delete = OFF; PRAGMA foreign_keys = ON; DELETE FROM conversations");
    database.close();
    expect(countInFiles(dirname(path), CANARY)).toBeGreaterThan(0);
  });

  test("STORE7 works completely on a full disk, and fills its reserve again", async () => {
    const disk = mountSmallDisk(DISK_BYTES);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const path = join(disk.folder, "service.sqlite");
    const { store, workspaceId, canary, others } = await openTalks(path, 120, RESERVE_BYTES);
    disk.fill();
    await talkUntilRefused(store, canary);
    expect(await store.erasure.eraseCustomer(workspaceId, CANARY)).toEqual({
      conversations: 1,
      overwritten: true,
    });
    // Checked at once, before anything else reads or checks the files, because it was claimed.
    expect(countInFiles(disk.folder, CANARY)).toBe(0);
    await expect(store.conversations.readTranscript(canary.owner, canary.id, 0, 1000)).rejects.toMatchObject({
      code: "conversation_erased",
    });
    await expectUnharmed(store, others, 120);
    expect(checkDatabase(path).faults).toEqual([]);
    expect(existsSync(join(disk.folder, "reserve"))).toBe(true);
  });

  test("STORE7 does not claim to be complete if the reserve is too small to rewrite the file", async () => {
    const disk = mountSmallDisk(2 * DISK_BYTES);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const path = join(disk.folder, "service.sqlite");
    const { store, workspaceId, others } = await openTalks(path, 60, RESERVE_BYTES);
    addBallast(path, 10);
    const makeRoom = disk.fill();
    expect(await store.erasure.eraseCustomer(workspaceId, CANARY)).toEqual({
      conversations: 1,
      overwritten: false,
    });
    await expectUnharmed(store, others, 60);
    expect(existsSync(join(disk.folder, "reserve"))).toBe(true);
    makeRoom();
    expect(await store.erasure.compact()).toBe(true);
    expect(countInFiles(disk.folder, CANARY)).toBe(0);
  });

  test("STORE7 works while a quota is used up, which SQLite reports as an error of writing", async () => {
    const path = newDatabasePath();
    const reserve = join(dirname(path), "reserve");
    const database = openDatabase(path, 0);
    const prepare = database.prepare.bind(database);
    database.prepare = (sql) => {
      const statement = prepare(sql);
      if (sql !== "COMMIT") return statement;
      const commit = statement.run.bind(statement);
      statement.run = () => {
        if (!existsSync(reserve)) return commit();
        throw Object.assign(new Error("disk I/O error"), { errcode: IOERR_WRITE });
      };
      return statement;
    };
    const store = createSqliteStore(database, {
      clock: systemClock,
      random: systemRandom,
      publish: () => undefined,
      reserve: createReserve(reserve, RESERVE_BYTES),
    });
    onTestFinished(() => store.close());
    const { id: workspaceId } = await store.workspaces.create({ name: "one", publicKey: "pk" });
    await talk(store, await addCustomer(store, workspaceId, CANARY), CANARY);
    createReserve(reserve, RESERVE_BYTES).fill();
    await expect(store.probe()).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.erasure.eraseCustomer(workspaceId, CANARY)).toEqual({
      conversations: 1,
      overwritten: true,
    });
    expect(countInFiles(dirname(path), CANARY)).toBe(0);
  });

  test("STORE7 a store is opened on a full disk with the reserve, and erases", async () => {
    const disk = mountSmallDisk(DISK_BYTES);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const path = join(disk.folder, "service.sqlite");
    const first = await openTalks(path, 20, RESERVE_BYTES);
    await first.store.close();
    disk.fill();
    const store = open(path, RESERVE_BYTES);
    expect((await store.erasure.eraseCustomer(first.workspaceId, CANARY)).overwritten).toBe(true);
    expect(countInFiles(disk.folder, CANARY)).toBe(0);
  });

  test("without a reserve, erasing fails on a full disk (control)", async () => {
    const disk = mountSmallDisk(DISK_BYTES);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const path = join(disk.folder, "service.sqlite");
    const { store, workspaceId, canary } = await openTalks(path, 120);
    disk.fill();
    await talkUntilRefused(store, canary);
    await expect(store.erasure.eraseCustomer(workspaceId, CANARY)).rejects.toMatchObject({
      code: "storage_full",
    });
  });
});

describe("export", () => {
  test("STORE8 has everything stored about the customer, and nothing of others", async () => {
    const { store, workspaceId } = await openTalks(newDatabasePath(), 3);
    const exported = await store.erasure.exportCustomer(workspaceId, CANARY);
    expect(exported).toMatchObject({
      customer: { externalId: CANARY, email: `${CANARY}@example.com`, attributes: { note: CANARY } },
      selections: [{ route: ROUTE }],
      conversations: [{ subject: `About ${CANARY}`, handoffs: [{ transcript: `summary ${CANARY}` }] }],
    });
    const text = JSON.stringify(exported);
    for (let index = 0; index < 3; index += 1) expect(text).toContain(keyOf(CANARY, index).body);
    expect(text).not.toMatch(/alice|bertha|carola/);
    await expect(store.erasure.exportCustomer(workspaceId, "nobody")).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
