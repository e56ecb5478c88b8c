import { describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { SessionState } from "../../shared/api/session.ts";
import { HEARTBEAT_MS } from "../../shared/limits.ts";
import { createGivenKeys } from "../identity/key-ring.ts";
import { parseKeySet } from "../identity/key-set.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { identifyBodies, openIdentityBench, says } from "../testing/identity-bench.ts";
import { problemOf, readBlocks } from "../testing/test-bff.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe("a session of an identified customer", () => {
  it("IDENT2 is bound by sub only, in the design's order", async () => {
    const { enter, service } = openIdentityBench();
    const claims = {
      name: "Ann",
      email: "ann@example.com",
      email_verified: true,
      locale: "de",
      traits: { plan: "pro" },
    };
    const state = await enter("customer-42", { claims });
    expect(SessionState.parse(state).customer).toEqual({
      externalId: "customer-42",
      displayName: "Ann",
      identified: true,
    });
    expect(service.seen.map(({ operation }) => operation)).toEqual([
      "identify",
      "sessions",
      "capabilities",
      "supportSelection",
      // Only for the first screen: whether there are past conversations.
      "history",
    ]);
    expect(service.calls("identify")[0]?.body).toEqual({
      externalId: "customer-42",
      displayName: "Ann",
      email: "ann@example.com",
      attributes: { plan: "pro", identified: true, emailVerified: true },
    });
    expect(service.calls("sessions")[0]?.body).toEqual({ externalId: "customer-42" });
    expect(service.calls("supportSelection")[0]?.body).toMatchObject({ userID: "customer-42", locale: "de" });
  });

  it("two customers with one e-mail stay two, and one who changes it stays the same", async () => {
    const bench = openIdentityBench();
    const claims = { email: "shared@example.com" };
    await bench.enter("one", { claims });
    await bench.enter("two", { claims });
    await bench.enter("one", { claims: { email: "new@example.com" } });
    expect(identifyBodies(bench).map(({ externalId }) => externalId)).toEqual(["one", "two", "one"]);
  });

  it("finds the conversation of the same customer's other device", async () => {
    const { bff, enter, service } = openIdentityBench();
    const first = await enter("ann");
    await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, first.token);
    const second = await enter("ann");
    expect([second.conversation?.id]).toEqual([...service.conversations.keys()]);
    expect((await enter("bob")).conversation).toBeNull();
  });

  it("LONG3 no stream of the customer's other device stays at a full conversation that another one replaced", async () => {
    const { bff, enter, service } = openIdentityBench();
    const first = await enter("ann");
    await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, first.token);
    const stream = await bff.request("GET", "/api/conversation/events", { token: first.token });
    const [full = ""] = service.conversations.keys();
    const refusal = { type: "urn:parley:problem:conversation_full", code: "conversation_full", detail: "" };
    const headers = { "content-type": "application/problem+json" };
    service.answer("turns", ({ path }, real) =>
      path.includes(full) ? Response.json(refusal, { status: 409, headers }) : real(),
    );
    const { token } = await enter("ann");
    await bff.post("/api/conversation", { clientMessageId: "m2", body: "One more thing" }, token);
    expect(service.conversations.size).toBe(2);
    await readBlocks(stream, 100);
  });

  it("keeps its pointer after it ended, when all of its sessions are gone", async () => {
    const { bff, clock, enter, service } = openIdentityBench();
    const { token } = await enter("ann");
    await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, token);
    await clock.skip(3 * HOUR_MS);
    expect([(await enter("ann")).conversation?.id]).toEqual([...service.conversations.keys()]);
  });
});

