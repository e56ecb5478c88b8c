import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { echoAgent } from "../../service/testing/agents.ts";
import { changed, json } from "../../service/testing/fake/fake-service.ts";
import { openTestService } from "../../service/testing/test-service.ts";
import { startConversation } from "../../shared/api/conversation.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { openIdentityBench, says } from "../testing/identity-bench.ts";
import { createTestBff, problemOf, type TestBff } from "../testing/test-bff.ts";

const HOUR_MS = 3_600_000;

/** A BFF with these rules, and a service that leaves a conversation's route to the selection. */
function openBench(rules: readonly object[], env: Record<string, string> = {}) {
  const bench = openIdentityBench({ env: { ROUTING: JSON.stringify(rules), ...env } });
  bench.service.answer("conversations", (_, real) => startedWith(real, undefined));
  const selections = () => bench.service.calls("supportSelection");
  return {
    ...bench,
    selections,
    /** What the last selection requested, besides the customer. */
    wish() {
      const asked = selections().at(-1)?.body as Record<string, string>;
      return Object.fromEntries(
        Object.entries(asked).filter(([key]) => key !== "userID" && key !== "locale"),
      );
    },
  };
}
/** The answer of a start with another route, or without one. */
const startedWith = (real: () => Promise<Response>, route: object | undefined) =>
  changed<{ conversation: object }>(real, ({ conversation }) => ({
    conversation: { ...conversation, route },
  }));
const begin = (bff: TestBff, body: object = {}) => bff.post("/api/session", body).then(says);
const start = (bff: TestBff, token: string) =>
  bff.post("/api/conversation", { clientMessageId: "k", body: "Hello" }, token);
const end = (bff: TestBff, token: string) => bff.request("DELETE", "/api/conversation", { token });
const page = (path: string) => ({ url: `https://shop.example${path}` });
async function startedBy(answer: Response) {
  return startConversation.answer.parse(await answer.json()).conversation;
}

describe("ROUTE1 the first matching rule is requested from the service, over the defaults", () => {
  const RULES = [
    { match: { locales: ["de"] }, agentProvider: "german" },
    { match: { pages: ["/pricing/**"] }, channel: "sales" },
    { match: { identified: true, attributes: { plan: ["enterprise"] } }, humanHandoffAdapter: "premium" },
    { match: { userIDs: ["customer-7"] }, agentProvider: "seven" },
    { match: { identified: true }, agentProvider: "known" },
    { match: { hours: "closed" }, agentProvider: "night" },
  ];
  const DEFAULTS = { AGENT_PROVIDER: "day", HANDOFF_ADAPTER: "desk" };
  const open = (hours = "Sat 09:00-17:00 UTC") => openBench(RULES, { ...DEFAULTS, SUPPORT_HOURS: hours });

  it.each([
    ["the language", { locale: "de-AT" }, { agentProvider: "german", humanHandoffAdapter: "desk" }],
    [
      "the page's path, without its query",
      { page: page("/pricing/team?for=/help") },
      { channel: "sales", agentProvider: "day", humanHandoffAdapter: "desk" },
    ],
    [
      "language before page",
      { locale: "de", page: page("/pricing") },
      { agentProvider: "german", humanHandoffAdapter: "desk" },
    ],
    [
      "nothing of it",
      { locale: "fr", page: page("/") },
      { agentProvider: "day", humanHandoffAdapter: "desk" },
    ],
  ])("by %s", async (_, body, wish) => {
    const bench = open();
    await begin(bench.bff, body);
    expect(bench.wish()).toEqual(wish);
  });

  it.each([
    [
      "a signed attribute",
      "ann",
      { traits: { plan: "enterprise" } },
      { agentProvider: "day", humanHandoffAdapter: "premium" },
    ],
    ["who it is", "customer-7", {}, { agentProvider: "seven", humanHandoffAdapter: "desk" }],
    ["that the site vouched", "ann", {}, { agentProvider: "known", humanHandoffAdapter: "desk" }],
    [
      "the signed language",
      "ann",
      { locale: "de" },
      { agentProvider: "german", humanHandoffAdapter: "desk" },
    ],
  ])("by %s", async (_, sub, claims, wish) => {
    const bench = open();
    await bench.enter(sub, { claims });
    expect(bench.wish()).toEqual(wish);
  });

  it("by the hours of the server's own clock", async () => {
    const bench = open("Mon-Fri 09:00-17:00 UTC");
    await begin(bench.bff);
    expect(bench.wish()).toEqual({ agentProvider: "night", humanHandoffAdapter: "desk" });
  });

  it("the service's verified answer decides, and a difference is logged for the operator once", async () => {
    const bench = open();
    const { route } = await begin(bench.bff, { locale: "de" });
    expect(route.agentProvider).toBe("knowledge");
    await begin(bench.bff, { locale: "de" });
    const doubts = bench.bff.lines.filter((line) => line.includes("differs"));
    expect(doubts).toHaveLength(1);
    expect(JSON.parse(doubts[0] ?? "")).toMatchObject({ level: "warn", rule: 1, differs: ["agentProvider"] });
  });

  it("the log has the rule and what did not match, and no value of a customer", async () => {
    const bench = open();
    await bench.enter("canary-id", { claims: { locale: "fr-CA", traits: { plan: "canary-plan" } } });
    const line = bench.bff.lines.find((one) => one.includes("route decided")) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      rule: 5,
      trace: [
        { rule: 1, misses: ["locales"] },
        { rule: 2, misses: ["pages"] },
        { rule: 3, misses: ["attributes"] },
        { rule: 4, misses: ["userIDs"] },
      ],
    });
    expect(line).not.toMatch(/canary|fr-CA/);
  });
});

