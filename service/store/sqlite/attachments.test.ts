import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../shared/server/clock.ts";
import { systemRandom } from "../../../shared/server/random.ts";
import { inPieces, jpeg, pdf, png } from "../../testing/files.ts";
import { createManualClock } from "../../testing/manual-clock.ts";
import { UNSENT_MS } from "../attach.ts";
import { MAX_CONVERSATION_FILES } from "../attachments.ts";
import { openTalk, ROUTE } from "../testing/open-talk.ts";
import { backUpDatabase } from "./backup.ts";
import { checkDatabase } from "./check-database.ts";
import { filesOf } from "./database-files.ts";
import { restoreDatabase } from "./restore.ts";

describe("ATT8 files next to the database", () => {
  test("are in the backup, and are restored with it, also into an empty folder", async () => {
    const { path, store, owner, id, add, open } = await openTalk();
    const file = await add();
    await store.conversations.addTurn(owner, id, { clientMessageId: "k", body: "", attachments: [file.id] });
    const backup = `${path}.backup`;
    expect(await backUpDatabase(path, backup)).toMatchObject({ files: 1, faults: [] });
    expect(readdirSync(filesOf(backup))).toEqual([file.id]);
    await store.close();
    rmSync(filesOf(path), { recursive: true });
    expect(checkDatabase(path).faults).toEqual([`File ${file.id}: it is not there, or not what was stored.`]);
    const random = systemRandom;
    await restoreDatabase({ from: backup, to: path, force: true, clock: systemClock, random });
    expect(checkDatabase(path)).toMatchObject({ files: 1, faults: [] });
    const again = open();
    const { size, body } = await again.attachments.open(owner, id, file.id);
    await body.cancel();
    expect(size).toBe(file.size);
    await again.close();
  });

  test("a folder among them, as some network drives make, stops neither sweep nor restore", async () => {
    const { path, store } = await openTalk();
    const folder = filesOf(path);
    mkdirSync(join(folder, "@eaDir"), { recursive: true });
    writeFileSync(join(folder, "stray.partial"), "");
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0);
    expect(await store.attachments.sweep()).toBe(1);
    expect(readdirSync(folder)).toEqual(["@eaDir"]);
    const from = `${path}.backup`;
    await backUpDatabase(path, from);
    await store.close();
    await restoreDatabase({ from, to: path, force: true, clock: systemClock, random: systemRandom });
    expect(checkDatabase(`${path}.replaced`).faults).toEqual([]);
  });

  test("a changed file is detected by check, and makes the backup fail", async () => {
    const { path, store, add } = await openTalk();
    const { id } = await add();
    writeFileSync(join(filesOf(path), id), png());
    expect(checkDatabase(path).faults).toHaveLength(1);
    await expect(backUpDatabase(path, `${path}.backup`)).rejects.toThrow("faulty");
    expect(existsSync(filesOf(`${path}.backup`))).toBe(false);
    await store.close();
  });

  test("STORE6 are erased with the customer, and are in the export until then", async () => {
    const { path, store, owner, add } = await openTalk();
    const file = await add();
    const { conversations } = await store.erasure.exportCustomer(owner.workspaceId, "ann");
    expect(conversations[0]).toMatchObject({ files: [{ id: file.id, name: "a.png", isSent: false }] });
    await store.erasure.eraseCustomer(owner.workspaceId, "ann");
    expect(readdirSync(filesOf(path))).toEqual([]);
    await store.close();
  });

  test("ATT6 a workspace at its quota takes no more files, and has room again after an erasure", async () => {
    const { store, owner, id, add } = await openTalk({ fileQuotaBytes: 100 });
    await add();
    await expect(add()).rejects.toMatchObject({ code: "storage_full" });
    await store.erasure.eraseConversation(owner, id);
    await expect(add()).rejects.toMatchObject({ code: "not_found" });
    await store.close();
  });
});

/** A picture of a million bytes that pauses shortly before its end until the test lets it continue. */
function slowPicture() {
  let goOn = (): void => undefined;
  let isHalf = (): void => undefined;
  const going = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const half = new Promise<void>((resolve) => {
    isHalf = resolve;
  });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    const file = Buffer.from(jpeg());
    const scan = file.indexOf(Buffer.from([0xff, 0xda])) + 10;
    yield file.subarray(0, scan);
    for (let sent = 0; sent < 1.1 * 1024 * 1024; sent += 65_536) yield Buffer.alloc(65_536);
    isHalf();
    await going;
    yield file.subarray(scan);
  }
  return { bytes: bytes(), half, goOn };
}

