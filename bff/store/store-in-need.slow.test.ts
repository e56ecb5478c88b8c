import { connect, createServer } from "node:net";
import { pipeline } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { listenOnFreePort } from "../../shared/testing/listen.ts";
import { hashToken } from "../sessions/token.ts";
import { follow, leave, openPair, resume, send, start, until } from "../testing/bff-pair.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { hasRedis, openOn, startRedis } from "../testing/redis-server.ts";
import { createTestBff, dataOf, problemOf, readBlocks, type TestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";

describe.runIf(hasRedis)("a store that is unavailable", () => {
  it("SHARE4 is an outage and not a logout: 503, open streams stay, and everything continues when it is back", async () => {
    const { a, b, redis, service } = await openPair();
    const lines = withEventLines(service);
    const { token } = await a.startConversation();
    const stream = await follow(a, token);
    const before = service.seen.length;
    await redis.kill();
    for (const bff of [a, b]) {
      const refused = [resume, leave, follow, (one: TestBff, at: string) => send(one, at, "k2")];
      for (const ask of refused) expect(await problemOf(await ask(bff, token))).toBe("503 unavailable");
      expect(await problemOf(await bff.post("/api/session", {}))).toBe("503 unavailable");
      const ready = await bff.request("GET", "/readyz");
      expect(ready.status).toBe(503);
      expect(await ready.json()).toMatchObject({ reasons: ["The session store can't be written."] });
      expect((await bff.request("GET", "/livez")).status).toBe(200);
    }
    expect(service.seen, "nothing was asked of the service").toHaveLength(before);
    lines[0]?.send(messageEvent(3));
    expect((await readBlocks(stream, 1)).map(dataOf)).toMatchObject([{ seq: 3 }]);
    await redis.restart();
    for (const bff of [a, b]) await until(async () => (await bff.request("GET", "/readyz")).status === 200);
    expect((await send(b, token, "k2")).status).toBe(201);
    // Signals of other processes arrive again.
    expect((await leave(b, token)).status).toBe(200);
    await readBlocks(stream, 100);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
  });

  it("SHARE4 counts as unavailable after 2 seconds without an answer", async () => {
    const redis = await startRedis();
    const clock = createTestClock();
    const bff = createTestBff({
      service: createFakeService(),
      clock,
      store: await openOn(redis, { clock }),
    });
    const { token } = await bff.startSession();
    redis.child.kill("SIGSTOP");
    onTestFinished(() => void redis.child.kill("SIGCONT"));
    const asked = resume(bff, token);
    await clock.advance(2000);
    expect(await problemOf(await asked)).toBe("503 unavailable");
    redis.child.kill("SIGCONT");
    await until(async () => (await resume(bff, token)).status === 200);
  });

  it("SHARE4 is sent nothing more while it is silent, because a write keeps a dead connection from being replaced", async () => {
    const redis = await startRedis();
    const clock = createTestClock();
    const store = await openOn(redis, { clock });
    redis.child.kill("SIGSTOP");
    onTestFinished(() => void redis.child.kill("SIGCONT"));
    const get = async () => store.get("none");
    for (let times = 0; times < 3; times += 1) {
      const asked = get().catch((error: unknown) => error);
      await clock.advance(2000);
      expect(await asked).toMatchObject({ code: "unavailable" });
    }
    redis.child.kill("SIGCONT");
    await until(() =>
      get().then(
        () => true,
        () => false,
      ),
    );
    expect(await redis.command("INFO", "commandstats"), "the first and the last").toMatch(
      /cmdstat_get:calls=2,/,
    );
  });

  it("SHARE4 loses nothing acknowledged when it crashes and the BFFs restart", async () => {
    const { a, redis, another } = await openPair();
    const { token, id } = await a.startConversation();
    await a.bff.close();
    await redis.restart();
    const next = await another();
    expect(await (await resume(next, token)).json()).toMatchObject({ conversation: { id } });
  });
});

describe.runIf(hasRedis)("a failover", () => {
  it("SHARE4 is followed by new connections where the former primary lives on as a replica", async () => {
    const [former, next] = [await startRedis(), await startRedis()];
    // A managed Redis has one name, which leads new connections to the primary.
    let primary = Number(new URL(former.url).port);
    const name = createServer((incoming) => {
      const onward = connect(primary, "127.0.0.1");
      pipeline(incoming, onward, incoming, () => undefined);
    });
    const { port } = await listenOnFreePort(name);
    onTestFinished(() => void name.close());
    const lines: string[] = [];
    const clock = createTestClock();
    const store = await openOn({ ...former, url: `redis://127.0.0.1:${port}` }, { lines, clock });
    const change = { key: "session", value: "1", lifeMs: 60_000 };
    expect(await store.write([change])).toBe(true);
    const heard: string[] = [];
    store.subscribe("ended", (text) => heard.push(text));

    const nextPort = Number(new URL(next.url).port);
    await former.command("REPLICAOF", "127.0.0.1", String(nextPort));
    const refused = async () => {
      const error: unknown = await store.write([change]).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "unavailable", cause: { code: "READONLY" } });
    };
    await refused();
    // While the name still leads to the replica, it answers reads.
    const isRead = async () => {
      try {
        return (await store.get("none")) === undefined;
      } catch {
        return false;
      }
    };
    await until(isRead);
    await refused();
    expect(await isRead()).toBe(true);
    primary = nextPort;
    await clock.advance(1000);
    const isWritten = () => store.write([change]).catch(() => false);
    await until(isWritten);
    expect(await next.command("EXISTS", "parley:parley:session")).toBe(1);
    await former.kill();
    await until(async () => {
      await next.command("PUBLISH", "parley:parley:ended", "somebody");
      return heard.length > 0;
    });
  });
});