describe("ROUTE2 what the page says about a customer", () => {
  const match = { attributes: { plan: ["enterprise"] } };
  const traits = { plan: "enterprise" };

  it("decides only in a rule that trusts the page", async () => {
    const trusting = openBench([{ match, trust: "page", agentProvider: "next" }]);
    await begin(trusting.bff, { traits });
    expect(trusting.wish()).toEqual({ agentProvider: "next" });

    const doubting = openBench([{ match, agentProvider: "next" }]);
    await begin(doubting.bff, { traits });
    expect(doubting.wish()).toEqual({});
  });

  it("never overrides what is signed", async () => {
    const bench = openBench([{ match, trust: "page", agentProvider: "next" }]);
    const token = bench.site.token({ claims: { sub: "ann", traits: { plan: "free" } } });
    await begin(bench.bff, { token, traits });
    expect(bench.wish()).toEqual({});
  });

  it("an anonymous visitor has no id and no attributes that a rule without trust could match", async () => {
    const bench = openBench([{ match: { userIDs: ["ann"] }, agentProvider: "own" }]);
    await begin(bench.bff, { traits: { externalId: "ann", userID: "ann", sub: "ann" } });
    expect(bench.wish()).toEqual({});
  });
});

describe("ROUTE4 a selection is used until it expires, and no longer", () => {
  const answerWith = (bench: ReturnType<typeof openBench>, agentProvider: string, ttlSeconds: number) =>
    bench.service.answer("supportSelection", () =>
      json({ channel: "web", agentProvider, reason: "r", ttlSeconds }),
    );

  it.each([
    [300, 299_999, 1],
    [300, 300_000, 2],
    [0, 0, 2],
    [0.5, 499, 1],
    [0.5, 500, 2],
    [300, -1, 2],
  ])("%d s, a conversation after %d ms: %d selections", async (ttlSeconds, after, count) => {
    const bench = openBench([]);
    answerWith(bench, "one", ttlSeconds);
    const { token } = await begin(bench.bff);
    await bench.clock.skip(after);
    answerWith(bench, "two", ttlSeconds);
    const conversation = await startedBy(await start(bench.bff, token));
    expect(bench.selections()).toHaveLength(count);
    expect(conversation.route?.agentProvider).toBe(count === 1 ? "one" : "two");
  });

  it("nothing starts if the new selection is not verified, and the next attempt asks again", async () => {
    const bench = openBench([]);
    const { token } = await begin(bench.bff);
    await bench.clock.skip(300_000);
    bench.service.answer("supportSelection", () => json({ agentProvider: "x" }));
    expect(await problemOf(await start(bench.bff, token))).toBe("502 not_confirmed");
    expect(bench.service.calls("conversations")).toEqual([]);
    answerWith(bench, "two", 300);
    expect((await startedBy(await start(bench.bff, token))).route?.agentProvider).toBe("two");
  });

  it("a new selection has its own lifetime", async () => {
    const bench = openBench([]);
    const { token } = await begin(bench.bff);
    await bench.clock.skip(300_000);
    for (let times = 0; times < 3; times += 1) {
      await start(bench.bff, token);
      await end(bench.bff, token);
    }
    expect(bench.selections()).toHaveLength(2);
  });

  it("after the service's session was renewed, the selection is requested again", async () => {
    const bench = openBench([]);
    answerWith(bench, "one", 3600);
    const { token } = await begin(bench.bff);
    await bench.clock.skip(880_000);
    await start(bench.bff, token);
    const asked = bench.selections().at(-1)?.headers["authorization"];
    expect(bench.selections()).toHaveLength(2);
    expect(asked).toBe(`Bearer ${[...bench.service.tokens.keys()][1]}`);
    expect(bench.service.calls("conversations").at(-1)?.headers["authorization"]).toBe(asked);
  });

  it("the older selection names the provider of each start, and without a lifetime is requested each time", async () => {
    const bench = openBench([]);
    bench.service.answer("supportSelection", () => json({}, 404));
    bench.service.answer("providerSelection", () => json({ provider: "first" }));
    const { token } = await begin(bench.bff);
    bench.service.answer("providerSelection", () => json({ provider: "second" }));
    expect((await startedBy(await start(bench.bff, token))).route?.agentProvider).toBe("second");
    expect(bench.service.calls("conversations").at(-1)?.body).toMatchObject({ providerId: "second" });
  });
});

