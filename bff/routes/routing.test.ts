import { describe, expect, it } from "vitest";
import { changed, json } from "../../service/testing/fake/fake-service.ts";
import { says } from "../testing/identity-bench.ts";
import { begin, end, HOUR_MS, openBench, page, start } from "../testing/routing-bench.ts";

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

  it("the log has the id of the request in which it was decided", async () => {
    const bench = open();
    const answer = await bench.bff.post("/api/session", {});
    const requestId = answer.headers.get("x-request-id");
    const about = bench.bff.lines.map((one) => JSON.parse(one)).filter((one) => one.requestId === requestId);
    expect(about.map(({ message }) => message)).toEqual([
      "route decided",
      "the service's selection differs from what the routing asks for",
      "request",
    ]);
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
