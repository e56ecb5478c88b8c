import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSqliteFeedStore } from "../../bff/feeds/sqlite-feed-store.ts";
import { NO_POINTER } from "../../bff/sessions/pointers.ts";
import type { SessionRecord } from "../../bff/sessions/session-store.ts";
import { createSqliteSessionStore } from "../../bff/sessions/sqlite-session-store.ts";
import { lockDataFolder } from "../../shared/server/data-folder-lock.ts";
import { runKept } from "./command-line.ts";

const FILE = "bff.sqlite";

function sessionOf(id: string, externalId: string): SessionRecord {
  return {
    id,
    facts: {
      customer: { externalId, displayName: `Name of ${externalId}`, identified: true },
      route: { channel: "web", agentProvider: "knowledge" },
      capabilities: [],
    },
    sealedToken: new Uint8Array([1, 2, 3]),
    tokenExpiresAt: undefined,
    createdAt: 1,
    lastSeenAt: 1,
  };
}

/** A data folder in which ann, who was anon_1 before, and ben have a session, a pointer and a log each. */
async function openFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-kept-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const path = join(dataDir, FILE);
  const open = () => createSqliteSessionStore(path);
  const store = open();
  const feeds = createSqliteFeedStore(path, () => 1);
  for (const name of ["ann", "ben"]) {
    await store.insert(sessionOf(`session-${name}`, name));
    await store.savePointer(name, {
      ...NO_POINTER,
      conversationId: `c-${name}`,
      status: "open",
      ...(name === "ann"
        ? { owner: "anon_1", aside: [{ ...NO_POINTER, owner: "anon_2", conversationId: "c2" }] }
        : {}),
    });
    await feeds.append({ externalId: name === "ann" ? "anon_1" : name, conversationId: `c-${name}` }, () => [
      {
        type: "message.created",
        seq: 1,
        at: "2026-11-21T00:00:00.000Z",
        message: {
          id: "m1",
          seq: 1,
          role: "customer",
          body: `words of ${name}`,
          at: "2026-11-21T00:00:00.000Z",
        },
      },
    ]);
  }
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const newEpoch = () => "r1";
    const print = (line: string) => void lines.push(line);
    await runKept({
      args,
      dataDir,
      file: FILE,
      lock: (folder) => lockDataFolder(folder, "BFF"),
      newEpoch,
      print,
    });
    return lines.join("\n");
  };
  const close = () => Promise.all([store.close(), feeds.close()]);
  const bytes = () =>
    readdirSync(dataDir)
      .map((name) => readFileSync(join(dataDir, name), "latin1"))
      .join("");
  return { dataDir, path, store, feeds, run, open, close, bytes };
}

describe("what a BFF keeps of a customer", () => {
  test("STORE10 is erased beside a BFF that runs: sessions, pointers, logs, also of the visitor whom they were before", async () => {
    const { store, feeds, run, bytes, dataDir } = await openFolder();
    onTestFinished(lockDataFolder(dataDir, "BFF"));
    const said = await run("erase", "--external-id", "ann");
    expect(said).toContain("Erased 1 sessions, 1 pointers to conversations and 1 entries of logs.");
    expect(said).toContain("They wrote as anon_1");
    expect(said).toContain("They wrote as anon_2");
    expect(said).toContain("A BFF runs here");
    expect(await store.find("session-ann")).toBeUndefined();
    expect(await store.findPointer("ann")).toBeUndefined();
    expect(await feeds.lastSeq({ externalId: "anon_1", conversationId: "c-ann" })).toBe(0);
    expect(bytes()).not.toMatch(/ann\b|anon_1/);
    expect(bytes()).toContain("words of ben");
    expect(await store.find("session-ben")).toBeDefined();
    expect(await run("erase", "--external-id", "ann")).toContain("keeps nothing of this customer");
  });

  test("its words are in the file before (control)", async () => {
    const { bytes } = await openFolder();
    expect(bytes()).toMatch(/words of ann/);
  });
});

describe("a backup of what a BFF keeps", () => {
  test("OPS8 is one file for its owner alone, made while the BFF writes, and comes back under a new epoch", async () => {
    const { dataDir, path, store, run, open, close } = await openFolder();
    const to = join(dataDir, "copy.sqlite");
    expect(await run("backup", to)).toContain("2 sessions, 2 pointers to conversations. It was checked.");
    expect(statSync(to).mode & 0o777).toBe(0o600);
    await store.remove("session-ann");
    await close();
    await expect(run("restore", to)).rejects.toThrow("--force");
    const said = await run("restore", to, "--force");
    expect(said).toContain("Sessions that were ended after the backup was made hold again");
    const again = open();
    expect(await again.find("session-ann")).toBeDefined();
    expect(await again.findPointer("ann")).toMatchObject({
      conversationId: "c-ann",
      epoch: "r1",
      aside: [{ epoch: "r1" }],
    });
    await again.close();
    expect(existsSync(`${path}.replaced`)).toBe(true);
    await run("restore", to, "--force", "--without-sessions");
    const third = open();
    expect(await third.find("session-ben")).toBeUndefined();
    expect(await third.findPointer("ben")).toMatchObject({ conversationId: "c-ben" });
    await third.close();
  });

  test("OPS8 is never put under a BFF that runs, and a file that is no such backup changes nothing", async () => {
    const { dataDir, path, run, close, open } = await openFolder();
    const to = join(dataDir, "copy.sqlite");
    await run("backup", to);
    await close();
    const release = lockDataFolder(dataDir, "BFF");
    await expect(run("restore", to, "--force")).rejects.toThrow("another BFF runs on it");
    release();
    const before = readFileSync(path);
    writeFileSync(join(dataDir, "other"), "not a database");
    await expect(run("restore", join(dataDir, "other"), "--force")).rejects.toThrow("can't be put back");
    expect(readFileSync(path).equals(before)).toBe(true);
    const store = open();
    expect(await store.find("session-ann")).toBeDefined();
    await store.close();
  });

  test.each([
    [[], "There is no such command."],
    [["backup"], "Name the file."],
    [["backup", "/nowhere/at/all"], "There is no folder"],
    [["restore", "missing.sqlite"], "There is no file"],
    [["erase"], "Name the customer with --external-id."],
    [["erase", "--frob"], "Unknown option"],
  ])("%j is refused with a sentence", async (args, sentence) => {
    const { run } = await openFolder();
    await expect(run(...args)).rejects.toThrow(sentence);
  });
});
