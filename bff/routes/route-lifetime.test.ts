import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { echoAgent } from "../../service/testing/agents.ts";
import { json } from "../../service/testing/fake/fake-service.ts";
import { openTestService } from "../../service/testing/test-service.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { openIdentityBench, says } from "../testing/identity-bench.ts";
import { begin, end, openBench, start, startedBy, startedWith } from "../testing/routing-bench.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";

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
