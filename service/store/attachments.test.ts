import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../clock.ts";
import { systemRandom } from "../ids.ts";
import { inPieces, png } from "../testing/files.ts";
import { newDatabasePath } from "../testing/test-store.ts";
import { backUpDatabase } from "./backup.ts";
import { checkDatabase } from "./check-database.ts";
import { filesOf } from "./database-files.ts";
import { restoreDatabase } from "./restore.ts";
import { openSqliteStore } from "./sqlite-store.ts";

const ROUTE = { channel: "web", agentProvider: "none" };

async function openTalk(options: { fileQuotaBytes?: number } = {}) {
  const path = newDatabasePath();
  const open = () =>
    openSqliteStore({ path, clock: systemClock, random: systemRandom, publish: () => undefined, ...options });
  const store = open();
  const { id: workspaceId } = await store.workspaces.create({ name: "one", publicKey: "pk" });
  const owner = {
    workspaceId,
    customerId: (await store.customers.upsert(workspaceId, { externalId: "ann" })).id,
  };
  const { id } = await store.conversations.start(
    owner,
    { subject: undefined, route: ROUTE, locale: undefined },
    undefined,
  );
  const add = async () =>
    (
      await store.attachments.add(owner, id, {
        name: "a.png",
        bytes: inPieces(png(), 16),
        idempotencyKey: undefined,
      })
    ).attachment;
  return { path, store, open, owner, id, add };
}

describe("ATT8 files beside the database", () => {
  test("are in the backup, and put back with it, also into an empty folder", async () => {
    const { path, store, owner, id, add, open } = await openTalk();
    const file = await add();
    await store.conversations.addTurn(owner, id, { clientMessageId: "k", body: "", attachments: [file.id] });
    const backup = `${path}.backup`;
    expect(await backUpDatabase(path, backup)).toMatchObject({ files: 1, faults: [] });
    expect(readdirSync(filesOf(backup))).toEqual([file.id]);
    await store.close();
    rmSync(filesOf(path), { recursive: true });
    expect(checkDatabase(path).faults).toEqual([`File ${file.id}: it is not there, or not what was kept.`]);
    const random = systemRandom;
    await restoreDatabase({ from: backup, to: path, force: true, clock: systemClock, random });
    expect(checkDatabase(path)).toMatchObject({ files: 1, faults: [] });
    const again = open();
    expect((await again.attachments.open(owner, id, file.id)).size).toBe(file.size);
    await again.close();
  });

  test("a file that was changed is found by check, and makes no backup", async () => {
    const { path, store, add } = await openTalk();
    const { id } = await add();
    writeFileSync(join(filesOf(path), id), png());
    expect(checkDatabase(path).faults).toHaveLength(1);
    await expect(backUpDatabase(path, `${path}.backup`)).rejects.toThrow("faulty");
    expect(existsSync(filesOf(`${path}.backup`))).toBe(false);
    await store.close();
  });

  test("STORE6 go with the customer, and stand in the export until then", async () => {
    const { path, store, owner, add } = await openTalk();
    const file = await add();
    const { conversations } = await store.erasure.exportCustomer(owner.workspaceId, "ann");
    expect(conversations[0]).toMatchObject({ files: [{ id: file.id, name: "a.png", isSent: false }] });
    await store.erasure.eraseCustomer(owner.workspaceId, "ann");
    expect(readdirSync(filesOf(path))).toEqual([]);
    await store.close();
  });

  test("ATT6 a workspace that has its bytes takes no more, and has room again after an erasure", async () => {
    const { store, owner, id, add } = await openTalk({ fileQuotaBytes: 100 });
    await add();
    await expect(add()).rejects.toMatchObject({ code: "storage_full" });
    await store.erasure.eraseConversation(owner, id);
    await expect(add()).rejects.toMatchObject({ code: "not_found" });
    await store.close();
  });
});
