import { describe, expect, it } from "vitest";
import { json } from "../../service/testing/fake/fake-service.ts";
import { withEventLines } from "../testing/event-lines.ts";
import { identifyBodies, openIdentityBench, says } from "../testing/identity-bench.ts";
import { problemOf, readBlocks } from "../testing/test-bff.ts";

const idOf = (body: unknown) => (body as { externalId: string }).externalId;

describe("IDENT3 an anonymous visitor who signs in", () => {
  async function linked() {
    const bench = openIdentityBench();
    const { token: anonymous, id } = await bench.bff.startConversation();
    const answer = await bench.identify(anonymous, bench.site.token({ claims: { sub: "ann" } }));
    return { ...bench, anonymous, id, answer, state: await says(answer) };
  }

  it("continues the same conversation, with a new token", async () => {
    const { answer, state, anonymous, id } = await linked();
    expect(answer.status).toBe(201);
    expect(state.customer).toEqual({ externalId: "ann", identified: true });
    expect(state.conversation?.id).toBe(id);
    expect(state.token).not.toBe(anonymous);
  });

  it("the old token is refused everywhere, and its stream is closed", async () => {
    const bench = openIdentityBench();
    withEventLines(bench.service);
    const { token: anonymous } = await bench.bff.startConversation();
    const stream = await bench.bff.request("GET", "/api/conversation/events", { token: anonymous });
    expect(stream.status).toBe(200);
    await bench.identify(anonymous, bench.site.token({ claims: { sub: "ann" } }));
    await expect(readBlocks(stream, 1)).resolves.toEqual([]);
    for (const [method, path] of [
      ["POST", "/api/session"],
      ["POST", "/api/session/identity"],
      ["POST", "/api/conversation/messages"],
      ["GET", "/api/conversation/events"],
      ["DELETE", "/api/session"],
    ] as const) {
      const answer = await bench.bff.request(method, path, {
        token: anonymous,
        ...(method === "POST" ? { headers: { "content-type": "application/json" }, body: "{}" } : {}),
      });
      expect(await problemOf(answer), path).toBe("401 unauthenticated");
    }
  });

  it("the application asks the service to link it, and afterwards every call is in the customer's own name", async () => {
    const bench = openIdentityBench();
    const { bff, service } = bench;
    const { token, id } = await bff.startConversation();
    const anonymousId = idOf(service.calls("identify")[0]?.body);
    const state = await says(await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })));
    const [asked, ...more] = service.calls("link");
    expect(more).toEqual([]);
    expect(asked?.path).toBe(`/v1/support/conversations/${id}/link`);
    expect(asked?.headers["authorization"]).toBe("Bearer sk_credential");
    expect(asked?.body).toEqual({ externalId: anonymousId, linkedTo: "ann" });
    const before = service.seen.length;
    const message = { clientMessageId: "m2", body: "It is me" };
    expect((await bff.post("/api/conversation/messages", message, state.token)).status).toBe(201);
    await bff.post("/api/conversation/handoff", {}, state.token);
    await bff.request("DELETE", "/api/conversation", { token: state.token });
    const calls = service.seen.slice(before);
    expect(calls.map(({ operation }) => operation)).toEqual(["turns", "handoffs", "endConversation"]);
    const customers = calls.map(({ headers }) =>
      service.tokens.get(headers["authorization"]?.replace("Bearer ", "") ?? ""),
    );
    expect(new Set(customers)).toEqual(new Set(["ann"]));
  });

  const without = (capability: string) => () => {
    const all = ["turns", "events", "messages", "idempotency", "link"];
    return json({ capabilities: all.filter((one) => one !== capability) });
  };

  it.each(["link", "events"])(
    "a service without %s is not asked: the customer starts without it",
    async (missing) => {
      const bench = openIdentityBench();
      bench.service.answer("capabilities", without(missing));
      bench.service.answer("turns", ({ body }) =>
        json({ message: { ...(body as object), id: "m", seq: 2 } }, 201),
      );
      const { token } = await bench.bff.startConversation();
      const answer = await bench.identify(token, bench.site.token({ claims: { sub: "ann" } }));
      expect(answer.status).toBe(201);
      expect((await says(answer)).conversation).toBeNull();
      expect(bench.service.calls("link")).toEqual([]);
    },
  );

  it("a service that refuses to link leaves it with the visitor: the customer starts without it", async () => {
    const bench = openIdentityBench();
    const { token } = await bench.bff.startConversation();
    bench.service.answer("link", () => json({}, 404));
    const state = await says(await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })));
    expect(state.customer).toEqual({ externalId: "ann", identified: true });
    expect(state.conversation).toBeNull();
    await bench.bff.post("/api/conversation", { clientMessageId: "m2", body: "It is me" }, state.token);
    const [first, second] = [...bench.service.conversations.values()];
    expect(first?.externalId).not.toBe("ann");
    expect(second?.externalId).toBe("ann");
    expect(bench.service.calls("turns").at(-1)?.path).toContain(second?.id);
  });

  it.each<[string, number, (id: string) => Response]>([
    ["of another conversation", 502, () => json({ conversation: { id: "conv-9", externalId: "ann" } })],
    ["of another customer", 502, (id) => json({ conversation: { id, externalId: "bob" } })],
    ["empty", 502, () => new Response(null, { status: 204 })],
    ["without room", 507, () => json({}, 507)],
    ["too early", 429, () => new Response(null, { status: 429, headers: { "retry-after": "7" } })],
  ])(
    "a link that nobody confirmed (%s) changes nothing: the visitor goes on, and may try again",
    async (_, status, fault) => {
      const bench = openIdentityBench();
      const { token, id } = await bench.bff.startConversation();
      bench.service.answer("link", () => fault(id));
      const refused = await bench.identify(token, bench.site.token({ claims: { sub: "ann" } }));
      expect(refused.status).toBe(status);
      expect(await says(await bench.bff.post("/api/session", {}, token))).toMatchObject({
        customer: { identified: false },
        conversation: { id },
      });
      bench.service.mend("link");
      const linked = await says(await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })));
      expect(linked.conversation?.id).toBe(id);
    },
  );

  it("is linked once: of two concurrent customers one gets the conversation, and the other nothing of it", async () => {
    const bench = openIdentityBench();
    const { token } = await bench.bff.startConversation();
    const tokens = ["ann", "bob"].map((sub) => bench.site.token({ claims: { sub } }));
    const answers = await Promise.all(tokens.map((identity) => bench.identify(token, identity)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 401]));
    // The token that brought nothing starts a session of its own.
    const identity = tokens[answers.findIndex(({ status }) => status === 401)];
    const next = await bench.bff.post("/api/session", { token: identity });
    expect(next.status).toBe(201);
    expect((await says(next)).conversation).toBeNull();
  });

  it("never by e-mail: entering another's address reveals nothing of theirs", async () => {
    const bench = openIdentityBench();
    const victim = await bench.enter("victim", {
      claims: { email: "victim@example.com", email_verified: true },
    });
    await bench.bff.post(
      "/api/conversation",
      { clientMessageId: "v1", body: "canary of the victim" },
      victim.token,
    );
    const { token } = await bench.bff.startSession();
    const claims = { sub: "mallory", email: "victim@example.com", email_verified: true };
    expect((await says(await bench.identify(token, bench.site.token({ claims })))).conversation).toBeNull();
  });

  it("the next customer in that browser starts empty", async () => {
    const { identify, site, state, bff } = await linked();
    const answer = await identify(state.token, site.token({ claims: { sub: "bob" } }));
    const bob = await says(answer);
    expect(answer.status).toBe(201);
    expect(bob.customer.externalId).toBe("bob");
    expect(bob.conversation).toBeNull();
    expect(await problemOf(await bff.post("/api/session", {}, state.token))).toBe("401 unauthenticated");
  });

  it("their own open conversation is set aside, and continues after the linked one ends", async () => {
    const bench = openIdentityBench();
    const atHome = await bench.enter("ann");
    await bench.bff.post("/api/conversation", { clientMessageId: "m1", body: "At home" }, atHome.token);
    const { token, id } = await bench.bff.startConversation();
    const [first] = bench.service.conversations.keys();
    const { token: bearer, conversation } = await says(
      await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })),
    );
    expect(conversation?.id).toBe(id);
    await bench.bff.request("DELETE", "/api/conversation", { token: bearer });
    await bench.bff.post("/api/conversation", { clientMessageId: "m9", body: "Again" }, bearer);
    expect(bench.service.calls("turns").at(-1)?.path).toContain(first);
    expect(bench.service.calls("conversations")).toHaveLength(2);
    expect(await says(await bench.bff.post("/api/session", {}, bearer))).toMatchObject({
      conversation: { id: first, status: "open" },
    });
  });

  it("the streams of their other devices end, because messages go to the linked conversation now", async () => {
    const bench = openIdentityBench();
    withEventLines(bench.service);
    const atHome = await bench.enter("ann");
    await bench.bff.post("/api/conversation", { clientMessageId: "m1", body: "At home" }, atHome.token);
    const stream = await bench.bff.request("GET", "/api/conversation/events", { token: atHome.token });
    expect(stream.status).toBe(200);
    const { token } = await bench.bff.startConversation();
    await bench.identify(token, bench.site.token({ claims: { sub: "ann" } }));
    await expect(readBlocks(stream, 1)).resolves.toEqual([]);
  });

  it("a stream that was being opened during the sign-in ends, so that its device finds the linked conversation", async () => {
    const bench = openIdentityBench();
    const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bench.service.answer("events", async (_, real) => {
      asked.resolve();
      await held.promise;
      return real();
    });
    const atHome = await bench.enter("ann");
    await bench.bff.post("/api/conversation", { clientMessageId: "m1", body: "At home" }, atHome.token);
    const opening = bench.bff.request("GET", "/api/conversation/events", { token: atHome.token });
    await asked.promise;
    const { token } = await bench.bff.startConversation();
    await bench.identify(token, bench.site.token({ claims: { sub: "ann" } }));
    held.resolve();
    expect((await readBlocks(await opening, Number.POSITIVE_INFINITY)).join()).toContain("At home");
  });

  it("the streams that follow the linked one end when their own continues", async () => {
    const bench = openIdentityBench();
    withEventLines(bench.service);
    const atHome = await bench.enter("ann");
    await bench.bff.post("/api/conversation", { clientMessageId: "m1", body: "At home" }, atHome.token);
    const { token } = await bench.bff.startConversation();
    const { token: bearer } = await says(
      await bench.identify(token, bench.site.token({ claims: { sub: "ann" } })),
    );
    const stream = await bench.bff.request("GET", "/api/conversation/events", { token: atHome.token });
    expect(stream.status).toBe(200);
    await bench.bff.request("DELETE", "/api/conversation", { token: bearer });
    await bench.bff.post("/api/conversation", { clientMessageId: "m9", body: "Again" }, bearer);
    await expect(readBlocks(stream, 1)).resolves.toEqual([]);
  });

  it("without a conversation only the session changes", async () => {
    const bench = openIdentityBench();
    const { token } = await bench.bff.startSession();
    const state = await says(await bench.identify(token, bench.site.token()));
    expect(state.conversation).toBeNull();
    expect(identifyBodies(bench)).toHaveLength(2);
  });

  it("a refused token changes nothing: the anonymous session continues", async () => {
    const bench = openIdentityBench();
    const { token } = await bench.bff.startConversation();
    const refused = await bench.identify(token, bench.site.token({ claims: { aud: "other" } }));
    expect(await problemOf(refused)).toBe("401 identity_wrong_audience");
    expect((await bench.bff.post("/api/session", {}, token)).status).toBe(200);
  });
});