describe("ATT6 files that are uploaded concurrently", () => {
  test("together stay within the workspace's quota, also before one of them is complete", async () => {
    const { store, owner, id } = await openTalk({ fileQuotaBytes: 2_500_000 });
    const files = Array.from({ length: 3 }, slowPicture);
    const kept: Promise<unknown>[] = [];
    for (const { bytes, half, goOn } of files) {
      const adding = store.attachments
        .add(owner, id, { name: "a.jpg", bytes, idempotencyKey: undefined })
        .then(() => "kept")
        .catch(({ code }: { code: string }) => code);
      kept.push(adding);
      // The one that exceeds the quota is refused before its end.
      await Promise.race([half, adding]);
      if (kept.length === 3) goOn();
    }
    expect(await kept[2]).toBe("storage_full");
    for (const { goOn } of files) goOn();
    expect(await Promise.all(kept)).toEqual(["kept", "kept", "storage_full"]);
    await store.close();
  });

  test("leave half of the quota to identified customers if they are anonymous visitors'", async () => {
    const size = pdf().length;
    const t = await openTalk({ fileQuotaBytes: 6 * size, externalId: `anon_${"0".repeat(20)}` });
    const { workspaceId } = t.owner;
    const customerId = (await t.store.customers.upsert(workspaceId, { externalId: "known" })).id;
    const known = { workspaceId, customerId };
    const start = { subject: undefined, route: ROUTE, locale: undefined };
    const { id } = await t.store.conversations.start(known, start, undefined);
    const add = (owner: typeof known, of: string) =>
      t.store.attachments
        .add(owner, of, { name: "a.pdf", bytes: inPieces(pdf(), 16), idempotencyKey: undefined })
        .then(
          () => "kept",
          ({ code }: { code: string }) => code,
        );
    const visitors = [];
    for (let count = 0; count < 4; count += 1) visitors.push(await add(t.owner, t.id));
    expect(visitors).toEqual(["kept", "kept", "kept", "storage_full"]);
    const customers = [];
    for (let count = 0; count < 4; count += 1) customers.push(await add(known, id));
    expect(customers).toEqual(["kept", "kept", "kept", "storage_full"]);
    await t.store.close();
  });

  test("are at most ten per conversation, and a released place is free", async () => {
    const { store, owner, id, add } = await openTalk();
    const files = Array.from({ length: 10 }, slowPicture);
    const kept = files.map(({ bytes }) =>
      store.attachments.add(owner, id, { name: "a.jpg", bytes, idempotencyKey: undefined }),
    );
    await Promise.all(files.map(({ half }) => half));
    await expect(add()).rejects.toMatchObject({ code: "rate_limited" });
    for (const { goOn } of files) goOn();
    await Promise.all(kept);
    await add();
    await store.close();
  });
});

describe("ATT4 the same file again", () => {
  const again = async ({ store, owner, id }: Awaited<ReturnType<typeof openTalk>>) => {
    const file = { name: "a.png", bytes: inPieces(png(), 16), idempotencyKey: "key-1" };
    return (await store.attachments.add(owner, id, file)).attachment;
  };

  test("is stored again, and not reported as stored, if it was swept away meanwhile", async () => {
    const clock = createManualClock();
    const talk = await openTalk({ clock });
    const { store, owner, id } = talk;
    const first = await again(talk);
    expect(await again(talk)).toEqual(first);
    clock.advance(UNSENT_MS + 1);
    await store.attachments.sweep();
    const second = await again(talk);
    expect(second.id).not.toBe(first.id);
    const { size, body } = await store.attachments.open(owner, id, second.id);
    await body.cancel();
    expect(size).toBe(second.size);
    expect(await again(talk)).toEqual(second);
    await store.close();
  });

  test("is the stored one, even if it was the last that fit", async () => {
    const talk = await openTalk();
    for (let count = 1; count < MAX_CONVERSATION_FILES; count += 1) await talk.add();
    const last = await again(talk);
    expect(await again(talk)).toEqual(last);
    await expect(talk.add()).rejects.toMatchObject({ code: "too_many_files" });
    await talk.store.close();
  });
});

describe("ERASE1 a conversation that is erased during an upload", () => {
  test("refuses the file, and leaves nothing of it on the disk", async () => {
    const { path, store, owner, id, add } = await openTalk();
    await add();
    const { bytes, half, goOn } = slowPicture();
    const adding = store.attachments.add(owner, id, { name: "a.jpg", bytes, idempotencyKey: "key-1" });
    await half;
    await store.erasure.eraseConversation(owner, id);
    goOn();
    await expect(adding).rejects.toMatchObject({ code: "not_found" });
    expect(readdirSync(filesOf(path))).toEqual([]);
    await store.close();
  });
});
