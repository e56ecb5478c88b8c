import { describe, expect, it } from "vitest";
import { createFakeService } from "../../service/testing/fake/fake-service.ts";
import { systemClock } from "../../shared/server/clock.ts";
import { createTestSite } from "../identity/testing/site-keys.ts";
import { createFeeds, type Feeds, nameOf } from "../less/feeds.ts";
import { hashToken } from "../sessions/token.ts";
import { alone, follow, leave, openPair, resume, send, start, until } from "../testing/bff-pair.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { hasRedis, openOn, startRedis } from "../testing/redis-server.ts";
import { createTestBff, dataOf, problemOf, readBlocks, type TestBff } from "../testing/test-bff.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { completed, delta, turnOf, withTurnLines } from "../testing/turn-lines.ts";
import { verifyTaken } from "../upstream/verified.ts";
import { createLocks } from "./locks.ts";

describe.runIf(hasRedis)("two BFFs on one store", () => {
  it("SHARE1 exactly one of 50 concurrent uses of a token succeeds at both together", async () => {
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

  it("SHARE1 a session created at one continues at the other, with its conversation and the service's token", async () => {
    const { a, b, service } = await openPair();
    const { token } = await a.startSession();
    expect((await start(a, token)).status).toBe(201);
    expect((await send(b, token, "k2")).status).toBe(201);
    expect(await (await resume(b, token)).json()).toMatchObject({
      conversation: { id: [...service.conversations.keys()][0] },
    });
    expect(service.calls("sessions")).toHaveLength(1);
    expect((await b.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect(await problemOf(await send(a, token, "k3"))).toBe("409 conversation_ended");
  });

  it("SHARE2 a logout at one refuses the next request at the other, and ends its stream", async () => {
    const { a, b, service, another } = await openPair();
    withEventLines(service);
    const { token } = await a.startSession();
    await start(a, token);
    const stream = await follow(a, token);
    const remembering = await another({}, alone);
    expect((await resume(remembering, token)).status).toBe(200);
    expect((await leave(b, token)).status).toBe(200);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
    // Reads until the stream ends.
    expect(await readBlocks(stream, 100)).toEqual([]);
    expect((await resume(remembering, token)).status, "control: who believes its memory lets it in").toBe(
      200,
    );
  });

  it("LONG3 the next conversation at one ends the streams of the customer's other devices at the other", async () => {
    const site = createTestSite(() => Date.now());
    const { a, b, service } = await openPair({ IDENTITY_KEYS: site.keySet });
    withEventLines(service);
    const enter = async (bff: TestBff) => {
      const token = site.token({ claims: { sub: "ann" } });
      return ((await (await bff.post("/api/session", { token })).json()) as { token: string }).token;
    };
    const first = await enter(a);
    await start(a, first);
    const stream = await follow(a, first);
    const second = await enter(b);
    await b.request("DELETE", "/api/conversation", { token: second });
    const next = { clientMessageId: "k2", body: "One more thing" };
    expect((await b.post("/api/conversation", next, second)).status).toBe(201);
    await readBlocks(stream, 100);
  });

  it("SHARE2 a BFF that starts without the store receives signals once the store is back, and checks for missed ones", async () => {
    const redis = await startRedis();
    await redis.kill();
    const clock = createTestClock();
    const opening = openOn(redis, { clock });
    await clock.advance(3000);
    const store = await opening;
    const heard: string[] = [];
    store.onGap(() => void heard.push("look"));
    store.subscribe("ended", (text) => void heard.push(text));
    await redis.restart();
    // Once when the connection is open, and once when the subscription is.
    await until(() => heard.length === 2);
    (await openOn(redis)).publish({ topic: "ended", text: "s1" });
    await until(() => heard.length === 3);
    expect(heard).toEqual(["look", "look", "s1"]);
  });

  it("SHARE2 a stream ends within 4 seconds when the signal is lost", async () => {
    const redis = await startRedis();
    const service = createFakeService();
    withEventLines(service);
    const clock = createTestClock();
    const bff = createTestBff({ service, clock, store: await openOn(redis, { clock }) });
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

  it("SHARE1 an identified session replaces an anonymous one at both", async () => {
    const site = createTestSite(() => Date.now());
    const { a, b, service } = await openPair({ IDENTITY_KEYS: site.keySet });
    const { token } = await a.startSession();
    await start(a, token);
    const identity = site.token({ claims: { sub: "customer-1" } });
    const answer = await b.post("/api/session/identity", { token: identity }, token);
    const linked = (await answer.json()) as { token: string; conversation: { id: string } };
    expect([linked.conversation.id]).toEqual([...service.conversations.keys()]);
    expect((await resume(a, linked.token)).status).toBe(200);
    expect(await problemOf(await resume(a, token))).toBe("401 unauthenticated");
  });

  it("SHARE3 two tabs at two BFFs start one conversation", async () => {
    const { a, b, leasesAsked, service, another } = await openPair();
    /**
     * How many conversations two tabs start; the first is answered once the other has requested one too, or waits for
     * its turn.
     */
    const starts = async (one: TestBff, other: TestBff, isWaiting: (before: number) => boolean) => {
      const { token } = await a.startSession();
      const before = service.calls("conversations").length;
      const asked = () => service.calls("conversations").length - before;
      const answered = Promise.withResolvers<void>();
      service.answer("conversations", async (_, real) => {
        await answered.promise;
        return real();
      });
      const first = start(one, token, "k1");
      await until(() => asked() === 1);
      const leases = leasesAsked();
      const second = start(other, token, "k2");
      await until(() => asked() === 2 || isWaiting(leases));
      answered.resolve();
      const answers = await Promise.all([first, second]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      return asked();
    };
    const asksForLease = (before: number) => leasesAsked() > before;
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const)
      expect(await starts(one, other, asksForLease)).toBe(1);
    const [c, d] = [await another({}, alone), await another({}, alone)];
    const never = () => false;
    expect(await starts(c, d, never), "control: without a common lock both ask").toBe(2);
  });

  it("SHARE3 a session that ended elsewhere while its start waited starts nothing", async () => {
    const { a, redis, leasesAsked, service } = await openPair();
    const { token, customer } = await a.startSession();
    const locks = createLocks(await openOn(redis), systemClock);
    const release = await locks.lease(`lock:${customer.externalId}`, 0);
    const waiting = start(a, token);
    await until(() => leasesAsked() > 0);
    await redis.command("DEL", `parley:parley:session:${hashToken(token)}`);
    await release?.();
    expect(await problemOf(await waiting)).toBe("401 unauthenticated");
    expect(service.calls("conversations")).toEqual([]);
  });

  it("SHARE3 LESS3 two writers of one log lose nothing, and both receive all of it in order", async () => {
    const redis = await startRedis();
    const log = nameOf("anon_a", "c1");
    const proof = verifyTaken(
      { type: "response.delta", messageId: "m", delta: "x" },
      turnOf("c1", { clientMessageId: "k", body: "x" }),
    );
    if (!proof) throw new Error("no proof");
    const open = async () => {
      const feeds = createFeeds({ store: await openOn(redis), clock: systemClock });
      const heard: number[] = [];
      feeds.follow(
        log,
        (event) => "seq" in event && heard.push(event.seq),
        () => undefined,
      );
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

  it("SHARE1 a limit counts across both", async () => {
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

  it("SHARE1 a token of one site is unknown at another on the same store", async () => {
    const { a, another } = await openPair();
    const { token } = await a.startSession();
    const other = await another({ SITE_ID: "other" });
    expect(await problemOf(await resume(other, token))).toBe("401 unauthenticated");
  });

  it("SHARE3 LESS3 an answer that one reads reaches followers at the other, and a message is sent once", async () => {
    const { a, b, service } = await openPair({}, { kind: "turns" });
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

  it("SHARE3 an end at one ends the turn at the other, and the incomplete answer comes before the end", async () => {
    const { a, b, service } = await openPair({}, { kind: "turns" });
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
