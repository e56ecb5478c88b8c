import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { createHeldPause } from "../../testing/held-pause.ts";
import { boundPages, mountSmallDisk } from "../../testing/small-disk.ts";
import type { TestCustomer } from "../../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../../testing/test-service.ts";
import { newDatabasePath } from "../../testing/test-store.ts";
import type { Store } from "../store.ts";
import { openDatabase } from "./database.ts";
import { createSqliteStore, openSqliteStore } from "./sqlite-store.ts";

const MEGABYTE = 1024 * 1024;
const LONG = "A long message. ".repeat(200);

const turns = (id: string) => `/v1/support/conversations/${id}/turns`;
const turn = (key: string) => ({ clientMessageId: key, content: { body: LONG, format: "plain" } });

/** Sends until the service refuses; returns the keys that it acknowledged and its refusal. */
async function sendUntilRefused(customer: TestCustomer, id: string) {
  const acknowledged: string[] = [];
  for (;;) {
    const key = `fill-${acknowledged.length}`;
    const answer = await customer.post(turns(id), turn(key));
    if (!answer.ok) return { acknowledged, refusal: await problemOf(answer) };
    await answer.text();
    acknowledged.push(key);
  }
}

async function keysIn(customer: TestCustomer, id: string): Promise<(string | undefined)[]> {
  const { messages } = await customer.transcript(id);
  return messages.filter(({ role }) => role === "customer").map((message) => message.clientMessageId);
}

/** A conversation whose agent is silent, because a person was asked for: every message is one write. */
async function openTalk(t: TestService) {
  const customer = await t.customer("ann");
  const id = await customer.start();
  await customer.post("/v1/support/handoffs", { conversationId: id });
  return { customer, id };
}

/** Another connection that holds the lock until the returned function is called. */
function holdLock(path: string): () => void {
  const other = new DatabaseSync(path);
  other.exec("BEGIN IMMEDIATE");
  return () => {
    other.exec("ROLLBACK");
    other.close();
  };
}

interface SmallStore {
  readonly store: Store;
  readonly database: DatabaseSync;
}

function openStoreWithDatabase(): SmallStore {
  const database = openDatabase(newDatabasePath(), 0);
  const store = createSqliteStore(database, {
    clock: systemClock,
    random: systemRandom,
    publish: () => undefined,
  });
  onTestFinished(() => store.close());
  return { store, database };
}

describe("a full disk", () => {
  test("STORE1 a real one: messages are refused with 507, none is acknowledged, reads work, and writes work again once there is space", async () => {
    const disk = mountSmallDisk(MEGABYTE);
    // Without permission to mount a disk, the next test proves the same with the database's own limit.
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const t = await openTestService({}, disk.folder);
    const { customer, id } = await openTalk(t);
    const giveBack = disk.fill();
    const { acknowledged, refusal } = await sendUntilRefused(customer, id);
    expect(refusal).toMatchObject({ status: 507, code: "storage_full" });
    expect(await keysIn(customer, id)).toEqual(acknowledged);
    const ready = await t.request("/readyz");
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("is full")]);

    giveBack();
    const again = await customer.post(turns(id), turn(`fill-${acknowledged.length}`));
    expect(again.status).toBe(201);
    await again.text();
    expect(await keysIn(customer, id)).toEqual([...acknowledged, `fill-${acknowledged.length}`]);
    t.clock.advance(1000);
    expect((await t.request("/readyz")).status).toBe(200);
  });

  test("STORE1 at the database's own limit: writes are refused and leave nothing, reads work, and writes work again without a restart", async () => {
    const { store, database } = openStoreWithDatabase();
    const workspace = await store.workspaces.create({ name: "one", publicKey: "pk" });
    const lift = boundPages(database);
    const names = Array.from({ length: 200 }, (_, index) => `customer ${index}`);
    const upserts = names.map((externalId) =>
      store.customers.upsert(workspace.id, { externalId, attributes: { note: LONG.slice(0, 250) } }),
    );
    for (const one of await Promise.allSettled(upserts)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "storage_full" } });
    }
    expect(await store.workspaces.list()).toHaveLength(1);
    expect(database.prepare("SELECT count(*) AS n FROM customers").get()).toEqual({ n: 0 });
    lift();
    await store.customers.upsert(workspace.id, { externalId: "ann" });
  });
});