describe("another page, language or hour applies to the next conversation", () => {
  const RULES = [
    { match: { locales: ["de"] }, agentProvider: "german" },
    { match: { pages: ["/pricing"] }, channel: "sales" },
    { match: { attributes: { beta: [true] } }, trust: "page", agentProvider: "next" },
    { match: { hours: "closed" }, agentProvider: "night" },
  ];
  const open = () => openBench(RULES, { SUPPORT_HOURS: "Sat 09:00-13:00 UTC" });

  it.each([
    ["page", { page: page("/pricing") }, { channel: "sales" }],
    ["language", { locale: "de" }, { agentProvider: "german" }],
    ["traits", { traits: { beta: true } }, { agentProvider: "next" }],
  ])("a newer %s, sent when the session is resumed", async (_, said, wish) => {
    const bench = open();
    const { token } = await begin(bench.bff, { page: page("/"), locale: "en" });
    await bench.bff.post("/api/session", said, token);
    expect(bench.selections()).toHaveLength(1);
    await start(bench.bff, token);
    expect(bench.selections()).toHaveLength(2);
    expect(bench.wish()).toEqual(wish);
  });

  it.each([
    ["is sent where the service stores it", ["startedFrom"], { page: "/pricing/team", browser: "Firefox" }],
    ["is not sent to another service", [], undefined],
  ])("DESK13 the page and the browser of a start: %s", async (_, capabilities, startedFrom) => {
    const bench = open();
    bench.service.answer("capabilities", () => json({ capabilities }));
    const headers = { "content-type": "application/json", "user-agent": "X11; rv:144.0) Firefox/144.0" };
    const body = JSON.stringify({ page: page("/pricing/team?token=secret#top") });
    const { token } = await says(await bench.bff.request("POST", "/api/session", { headers, body }));
    await start(bench.bff, token);
    const asked = bench.service.calls("conversations").at(-1)?.body;
    expect(asked).toEqual({ subject: "Hello", ...(startedFrom ? { startedFrom } : {}) });
  });

  it("a language that decides nothing is still sent to the service", async () => {
    const bench = open();
    const { token } = await begin(bench.bff, { locale: "en" });
    await bench.bff.post("/api/session", { locale: "fr" }, token);
    await start(bench.bff, token);
    expect(bench.selections().at(-1)?.body).toMatchObject({ locale: "fr" });
  });

  it("the signed language has priority over the page's", async () => {
    const bench = open();
    const { token } = await bench.enter("ann", { claims: { locale: "de" } });
    await bench.bff.post("/api/session", { locale: "en" }, token);
    await bench.clock.skip(300_000);
    await start(bench.bff, token);
    expect(bench.selections().at(-1)?.body).toMatchObject({ locale: "de", agentProvider: "german" });
  });

  it("the end of the hours", async () => {
    const bench = open();
    bench.service.answer("supportSelection", () =>
      json({ channel: "web", agentProvider: "a", reason: "r", ttlSeconds: 86_400 }),
    );
    // Without a lifetime, the service's token is not renewed, and so the route is not decided again.
    bench.service.answer("sessions", (_, real) =>
      changed<{ token: string }>(real, ({ token }) => ({ token })),
    );
    const { token } = await begin(bench.bff);
    await bench.clock.skip(HOUR_MS - 1);
    await start(bench.bff, token);
    await end(bench.bff, token);
    expect(bench.selections()).toHaveLength(1);
    await bench.clock.skip(1);
    await start(bench.bff, token);
    expect(bench.wish()).toEqual({ agentProvider: "night" });
  });
});