describe.runIf(hasRedis)("a full store", () => {
  it("SHARE5 refuses new sessions, lets conversations continue and customers log out, and reports it", async () => {
    const { a, b, redis } = await openPair({}, { settings: ["maxmemory 4mb"] });
    const { token } = await a.startConversation();
    const other = await b.startSession();
    let count = 0;
    const fits = async (size: number) => {
      count += 1;
      return redis.command("SET", `fill:${count}`, "x".repeat(size)).then(
        () => true,
        () => false,
      );
    };
    // Redis frees its clients' idle buffers, which makes room again. Filling with small values leaves little room.
    const fill = async () => {
      for (let size = 1 << 14; size >= 16; size /= 2) while (await fits(size));
    };
    await until(async () => {
      await fill();
      return (await b.post("/api/session", {})).status === 507;
    });
    await fill();
    expect(await problemOf(await b.post("/api/session", {}))).toBe("507 storage_full");
    await fill();
    expect(await problemOf(await start(a, other.token))).toBe("507 storage_full");
    await fill();
    expect((await a.request("GET", "/readyz")).status).toBe(503);
    expect((await send(b, token, "k2")).status).toBe(201);
    expect((await resume(a, token)).status).toBe(200);
    expect((await leave(b, token)).status).toBe(200);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
    await redis.command(
      "EVAL",
      "for _, k in ipairs(redis.call('KEYS','fill:*')) do redis.call('DEL',k) end",
      "0",
    );
    await until(async () => (await b.request("GET", "/readyz")).status === 200);
    expect((await b.post("/api/session", {})).status).toBe(201);
  });
});

describe.runIf(hasRedis)("foreign values in the store", () => {
  it("SHARE6 authenticate nobody, lead nowhere, and are not overwritten", async () => {
    const { a, redis } = await openPair();
    const spoil: readonly ((record: Record<string, unknown>) => unknown)[] = [
      () => "not a session",
      (record) => ({
        ...record,
        facts: { ...(record["facts"] as object), customer: { externalId: 5, identified: "yes" } },
      }),
      (record) => ({ ...record, sealedToken: "00ff" }),
      (record) => ({ ...record, createdAt: "long ago" }),
      (record) => ({ ...record, facts: { ...(record["facts"] as object), route: "{" } }),
    ];
    for (const spoiled of spoil) {
      const { token } = await a.startSession();
      const key = `parley:parley:session:${hashToken(token)}`;
      expect((await resume(a, token)).status).toBe(200);
      const record = JSON.parse(String(await redis.command("GET", key))) as Record<string, unknown>;
      await redis.command("SET", key, JSON.stringify(spoiled(record)));
      expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
    }
    const other = await a.startSession();
    await redis.command("DEL", `parley:parley:session:${hashToken(other.token)}`);
    await redis.command("HSET", `parley:parley:session:${hashToken(other.token)}`, "kind", "anonymous");
    expect(await problemOf(await resume(a, other.token))).toBe("401 unauthenticated");
    const { token, customer } = await a.startSession();
    const pointer = `parley:parley:pointer:${customer.externalId}`;
    for (const garbage of ["{", '{"started":-1}', "null"]) {
      await redis.command("SET", pointer, garbage);
      expect(await problemOf(await start(a, token))).toBe("503 unavailable");
      expect(await redis.command("GET", pointer)).toBe(garbage);
    }
    await redis.command("DEL", pointer);
    await redis.command("PUBLISH", "parley:parley:feed", "{");
    await redis.command("PUBLISH", "parley:parley:ended", "nobody");
    expect((await start(a, token)).status).toBe(201);
    await redis.command("SET", `parley:parley:uses:sends:${hashToken(hashToken(token))}`, "none");
    expect(await problemOf(await send(a, token, "k2"))).toBe("503 unavailable");
  });
});
