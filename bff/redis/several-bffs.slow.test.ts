import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../clock.ts";
import { createFeeds, type Feeds } from "../feeds/feeds.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { Secret } from "../secret.ts";
import { hashToken } from "../sessions/token.ts";
import { openStores, type Stores } from "../stores.ts";
import { messageEvent, withEventLines } from "../testing/event-lines.ts";
import { hasRedis, openOn, startRedis, type TestRedis } from "../testing/redis-server.ts";
import { createScriptedService, type ScriptedService } from "../testing/scripted-service.ts";
import { createTestBff, dataOf, problemOf, readBlocks, type TestBff } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { completed, delta, withTurnLines } from "../testing/turn-lines.ts";
import { verifyTaken } from "../upstream/verified.ts";

const OPERATIONS = fileURLToPath(new URL("../../docs/operations.md", import.meta.url));

interface Pair {
  readonly redis: TestRedis;
  readonly service: ScriptedService;
  readonly a: TestBff;
  readonly b: TestBff;
  /** One more BFF on the same store; `change` takes parts away, for controls. */
  readonly another: (
    env?: Record<string, string>,
    change?: (stores: Required<Stores>) => Stores,
  ) => Promise<TestBff>;
}

/** Two BFFs before one service, on one store. */
async function openPair(env: Record<string, string> = {}, settings: readonly string[] = []): Promise<Pair> {
  const redis = await startRedis(settings);
  const service = createScriptedService();
  const another: Pair["another"] = async (more = {}, change = (stores) => stores) => {
    const siteId = more["SITE_ID"] ?? "parley";
    const stores = change(await openOn(redis, { siteId }));
    const bff = createTestBff({ service, ...stores, env: { ...env, ...more } });
    onTestFinished(() => bff.bff.drain());
    return bff;
  };
  return { redis, service, another, a: await another(), b: await another() };
}

const resume = (bff: TestBff, token: string) => bff.post("/api/session", {}, token);
const start = (bff: TestBff, token: string, key = "k1") =>
  bff.post("/api/conversation", { clientMessageId: key, body: "Hello" }, token);
const send = (bff: TestBff, token: string, key: string) =>
  bff.post("/api/conversation/messages", { clientMessageId: key, body: "Hello" }, token);
const follow = (bff: TestBff, token: string) => bff.request("GET", "/api/conversation/events", { token });
const leave = (bff: TestBff, token: string) => bff.request("DELETE", "/api/session", { token });
const alone = ({ store, feedStore }: Required<Stores>): Stores => ({ store, feedStore });
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await settle();
}

