import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { Secret } from "../../shared/server/secret.ts";
import { follow, leave, until } from "../testing/bff-pair.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { freePort } from "../testing/free-port.ts";
import { hasRedis, openOn, startRedis } from "../testing/redis-server.ts";
import { createTestBff, readBlocks } from "../testing/test-bff.ts";
import { openStore } from "./open-store.ts";
import type { Store } from "./store.ts";

const OPERATIONS = fileURLToPath(new URL("../../docs/operations.md", import.meta.url));

const probe = (store: Store) => store.write([{ key: "probe", value: "1", lifeMs: 1000 }]);

describe.runIf(hasRedis)("the password of the store", () => {
  const open = (url: string, lines: string[] = []) => {
    const write = (fields: object, message: string) =>
      void lines.push(JSON.stringify({ ...fields, message }));
    const log = { debug: write, info: write, warn: write, error: write };
    return openStore({ dataDir: "/nowhere", storeUrl: new Secret(url), siteId: "parley" }, { log });
  };

  it("SHARE7 is accepted, and a wrong one gives one sentence without it", async () => {
    const redis = await startRedis(["requirepass canary-right"]);
    const store = await openOn(redis);
    await probe(store);
    const wrong = redis.url.replace("right", "wrong");
    const error: unknown = await open(wrong).catch((thrown: unknown) => thrown);
    expect(String(error)).toBe(
      "StartError: The store at STORE_URL refused this process. Check the user, the password and the database number.",
    );
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  });

  it("SHARE7 is never logged while the store is unavailable, and the start does not wait", async () => {
    const redis = await startRedis(["requirepass canary-right"]);
    await redis.kill();
    const lines: string[] = [];
    const store = await open(redis.url, lines);
    const error: unknown = await probe(store).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unavailable" });
    expect(inspect(error, { depth: 9 }) + lines.join("")).not.toContain("canary");
    expect(lines.join("")).toContain("can't be reached; trying again");
    await redis.restart();
    const isBack = () =>
      probe(store).then(
        () => true,
        () => false,
      );
    await until(isBack);
    await store.close();
  });

  it("SHARE4 a store without room for another client does not prevent a start", async () => {
    const redis = await startRedis(["maxclients 1"]);
    // The one place is taken until this client leaves.
    const guest = connect(Number(new URL(redis.url).port), "127.0.0.1");
    guest.write("PING\r\n");
    await once(guest, "data");
    const lines: string[] = [];
    const store = await open(redis.url, lines);
    onTestFinished(() => store.close());
    expect(lines.join("")).toContain("can't be reached; trying again");
    guest.write("CONFIG SET maxclients 100\r\n");
    await until(() => probe(store).catch(() => false));
    guest.destroy();
  });

  it("SHARE7 a user with only the documented rights is enough", async () => {
    const redis = await startRedis();
    const rights = "~parley:* &parley:* +@read +@write +@scripting +@pubsub +@connection -@dangerous +info";
    await redis.command("ACL", "SETUSER", "chat", "on", ">canary", ...rights.split(" "));
    expect(readFileSync(OPERATIONS, "utf8")).toContain(`ACL SETUSER chat on >PASSWORD ${rights}`);
    const as = { ...redis, url: redis.url.replace("redis://", "redis://chat:canary@") };
    const lines: string[] = [];
    const service = createFakeService();
    withEventLines(service);
    const [a, b] = [await openOn(as, { lines }), await openOn(as, { lines })].map((store) =>
      createTestBff({ service, store }),
    );
    const { token } = (await a?.startConversation()) ?? { token: "" };
    const stream = a && (await follow(a, token));
    expect(b && (await leave(b, token)).status).toBe(200);
    expect(stream && (await readBlocks(stream, 100))).toEqual([]);
    expect(lines).toEqual([]);
    expect(await redis.command("ACL", "LOG"), "nothing was refused").toEqual([]);
  });

  it("SHARE7 a BFF whose Redis user may not publish is not ready, because nobody could log out", async () => {
    const redis = await startRedis();
    const rights = "~parley:* +@read +@write +@scripting +@connection +info";
    await redis.command("ACL", "SETUSER", "chat", "on", ">canary", ...rights.split(" "));
    const as = { ...redis, url: redis.url.replace("redis://", "redis://chat:canary@") };
    const bff = createTestBff({ service: createFakeService(), store: await openOn(as) });
    expect((await bff.request("GET", "/readyz")).status).toBe(503);
    const { token } = await bff.startSession();
    expect((await leave(bff, token)).status).toBe(503);
    expect(bff.lines.join("\n")).toContain('"code":"NOPERM"');
  });

  it("SHARE7 the log says why a store can't be reached", async () => {
    const redis = await startRedis();
    await redis.kill();
    const lines: string[] = [];
    await open(redis.url, lines).then((store) => store.close());
    expect(lines.join("")).toMatch(/^\{"code":"ECONNREFUSED","message":"the store at STORE_URL can't/);
  });

  it("SHARE7 the log also says why a store that was connected can't be reached any more", async () => {
    const redis = await startRedis();
    const lines: string[] = [];
    await openOn(redis, { lines });
    await redis.kill();
    await until(() => lines.join("").includes("ECONNREFUSED"));
  });

  it("SHARE7 settings that lose state are named in the log", async () => {
    const lines: string[] = [];
    await openOn(await startRedis(["maxmemory-policy allkeys-lru", "appendonly no"]), { lines });
    expect(lines.join("\n")).toMatch(/maxmemory-policy noeviction[\s\S]*appendonly yes/);
    const ofCluster: string[] = [];
    const cluster = ["cluster-enabled yes", `cluster-port ${await freePort()}`];
    await openOn(await startRedis(cluster), { lines: ofCluster });
    expect(ofCluster).toEqual([expect.stringContaining("is a cluster")]);
    const right: string[] = [];
    await openOn(await startRedis(), { lines: right });
    expect(right).toEqual([]);
  });
});