describe("HAND5 a customer who waits for a person receives", () => {
  const ask = async (hours: string | undefined, wait?: object) => {
    const bench = openBench([], hours === undefined ? {} : { SUPPORT_HOURS: hours });
    const { token, id } = await bench.bff.startConversation();
    bench.service.answer("handoffs", () =>
      json({ handoff: { id: "h", conversationId: id, status: "queued", ...(wait ? { wait } : {}) } }),
    );
    const answer = await bench.bff.post("/api/conversation/handoff", {}, token);
    return (await answer.json()).handoff.wait;
  };

  it("when support opens, if it is closed by the owner's hours", async () => {
    expect(await ask("Mon 09:00-13:00 UTC")).toEqual({ opensAt: "2026-11-23T09:00:00.000Z" });
  });

  it("the service's facts about the queue, beside the hours", async () => {
    const wait = { place: 3, usualSeconds: 240 };
    expect(await ask("Mon 09:00-13:00 UTC", wait)).toEqual({ ...wait, opensAt: "2026-11-23T09:00:00.000Z" });
    expect(await ask(undefined, wait)).toEqual(wait);
  });

  it("no place in the queue of a service that can't say when it changes", async () => {
    const bench = openBench([]);
    bench.service.answer("capabilities", () => json({ capabilities: ["turns", "messages"] }));
    const { token, id } = await bench.bff.startConversation();
    const wait = { place: 3, usualSeconds: 9 };
    bench.service.answer("handoffs", () =>
      json({ handoff: { id: "h", conversationId: id, status: "queued", wait } }),
    );
    const answer = await bench.bff.post("/api/conversation/handoff", {}, token);
    expect((await answer.json()).handoff.wait).toEqual({ usualSeconds: 9 });
  });

  it.each([
    ["Mon 09:00-13:00 UTC", { opensAt: "2026-11-23T09:00:00.000Z", closesAt: "2026-11-23T13:00:00.000Z" }],
    ["Sat 09:00-17:00 UTC", { opensAt: "2026-11-28T09:00:00.000Z", closesAt: "2026-11-21T17:00:00.000Z" }],
    ["Mon-Sun 00:00-24:00 UTC", {}],
    ["12-25 closed UTC", undefined],
    [undefined, undefined],
  ])("when support opens and closes, before anybody is asked for: %s", async (hours, said) => {
    const bench = openBench([], hours === undefined ? {} : { SUPPORT_HOURS: hours });
    expect((await begin(bench.bff)).hours).toEqual(said);
  });

  it("no opening time while support is open, and none without hours", async () => {
    expect(await ask("Mon-Sun 00:00-24:00 UTC")).toBeUndefined();
    expect(await ask(undefined)).toBeUndefined();
  });
});