describe.runIf(hasRedis)("two BFFs on one store", () => {
  it("SHARE1 R20 of 50 uses of one token at once, spread over both, exactly one is let in", async () => {
    const site = createTestSite(() => Date.now());
    const { a, b, service } = await openPair({ IDENTITY_KEYS: site.keySet });
    const token = site.token();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? a : b).post("/api/session", { token })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = await Promise.all(answers.filter(({ status }) => status !== 201).map(problemOf));
    expect(new Set(refused)).toEqual(new Set(["401 identity_replayed"]));
    expect(service.calls("sessions")).toHaveLength(1);
  });

  it("SHARE1 a session made at one goes on at the other, with its conversation and the service's token", async () => {
    const { a, b, service } = await openPair();
    const { token } = await a.startSession();
    expect((await start(a, token)).status).toBe(201);
    expect((await send(b, token, "k2")).status).toBe(201);
    expect(await (await resume(b, token)).json()).toMatchObject({ conversation: { id: "conv-1" } });
    expect(service.calls("sessions")).toHaveLength(1);
    expect((await b.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect(await problemOf(await send(a, token, "k3"))).toBe("409 conversation_ended");
  });

  it("SHARE2 a logout at one holds at the other from the next request on, and ends its stream", async () => {
    const { a, b, service, another } = await openPair();
    withEventLines(service);
    const { token } = await a.startSession();
    await start(a, token);
    const stream = await follow(a, token);
    const remembering = await another({}, alone);
    expect((await resume(remembering, token)).status).toBe(200);
    expect((await leave(b, token)).status).toBe(200);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
    // Reads until the line ends.
    expect(await readBlocks(stream, 100)).toEqual([]);
    expect((await resume(remembering, token)).status, "control: who believes its memory lets it in").toBe(
      200,
    );
  });

  it("SHARE2 who began while the store was away hears the others, and looks at what was said before that", async () => {
    const redis = await startRedis();
    await redis.kill();
    const clock = createTestClock();
    const opening = openOn(redis, { clock });
    await clock.advance(3000);
    const { peers } = await opening;
    const heard: string[] = [];
    peers.onGap(() => void heard.push("look"));
    peers.hear("ended", (text) => void heard.push(text));
    await redis.restart();
    // Once when the line is there, and once when the ear is.
    await until(() => heard.length === 2);
    (await openOn(redis)).peers.tell("ended", "s1");
    await until(() => heard.length === 3);
    expect(heard).toEqual(["look", "look", "s1"]);
  });

  it("SHARE2 R21 where the word of it is lost, a look ends the stream within 4 seconds", async () => {
    const redis = await startRedis();
    const service = createScriptedService();
    withEventLines(service);
    const clock = createTestClock();
    const bff = createTestBff({ service, clock, ...(await openOn(redis, { clock })) });
    const { token } = await bff.startConversation();
    const stream = await follow(bff, token);
    await redis.command("DEL", `parley:parley:session:${hashToken(token)}`);
    let isOver = false;
    const read = readBlocks(stream, 100).then(() => {
      isOver = true;
    });
    await clock.advance(3900);
    expect(isOver).toBe(false);
    await clock.advance(100);
    await read;
  });

  it("SHARE1 an identified session takes the place of an anonymous one at both", async () => {
    const site = createTestSite(() => Date.now());
    const { a, b } = await openPair({ IDENTITY_KEYS: site.keySet });
    const { token } = await a.startSession();
    await start(a, token);
    const identity = site.token({ claims: { sub: "customer-1" } });
    const answer = await b.post("/api/session/identity", { token: identity }, token);
    const linked = (await answer.json()) as { token: string; conversation: { id: string } };
    expect(linked.conversation.id).toBe("conv-1");
    expect((await resume(a, linked.token)).status).toBe(200);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
  });

  it("SHARE3 two tabs at two BFFs start one conversation", async () => {
    const { a, b, service, another } = await openPair();
    const starts = async (one: TestBff, other: TestBff) => {
      const { token } = await a.startSession();
      const before = service.calls("conversations").length;
      const answers = await Promise.all([start(one, token, "k1"), start(other, token, "k2")]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      return service.calls("conversations").length - before;
    };
    for (let round = 0; round < 5; round += 1) expect(await starts(a, b)).toBe(1);
    const [c, d] = [await another({}, alone), await another({}, alone)];
    // Both ask at once in most rounds; one round in which they did is what the lock prevents.
    let most = 0;
    for (let round = 0; round < 20 && most < 2; round += 1) most = Math.max(most, await starts(c, d));
    expect(most, "control: without a common lock both ask").toBe(2);
  });

  it("SHARE3 a session that ended elsewhere while its start waited starts nothing", async () => {
    const { a, redis, service } = await openPair();
    const { token, customer } = await a.startSession();
    const { peers } = await openOn(redis);
    const lease = await peers.lease(`lock:${customer.externalId}`);
    const waiting = start(a, token);
    const isWaiting = async () =>
      String(await redis.command("INFO", "commandstats")).match(/cmdstat_set:calls=(\d+)/)?.[1] !== "1";
    await until(isWaiting);
    await redis.command("DEL", `parley:parley:session:${hashToken(token)}`);
    await lease?.release();
    expect(await problemOf(await waiting)).toBe("401 unauthenticated");
    expect(service.calls("conversations")).toEqual([]);
  });

  it("SHARE3 LESS3 two that write one log at once take turns, and each hears all of it in order", async () => {
    const redis = await startRedis();
    const log = { externalId: "anon_a", conversationId: "c1" };
    const proof = verifyTaken({ type: "response.delta", messageId: "m", delta: "x" }, {});
    if (!proof) throw new Error("no proof");
    const open = async () => {
      const { feedStore: store, peers } = await openOn(redis);
      const feeds = createFeeds({ store, peers, clock: systemClock, onUpkeepFailure: () => undefined });
      const heard: number[] = [];
      feeds.follow(log, (event) => "seq" in event && heard.push(event.seq));
      return { feeds, heard };
    };
    const both = [await open(), await open()];
    const write = async (feeds: Feeds, name: string) => {
      for (let n = 0; n < 20; n += 1) {
        const message = { id: `${name}${n}`, role: "agent" as const, body: "Yes" };
        await feeds.append(log, proof, [{ type: "message.created", message }]);
      }
    };
    await Promise.all(both.map(({ feeds }, n) => write(feeds, `w${n}-`)));
    await until(() => both.every(({ heard }) => heard.length === 40));
    for (const { heard } of both) expect(heard).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
  });

  it("SHARE1 R87 a limit counts over both", async () => {
    const { a, b, another } = await openPair({ LIMIT_SENDS_PER_SESSION: "4" });
    const { token } = await a.startSession();
    await start(a, token);
    for (const [bff, key] of [
      [b, "k2"],
      [a, "k3"],
      [b, "k4"],
    ] as const) {
      expect((await send(bff, token, key)).status).toBe(201);
    }
    for (const bff of [a, b]) expect(await problemOf(await send(bff, token, "k5"))).toBe("429 rate_limited");
    const own = await another({}, alone);
    expect((await send(own, token, "k5")).status, "control: one that counts alone lets it through").toBe(201);
  });

  it("SHARE1 R13 R18 the token of one site is none at another on the same store", async () => {
    const { a, another } = await openPair();
    const { token } = await a.startSession();
    const other = await another({ SITE_ID: "other" });
    expect(await problemOf(await resume(other, token))).toBe("401 unauthenticated");
  });

  it("SHARE3 LESS3 without events of the service: the answer that one reads is heard at the other, a message is sent once", async () => {
    const { a, b, service } = await openPair();
    const lines = withTurnLines(service);
    const { token } = await a.startSession();
    const first = start(a, token);
    await until(() => lines.length === 1);
    lines[0]?.send(delta("It "));
    expect((await first).status).toBe(201);
    const stream = await follow(b, token);
    const seen = (await readBlocks(stream, 2)).map(dataOf);
    expect(seen).toMatchObject([
      { type: "conversation.started", seq: 1 },
      { type: "message.created", seq: 2 },
    ]);
    lines[0]?.send(delta("is here."), completed("It is here."));
    lines[0]?.end();
    expect((await readBlocks(stream, 2)).map(dataOf)).toMatchObject([
      { type: "response.snapshot", text: "It is here." },
      { type: "message.created", seq: 3, message: { role: "agent", body: "It is here." } },
    ]);
    const twice = [send(a, token, "k2"), send(b, token, "k2")];
    await until(() => lines.length === 2);
    lines[1]?.send(completed("Yes."));
    lines[1]?.end();
    const answers = await Promise.all(twice);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(bodies[0]).toEqual(bodies[1]);
    expect(service.calls("turns")).toHaveLength(2);
    expect((await b.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect((await readBlocks(stream, 3)).map(dataOf)).toMatchObject([
      { message: { clientMessageId: "k2", seq: 4 } },
      { message: { body: "Yes.", seq: 5 } },
      { type: "conversation.ended", seq: 6 },
    ]);
  });

  it("SHARE3 an end at one breaks off the turn that the other reads, and its part comes before the end", async () => {
    const { a, b, service } = await openPair();
    const lines = withTurnLines(service);
    const { token } = await a.startSession();
    const first = start(a, token);
    await until(() => lines.length === 1);
    lines[0]?.send(delta("It "));
    expect((await first).status).toBe(201);
    expect((await b.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect(lines[0]?.isCancelled).toBe(true);
    const { conversation } = (await (await resume(a, token)).json()) as {
      conversation: { status: string; lastSeq: number; messages: object[] };
    };
    expect(conversation).toMatchObject({ status: "ended", lastSeq: 4 });
    expect(conversation.messages.at(-1)).toMatchObject({ body: "It ", incomplete: true });
  });
});

describe.runIf(hasRedis)("a store that is away", () => {
  it("SHARE4 R10 is an outage and no logout: 503 for all, streams stay, and everything goes on when it is back", async () => {
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
    // The words of others are heard again.
    expect((await leave(b, token)).status).toBe(200);
    await readBlocks(stream, 100);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
  });

  it("SHARE4 R10 counts as away when it stands still, after 2 seconds", async () => {
    const redis = await startRedis();
    const clock = createTestClock();
    const bff = createTestBff({
      service: createScriptedService(),
      clock,
      ...(await openOn(redis, { clock })),
    });
    const { token } = await bff.startSession();
    redis.child.kill("SIGSTOP");
    onTestFinished(() => void redis.child.kill("SIGCONT"));
    const asked = resume(bff, token);
    await clock.advance(2000);
    expect(await problemOf(await asked)).toBe("503 unavailable");
    redis.child.kill("SIGCONT");
    expect((await resume(bff, token)).status).toBe(200);
  });

  it("SHARE4 R10 keeps what was acknowledged when it dies, and so do both BFFs when they start anew", async () => {
    const { a, redis, another } = await openPair();
    const { token } = await a.startConversation();
    await a.bff.close();
    await redis.restart();
    const next = await another();
    expect(await (await resume(next, token)).json()).toMatchObject({ conversation: { id: "conv-1" } });
  });
});

describe.runIf(hasRedis)("a full store", () => {
  it("SHARE5 R68 takes no new session, lets conversations go on and customers log out, and says so", async () => {
    const { a, b, redis } = await openPair({}, ["maxmemory 4mb"]);
    const { token } = await a.startConversation();
    const other = await b.startSession();
    for (let size = 1 << 20; size >= 16; size /= 2) {
      for (let n = 0; n < 20; n += 1) {
        const isFull = await redis.command("SET", `fill:${size}:${n}`, "x".repeat(size)).then(
          () => false,
          () => true,
        );
        if (isFull) break;
      }
    }
    expect(await problemOf(await b.post("/api/session", {}))).toBe("507 storage_full");
    expect(await problemOf(await start(a, other.token))).toBe("507 storage_full");
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

describe.runIf(hasRedis)("what somebody else wrote into the store", () => {
  it("SHARE6 opens for nobody, leads nowhere, and lets nothing through", async () => {
    const { a, redis } = await openPair();
    const values = [
      ["SET", "not a session"],
      ["HSET", "fact.customer", '{"externalId":5,"identified":"yes"}'],
      ["HSET", "sealedToken", "AAAA"],
      ["HSET", "createdAt", "long ago"],
      ["HSET", "fact.route", "{"],
    ] as const;
    for (const [command, ...rest] of values) {
      const { token } = await a.startSession();
      const key = `parley:parley:session:${hashToken(token)}`;
      expect((await resume(a, token)).status).toBe(200);
      await redis.command(command, key, ...rest);
      expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
    }
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

describe.runIf(hasRedis)("the password of the store", () => {
  const open = (url: string, lines: string[] = []) => {
    const write = (fields: object, message: string) =>
      void lines.push(JSON.stringify({ ...fields, message }));
    const log = { debug: write, info: write, warn: write, error: write };
    return openStores({ dataDir: "/nowhere", storeUrl: new Secret(url), siteId: "parley" }, { log });
  };

  it("SHARE7 R01 lets in, and a wrong one is one sentence that does not hold it", async () => {
    const redis = await startRedis(["requirepass canary-right"]);
    const stores = await openOn(redis);
    await stores.store.probe();
    const wrong = redis.url.replace("right", "wrong");
    const error: unknown = await open(wrong).catch((thrown: unknown) => thrown);
    expect(String(error)).toBe(
      "Error: The store at STORE_URL refused this process. Check the user, the password and the database number.",
    );
    expect(inspect(error, { depth: 9 })).not.toContain("canary");
  });

  it("SHARE7 R01 is in no line of the log while the store is away, and the start waits for nobody", async () => {
    const redis = await startRedis(["requirepass canary-right"]);
    await redis.kill();
    const lines: string[] = [];
    const stores = await open(redis.url, lines);
    const error: unknown = await stores.store.probe().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unavailable" });
    expect(inspect(error, { depth: 9 }) + lines.join("")).not.toContain("canary");
    expect(lines.join("")).toContain("can't be reached; trying again");
    await redis.restart();
    const isBack = () =>
      stores.store.probe().then(
        () => true,
        () => false,
      );
    await until(isBack);
    await stores.store.close();
  });

  it("SHARE7 a user with the documented rights alone is enough", async () => {
    const redis = await startRedis();
    const rights = "~parley:* &parley:* +@read +@write +@scripting +@pubsub +@connection -@dangerous +info";
    await redis.command("ACL", "SETUSER", "chat", "on", ">canary", ...rights.split(" "));
    expect(readFileSync(OPERATIONS, "utf8")).toContain(`ACL SETUSER chat on >PASSWORD ${rights}`);
    const as = { ...redis, url: redis.url.replace("redis://", "redis://chat:canary@") };
    const lines: string[] = [];
    const service = createScriptedService();
    withEventLines(service);
    const [a, b] = [await openOn(as, { lines }), await openOn(as, { lines })].map((stores) =>
      createTestBff({ service, ...stores }),
    );
    const { token } = (await a?.startConversation()) ?? { token: "" };
    const stream = a && (await follow(a, token));
    expect(b && (await leave(b, token)).status).toBe(200);
    expect(stream && (await readBlocks(stream, 100))).toEqual([]);
    expect(lines).toEqual([]);
    expect(await redis.command("ACL", "LOG"), "nothing was refused").toEqual([]);
  });

  it("SHARE7 R01 settings that lose what was kept are named in the log", async () => {
    const lines: string[] = [];
    await openOn(await startRedis(["maxmemory-policy allkeys-lru", "appendonly no"]), { lines });
    expect(lines.join("\n")).toMatch(/maxmemory-policy noeviction[\s\S]*appendonly yes/);
    const right: string[] = [];
    await openOn(await startRedis(), { lines: right });
    expect(right).toEqual([]);
  });
});
