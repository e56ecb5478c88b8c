import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSqliteStore } from "../../bff/store/sqlite-store.ts";
import { freePort } from "../../bff/testing/free-port.ts";
import { hasRedis, startRedis } from "../../bff/testing/redis-server.ts";
import { Secret } from "../../shared/server/secret.ts";
import { examineStores } from "./examine-store.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-doctor-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BASE = { baseUrl: undefined, storeUrl: undefined, siteId: "parley" };
const ofFolder = async (dataDir: string) =>
  (await examineStores({ ...BASE, dataDir })).map(({ level, sentence }) => `${level} ${sentence}`);
const ofStore = async (url: string) => {
  const settings = { ...BASE, baseUrl: "https://support.example.com", dataDir: join(folder, "unused") };
  const findings = await examineStores({ ...settings, storeUrl: new Secret(url) });
  return findings.map(({ level, sentence }) => `${level} ${sentence}`);
};

describe("DOC2 the doctor at the data folder", () => {
  it("finds nothing wrong with a good folder, and leaves nothing in it", async () => {
    await createSqliteStore(join(folder, "bff.sqlite")).close();
    const before = readdirSync(folder);
    expect(await ofFolder(folder)).toEqual([`good The data folder ${folder} (DATA_DIR) can be written.`]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("does not create a missing folder", async () => {
    const missing = join(folder, "a/b");
    expect((await ofFolder(missing))[0]).toMatch(/^good .* does not exist yet/);
    expect(existsSync(join(folder, "a"))).toBe(false);
  });

  it("reports a file in its place, and a folder in which nothing can be created", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    for (const path of [file, join(file, "data"), "/proc/parley"]) {
      expect((await ofFolder(path))[0]).toMatch(/^fault .*can't be written|^fault .*takes no file/);
    }
  });

  it("reports a file that is not a database, and one that can't be opened", async () => {
    writeFileSync(join(folder, "bff.sqlite"), "this is no database at all");
    mkdirSync(join(folder, "service.sqlite"));
    expect(await ofFolder(folder)).toEqual([
      `fault ${folder}/bff.sqlite is not a database.`,
      expect.stringMatching(/^fault .*service\.sqlite can't be read and written by this user \(EISDIR\)/),
    ]);
  });
});

describe("DOC2 the doctor at the shared store", () => {
  it("reports a store that does not answer", async () => {
    expect(await ofStore(`redis://127.0.0.1:${await freePort()}`)).toEqual([
      "fault The store at STORE_URL can't be reached, or takes no writes.",
    ]);
  });

  it.skipIf(!hasRedis)("finds nothing wrong with a good store, and leaves nothing in it", async () => {
    const redis = await startRedis();
    expect(await ofStore(redis.url)).toEqual(["good The store at STORE_URL can be written."]);
    expect(await redis.command("DBSIZE")).toBe(0);
    expect(existsSync(join(folder, "unused"))).toBe(false);
  });

  it.skipIf(!hasRedis)(
    "reports a store that refuses the password, one that is full, and one that may evict sessions",
    async () => {
      const locked = await startRedis(["requirepass right"]);
      expect(await ofStore(locked.url.replace("right", "wrong-canary"))).toEqual([
        expect.stringMatching(/^fault The store at STORE_URL refused this process\. Check the user/),
      ]);
      const full = await startRedis(["maxmemory 1"]);
      expect(await ofStore(full.url)).toEqual([
        "fault The store at STORE_URL can't be reached, or takes no writes.",
      ]);
      const evicting = await startRedis(["maxmemory-policy allkeys-lru"]);
      expect((await ofStore(evicting.url))[1]).toMatch(/^note The store at STORE_URL may evict sessions/);
    },
  );
});