describe("an identified session", () => {
  it.each([
    [59, 200],
    [60, 401],
    [61, 401],
  ])("unused for %i minutes is answered %i", async (minutes, status) => {
    const { bff, clock, enter } = openIdentityBench();
    const { token } = await enter("ann");
    await clock.skip(minutes * MINUTE_MS);
    const answer = await bff.post("/api/session", {}, token);
    expect(answer.status).toBe(status);
    if (status === 401) expect(await problemOf(answer)).toBe("401 session_expired");
  });

  it.each([
    [12 * 60 - 1, 200],
    [12 * 60, 401],
  ])("in constant use is answered after %i minutes %i", async (minutes, status) => {
    const { bff, clock, enter } = openIdentityBench();
    const { token } = await enter("ann");
    let left = minutes;
    let answer: Response | undefined;
    while (left > 0) {
      const step = Math.min(30, left);
      await clock.skip(step * MINUTE_MS);
      left -= step;
      answer = await bff.post("/api/session", {}, token);
    }
    expect(answer?.status).toBe(status);
  });

  it("continues when the site identifies the customer again, with the same token and conversation", async () => {
    const { bff, clock, enter, identify, site, service } = openIdentityBench();
    const { token } = await enter("ann");
    await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, token);
    const [started] = service.conversations.keys();
    for (let hour = 0; hour < 26; hour += 1) {
      await clock.skip(30 * MINUTE_MS);
      const answer = await identify(token, site.token({ claims: { sub: "ann" } }));
      expect(answer.status).toBe(200);
      const state = await says(answer);
      expect([state.token, state.conversation?.id]).toEqual([token, started]);
    }
  });

  it("takes over newly signed attributes", async () => {
    const { enter, identify, site, service } = openIdentityBench();
    const { token } = await enter("ann", { claims: { name: "Ann", traits: { plan: "free" } } });
    const claims = { sub: "ann", name: "Ann Lee", traits: { plan: "pro" } };
    expect((await says(await identify(token, site.token({ claims })))).customer.displayName).toBe("Ann Lee");
    expect(service.calls("identify").at(-1)?.body).toMatchObject({
      displayName: "Ann Lee",
      attributes: { plan: "pro", identified: true },
    });
  });

  it("does not give the customer their former name back when its token at the service is renewed", async () => {
    const { bff, enter, service } = openIdentityBench();
    const { token } = await enter("ann", { claims: { name: "Ann" } });
    await enter("ann", { claims: { name: "Ann Lee" } });
    service.endTokens();
    const sent = await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, token);
    expect(sent.status).toBe(201);
    expect(service.calls("sessions")).toHaveLength(3);
    expect(service.calls("sessions").at(-1)?.body).toEqual({ externalId: "ann" });
  });

  it("does not give the customer their former name and address back when the page's traits change", async () => {
    const { bff, enter, service } = openIdentityBench();
    const former = { name: "Ann", email: "ann@old.example", email_verified: true, traits: { plan: "pro" } };
    const { token } = await enter("ann", { claims: former });
    await enter("ann", { claims: { name: "Ann Lee", email: "ann@new.example" } });
    await bff.post("/api/session", { traits: { cart: 2 } }, token);
    expect(service.calls("identify")).toHaveLength(3);
    expect(service.calls("identify").at(-1)?.body).toEqual({
      externalId: "ann",
      attributes: { plan: "pro", "page.cart": 2, identified: true },
    });
  });

  it("ends for another customer, even if the service then refuses the new session", async () => {
    const { bff, enter, identify, site, service } = openIdentityBench();
    const { token } = await enter("ann");
    service.answer("identify", () => json({}, 422));
    expect((await identify(token, site.token({ claims: { sub: "bob" } }))).status).toBe(502);
    expect(await problemOf(await bff.post("/api/session", {}, token))).toBe("401 unauthenticated");
  });

  it("that is logged out while the site identifies it again is not called renewed", async () => {
    const { bff, enter, identify, site, service } = openIdentityBench();
    const { token } = await enter("ann");
    service.answer("identify", async (_, real) => {
      await bff.request("DELETE", "/api/session", { token });
      return real();
    });
    const answer = await identify(token, site.token({ claims: { sub: "ann" } }));
    expect(await problemOf(answer)).toBe("401 unauthenticated");
  });

  it("logout ends only this one, at once", async () => {
    const { bff, enter } = openIdentityBench();
    const [one, other] = [await enter("ann"), await enter("ann")];
    await bff.request("DELETE", "/api/session", { token: one.token });
    expect(await problemOf(await bff.post("/api/session", {}, one.token))).toBe("401 unauthenticated");
    expect((await bff.post("/api/session", {}, other.token)).status).toBe(200);
  });

  it("IDENT8 ends with the key that signed for it; sessions of other keys continue", async () => {
    const { site, clock } = openIdentityBench();
    const parsed = parseKeySet(site.keySet);
    const live = new Set(["ec", "ed"]);
    const identityKeys = { ...createGivenKeys(parsed.keys), isLive: (kid: string) => live.has(kid) };
    const { bff, enter, service } = openIdentityBench({ site, clock, identityKeys });
    withEventLines(service);
    const byEc = await enter("ann", { kid: "ec" });
    const byEd = await enter("bob", { kid: "ed" });
    await bff.post("/api/conversation", { clientMessageId: "m1", body: "Hello" }, byEc.token);
    const stream = await bff.request("GET", "/api/conversation/events", { token: byEc.token });
    live.delete("ec");
    await clock.advance(HEARTBEAT_MS);
    await expect(readBlocks(stream, 1)).resolves.toEqual([]);
    expect(await problemOf(await bff.post("/api/session", {}, byEc.token))).toBe("401 session_expired");
    expect((await bff.post("/api/session", {}, byEd.token)).status).toBe(200);
  });
});