describe("a store that can't be written", () => {
  test("STORE2 a read-only one refuses writes with unavailable, reads, and recovers without a restart", async () => {
    const { store, database } = openStoreWithDatabase();
    database.exec("PRAGMA query_only = ON");
    await expect(store.probe()).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.workspaces.list()).toEqual([]);
    database.exec("PRAGMA query_only = OFF");
    await store.probe();
  });

  test("STORE2 while another process holds the lock, reads are answered immediately; a write waits, and is refused with 503", async () => {
    const lockWait = createHeldPause();
    const t = await openTestService({}, undefined, { pause: lockWait.pause });
    const { customer, id } = await openTalk(t);
    const release = holdLock(t.path);
    let refused = false;
    const write = customer.post(turns(id), turn("locked")).then((answer) => {
      refused = true;
      return problemOf(answer);
    });
    await lockWait.untilHeld();
    for (let read = 0; read < 5; read += 1) {
      expect(await keysIn(customer, id)).toEqual([]);
      expect(refused).toBe(false);
    }
    lockWait.letGo();
    expect(await write).toMatchObject({ status: 503, code: "unavailable" });
    expect(lockWait.asked).toBeLessThanOrEqual(2000);
    expect(lockWait.asked).toBeGreaterThan(1900);
    expect((await t.request("/readyz")).status).toBe(503);
    release();
    expect((await customer.post(turns(id), turn("free"))).status).toBe(201);
    expect(await keysIn(customer, id)).toEqual(["free"]);
  });

  test("STORE2 a lock that is released in time causes no refusal", async () => {
    const t = await openTestService();
    const { customer, id } = await openTalk(t);
    const release = holdLock(t.path);
    const write = customer.post(turns(id), turn("waits"));
    await keysIn(customer, id);
    release();
    expect((await write).status).toBe(201);
  });
});

describe("a database that is removed while the process runs", () => {
  test.each(["", "-wal"])(
    "STORE9 without its file%s each write is refused and reads continue; after the file is back, writes continue",
    async (end) => {
      const t = await openTestService();
      const customer = await t.customer("ann");
      const id = await customer.start();
      await customer.say(id, "before");
      renameSync(t.path + end, `${t.path}.away`);
      const turn = { clientMessageId: "meanwhile", content: { body: "meanwhile", format: "plain" } };
      const refused = await customer.post(`/v1/support/conversations/${id}/turns`, turn);
      expect(refused.status).toBe(503);
      // A different file in its place does not count as the same one.
      writeFileSync(t.path + end, "");
      expect((await customer.post(`/v1/support/conversations/${id}/turns`, turn)).status).toBe(503);
      const bodies = (await customer.transcript(id)).messages.map(({ body }) => body);
      expect(bodies).toContain("before");
      expect(bodies).not.toContain("meanwhile");
      renameSync(`${t.path}.away`, t.path + end);
      await customer.say(id, "meanwhile", "meanwhile");
    },
  );

  test("STORE9 if it disappears in the middle of a commit, nothing that a later start would not find is acknowledged", async () => {
    const path = newDatabasePath();
    const database = openDatabase(path, 0);
    const store = createSqliteStore(database, {
      clock: systemClock,
      random: systemRandom,
      publish: () => undefined,
    });
    onTestFinished(() => store.close());
    database.function("take_away", () => {
      renameSync(path, `${path}.away`);
      return 0;
    });
    // A temporary trigger, so that it fires once the transaction runs and leaves nothing in the file.
    database.exec("CREATE TEMP TRIGGER taken AFTER INSERT ON workspaces BEGIN SELECT take_away(); END");
    const made = store.workspaces.create({ name: "acme", publicKey: "pk" });
    await expect(made).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("a damaged database", () => {
  /** A database with some content, closed, and where its second page begins. */
  async function makeDatabase(): Promise<string> {
    const path = newDatabasePath();
    const store = openSqliteStore({
      path,
      clock: systemClock,
      random: systemRandom,
      publish: () => undefined,
    });
    for (let one = 0; one < 50; one += 1) {
      await store.workspaces.create({ name: `workspace ${one}`, publicKey: `pk ${one}` });
    }
    await store.close();
    return path;
  }
  const open = (path: string) => openDatabase(path, 0).close();

  test.each([
    ["the type of its root page", 100],
    ["the type of another page", 4096 * 2],
    ["a cell's place on a page", 4096 * 2 + 9],
  ])(
    "STORE3 one flipped byte in %s: the start is refused with a sentence, and the file is as it was",
    async (_, at) => {
      const path = await makeDatabase();
      const bytes = readFileSync(path);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      writeFileSync(path, bytes);
      expect(() => open(path)).toThrow(
        /^The database .* (is damaged \(.*\)\. It was not changed|can't be opened)/,
      );
      expect(readFileSync(path).equals(bytes)).toBe(true);
    },
  );

  test("STORE3 without the flip it opens (control)", async () => {
    const path = await makeDatabase();
    expect(() => open(path)).not.toThrow();
  });
});