describe("CONV1 a running conversation keeps its route", () => {
  /** BFFs with other rules, one after the other on one store, before the real service. */
  async function openHost() {
    const german = { ...echoAgent, id: "german", displayName: "German" };
    const service = await openTestService({ agents: [echoAgent, german] });
    const { credential, publicKey } = service.workspace;
    const store = createSqliteStore(":memory:");
    return (agentProvider: string) =>
      createTestBff({
        service: { fetch: (request) => service.service.app.fetch(request) },
        store,
        env: {
          APPLICATION_CREDENTIAL: credential,
          APPLICATION_PUBLIC_KEY: publicKey,
          ROUTING: JSON.stringify([{ match: { locales: ["de"] }, agentProvider }]),
        },
      });
  }

  it("after a restart with other rules, new conversations use them, also in running sessions", async () => {
    const startWith = await openHost();
    const before = startWith("german");
    const { token, route } = await begin(before, { locale: "de" });
    expect(route.agentProvider).toBe("german");
    expect((await startedBy(await start(before, token))).route?.agentProvider).toBe("german");

    const bff = startWith(echoAgent.id);
    const running = await says(await bff.post("/api/session", {}, token));
    expect(running.route.agentProvider).toBe("german");
    const again = await bff.post("/api/conversation", { clientMessageId: "k2", body: "x" }, token);
    expect(await startedBy(again)).toMatchObject({
      id: running.conversation?.id,
      route: { agentProvider: "german" },
    });

    await end(bff, token);
    const next = await bff.post("/api/conversation", { clientMessageId: "k3", body: "x" }, token);
    expect((await startedBy(next)).route?.agentProvider).toBe(echoAgent.id);
    expect((await says(await bff.post("/api/session", {}, token))).route.agentProvider).toBe(echoAgent.id);
  });

  it("the route that the service reports for a conversation has priority over the selection", async () => {
    const bench = openBench([]);
    const route = { channel: "web", agentProvider: "other" };
    bench.service.answer("conversations", (_, real) => startedWith(real, route));
    const { token } = await begin(bench.bff);
    expect((await startedBy(await start(bench.bff, token))).route).toEqual(route);
    expect((await says(await bench.bff.post("/api/session", {}, token))).route).toEqual(route);
  });

  it("a person is asked for on the conversation's own route, whatever was selected since", async () => {
    const bench = openBench([]);
    const ask = (bearer: string) => bench.bff.post("/api/conversation/handoff", {}, bearer);
    const phone = await bench.enter("ann");
    await start(bench.bff, phone.token);
    bench.service.answer("supportSelection", () =>
      json({ channel: "web", agentProvider: "a", reason: "nobody is there", ttlSeconds: 300 }),
    );
    const laptop = await bench.enter("ann");
    expect(laptop.route.humanHandoffAdapter).toBe("desk");
    expect((await ask(laptop.token)).status).toBe(201);

    await end(bench.bff, laptop.token);
    await start(bench.bff, laptop.token);
    expect(await problemOf(await ask(phone.token))).toMatch(/handoff_unavailable$/);
  });

  it("an anonymous visitor's conversation keeps its route when they sign in", async () => {
    const bench = openBench([{ match: { identified: true }, channel: "members" }]);
    const { token } = await begin(bench.bff);
    await start(bench.bff, token);
    bench.service.answer("supportSelection", () =>
      json({ channel: "members", agentProvider: "a", reason: "r", ttlSeconds: 300 }),
    );
    const linked = await says(await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })));
    expect(bench.wish()).toEqual({ channel: "members" });
    expect(linked.route.channel).toBe("chat");
    await end(bench.bff, linked.token);
    expect((await startedBy(await start(bench.bff, linked.token))).route?.channel).toBe("members");
  });

  it("a restart preserves it", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "parley-route-")), "bff.sqlite");
    onTestFinished(() => rmSync(dirname(path), { recursive: true, force: true }));
    const before = openIdentityBench({ store: createSqliteStore(path) });
    const { token } = await begin(before.bff);
    await start(before.bff, token);
    await before.bff.bff.close();

    const after = openIdentityBench({
      store: createSqliteStore(path),
      env: { AGENT_PROVIDER: "new" },
    });
    const { route } = await says(await after.bff.post("/api/session", {}, token));
    expect(route.agentProvider).toBe("knowledge");
    await start(after.bff, token);
    expect(after.service.calls("supportSelection")).toEqual([]);
    await end(after.bff, token);
    await start(after.bff, token);
    expect(after.service.calls("supportSelection").at(-1)?.body).toMatchObject({ agentProvider: "new" });
    await after.bff.bff.close();
  });
});