describe("IDENTITY_POLICY=required", () => {
  const env = { IDENTITY_POLICY: "required" };

  it("starts no anonymous session, and makes no call to the service for one", async () => {
    const { bff, service, enter } = openIdentityBench({ env });
    expect(await problemOf(await bff.post("/api/session", {}))).toBe("401 identity_required");
    expect(service.seen).toEqual([]);
    expect(await (await bff.request("GET", "/api/config")).json()).toMatchObject({
      identityPolicy: "required",
    });
    expect((await enter("ann")).customer.identified).toBe(true);
  });

  it("ends earlier anonymous sessions", async () => {
    const store = createSqliteStore(":memory:");
    const before = openIdentityBench({ store });
    const { token } = await before.bff.startSession();
    const after = openIdentityBench({ store, env, site: before.site, clock: before.clock });
    expect(await problemOf(await after.bff.post("/api/session", {}, token))).toBe("401 session_expired");
  });
});

describe("what the page says about its visitor", () => {
  const traits = { plan: "enterprise", identified: true, password: "canary" };

  it("is separate from what the site signed, and never replaces it", async () => {
    const { bff, site, service } = openIdentityBench();
    const token = site.token({ claims: { sub: "ann", traits: { plan: "free" } } });
    await bff.post("/api/session", { token, traits });
    expect(service.calls("identify")[0]?.body).toEqual({
      externalId: "ann",
      attributes: { plan: "free", "page.plan": "enterprise", "page.identified": true, identified: true },
    });
    expect(bff.lines.join("\n")).not.toContain("canary");
  });

  it("reaches the service when it changes in a running session, and only then", async () => {
    const { bff, service } = openIdentityBench();
    const { token } = await bff.startSession();
    for (const plan of ["pro", "pro", "team"]) await bff.post("/api/session", { traits: { plan } }, token);
    const sent = service.calls("identify").map(({ body }) => (body as { attributes: object }).attributes);
    expect(sent).toEqual([
      { identified: false },
      { "page.plan": "pro", identified: false },
      { "page.plan": "team", identified: false },
    ]);
  });

  it("signed traits may not contain secrets either, and may not use reserved names", async () => {
    const { enter, service, bff } = openIdentityBench();
    const signed = {
      plan: "pro",
      apiToken: "canary",
      "page.plan": "forged",
      linkedTo: "forged",
      identified: false,
    };
    await enter("ann", { claims: { traits: signed } });
    expect(service.calls("identify")[0]?.body).toMatchObject({
      attributes: { plan: "pro", identified: true },
    });
    expect(JSON.stringify(service.seen)).not.toMatch(/canary|forged/);
    expect(bff.lines.join("\n")).toContain("apiToken");
    expect(bff.lines.join("\n")).not.toContain("canary");
  });

  it("never displaces what was signed", async () => {
    const { bff, site, service } = openIdentityBench();
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, n]));
    const token = site.token({ claims: { sub: "ann", traits: many("s", 45) } });
    await bff.post("/api/session", { token, traits: many("p", 50) });
    const names = Object.keys(identifyBodies({ service })[0]?.attributes ?? {});
    expect(names.filter((name) => name.startsWith("s"))).toHaveLength(45);
    expect(names.filter((name) => name.startsWith("page."))).toHaveLength(2);
    expect(names.length).toBeLessThanOrEqual(50);
  });
});
