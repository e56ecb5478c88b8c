import { describe, expect, test } from "vitest";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { SHOW_MS } from "../answers/shown-answer.ts";
import { parseConfig } from "../config.ts";
import type { HandoffAdapter } from "../handoff/adapter.ts";
import { ASK_MS } from "../handoff/ask-target.ts";
import { createHeldAgent } from "../testing/agents.ts";
import { settleDown } from "../testing/settle-down.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";

const PATH = "/v1/support/handoffs";
const PERSON = { id: "user_1", name: "Maria" };

function targetOf(t: TestService, conversationId: string) {
  return { workspaceId: t.workspace.id, conversationId };
}

describe("handoffs work", () => {
  test("a person is asked for, and gets what the customer gave", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(PATH, {
      conversationId: id,
      reason: "Broken",
      currentIntent: "A new lamp",
    });
    expect(answer.status).toBe(201);
    const { handoff } = requestHandoff.answer.parse(await answer.json());
    expect(handoff).toMatchObject({ conversationId: id, status: "requested" });
    const seen = await t.store.desk.readDeskConversation(targetOf(t, id));
    expect(seen).toMatchObject({ state: "waiting", reason: "Broken", summary: "A new lamp" });
  });

  test("HAND5 the place in the queue is counted in the order in which people were asked for", async () => {
    const t = await openTestService();
    const places: (number | undefined)[] = [];
    for (const name of ["ann", "bob", "cai"]) {
      t.clock.advance(1000);
      const customer = await t.customer(name);
      const answer = await customer.post(PATH, { conversationId: await customer.start() });
      places.push(requestHandoff.answer.parse(await answer.json()).handoff.wait?.place);
    }
    expect(places).toEqual([1, 2, 3]);
  });

  test("HAND5 the usual wait is the median of at least five waits, and the transcript has it while the customer waits", async () => {
    const t = await openTestService();
    const usual: (number | undefined)[] = [];
    for (const seconds of [10, 600, 20, 30, 40]) {
      const customer = await t.customer(`customer-${seconds}`);
      const id = await customer.start();
      const answer = await customer.post(PATH, { conversationId: id });
      usual.push(requestHandoff.answer.parse(await answer.json()).handoff.wait?.usualSeconds);
      t.clock.advance(seconds * 1000);
      await t.store.desk.acceptHandoff(targetOf(t, id), PERSON);
      await t.store.desk.replyAsHuman(targetOf(t, id), PERSON, { clientMessageId: "1", body: "Hello" });
    }
    expect(usual).toEqual([undefined, undefined, undefined, undefined, undefined]);
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post(PATH, { conversationId: id });
    const wait = { place: 1, usualSeconds: 30 };
    expect((await ann.transcript(id)).conversation?.handoff).toMatchObject({ status: "requested", wait });
    await t.store.desk.acceptHandoff(targetOf(t, id), PERSON);
    expect((await ann.transcript(id)).conversation?.handoff?.wait).toBeUndefined();
  });

  test("HAND5 nobody but the owner of the conversation reads its wait", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post(PATH, { conversationId: id });
    const owner = { workspaceId: "ws_other", customerId: "cust_other" };
    expect(await t.store.handoffs.readWait(owner as never, id)).toBeUndefined();
  });

  test("a hand-off may carry the longest transcript that the contract allows", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const ask = (transcript: string) => ann.post(PATH, { conversationId: id, transcript });
    expect((await ask("ü\n€".repeat(30_000))).status).toBe(201);
    expect((await problemOf(await ask("ü".repeat(100_001)))).code).toBe("bad_request");
    expect((await problemOf(await ask("€".repeat(200_000)))).code).toBe("body_too_large");
  });

  test("HAND1 asking twice gives the same handoff, and one event", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answers = await Promise.all([1, 2, 3].map(() => ann.post(PATH, { conversationId: id })));
    const handoffs = await Promise.all(answers.map(async (answer) => (await answer.json()).handoff.id));
    expect(new Set(handoffs).size).toBe(1);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 201]);
    expect((await ann.transcript(id)).lastSeq).toBe(2);
  });

  test("API1 asking again after a person accepted gives the same handoff, with the fields that are described", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const asked = (await (await ann.post(PATH, { conversationId: id })).json()).handoff;
    await t.store.desk.acceptHandoff(targetOf(t, id), PERSON);
    const again = await (await ann.post(PATH, { conversationId: id })).json();
    expect(again.handoff).toEqual({ id: asked.id, conversationId: id, status: "accepted" });
  });

  test("100 at once with one key are one handoff; another body is refused", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const ask = (reason: string) =>
      ann.post(PATH, { conversationId: id, reason }, { "idempotency-key": "h" });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask("Broken")));
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
    expect((await ann.transcript(id)).lastSeq).toBe(2);
    expect((await problemOf(await ask("Late"))).code).toBe("key_reused");
  });

  test("HAND1 a repeated key returns its hand-off while that is open, and asks again once a person has returned it", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    const ask = async () => {
      const answer = await ann.post(PATH, { conversationId: id }, { "idempotency-key": "h" });
      return (await answer.json()).handoff;
    };
    const first = await ask();
    await t.store.desk.acceptHandoff(targetOf(t, id), PERSON);
    expect(await ask()).toMatchObject({ id: first.id });
    await t.store.desk.returnToAgent(targetOf(t, id), PERSON);
    const second = await ask();
    expect(second).toMatchObject({ status: "requested", id: expect.not.stringMatching(first.id) });
    const { handoff } = (await ann.transcript(id)).conversation ?? {};
    expect(handoff).toMatchObject({ id: second.id, status: "requested" });
    expect((await ask()).id).toBe(second.id);
    await ann.delete(`/v1/support/conversations/${id}`);
    expect((await ask()).id).toBe(second.id);
  });

  test("HAND2 the agent is silent from the request for a person until the return, and then answers again", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post(PATH, { conversationId: id });
    await ann.say(id, "Anybody?");
    await t.store.desk.acceptHandoff(targetOf(t, id), PERSON);
    await ann.say(id, "Hello Maria");
    await t.service.settled();
    expect((await ann.transcript(id)).messages.map(({ role }) => role)).toEqual(["customer", "customer"]);
    await t.store.desk.replyAsHuman(targetOf(t, id), PERSON, { clientMessageId: "1", body: "Hello Ann" });
    await t.store.desk.returnToAgent(targetOf(t, id), PERSON);
    await ann.say(id, "Agent?");
    await t.service.settled();
    expect((await ann.transcript(id)).messages.map(({ role }) => role)).toEqual([
      "customer",
      "customer",
      "human",
      "customer",
      "agent",
    ]);
  });

  test("a request for a person in the middle of an answer ends it; what was shown is stored before the request", async () => {
    const held = createHeldAgent();
    const t = await openTestService({ agents: [held.agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const stream = (
      await ann.post(
        `/v1/support/conversations/${id}/turns`,
        { clientMessageId: "k", content: { body: "Help", format: "plain" } },
        { accept: "application/x-ndjson" },
      )
    ).body?.getReader();
    held.say("Let me see");
    await settleDown();
    t.clock.advance(SHOW_MS);
    let seen = "";
    while (!seen.includes("Let me see")) seen += new TextDecoder().decode((await stream?.read())?.value);
    await ann.post(PATH, { conversationId: id });
    await t.service.settled();
    const { messages, lastSeq, conversation } = await ann.transcript(id);
    expect(messages.at(-1)).toMatchObject({ role: "agent", body: "Let me see", incomplete: true, seq: 3 });
    expect(conversation?.handoff?.status).toBe("requested");
    expect(lastSeq).toBe(4);
    while (!(await stream?.read())?.done);
  });
});

describe("a failed handoff leaves the agent in place", () => {
  const failing: HandoffAdapter = {
    id: "desk",
    prepare: () => Promise.reject(new Error("canary-of-the-target")),
  };

  test("HAND1 a target that fails: 503, no event, the agent continues, and the answer hides the cause", async () => {
    const t = await openTestService({ adapters: [failing] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const answer = await ann.post(PATH, { conversationId: id }, { "idempotency-key": "h" });
    const problem = await problemOf(answer);
    expect(problem.code).toBe("unavailable");
    expect(problem.detail).not.toContain("canary");
    await ann.say(id, "Still there?");
    await t.service.settled();
    const { messages, conversation } = await ann.transcript(id);
    expect(conversation?.handoff).toBeUndefined();
    expect(messages.at(-1)?.role).toBe("agent");
  });

  test("a target that never answers is given up after its time limit", async () => {
    const silent: HandoffAdapter = {
      id: "desk",
      prepare: () =>
        new Promise(() => {
          // Never resolves.
        }),
    };
    const t = await openTestService({ adapters: [silent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const asked = ann.post(PATH, { conversationId: id });
    await t.request("/livez");
    for (let turns = 0; turns < 5; turns += 1) await new Promise(setImmediate);
    t.clock.advance(ASK_MS);
    expect((await problemOf(await asked)).code).toBe("unavailable");
  });

  /** Counts what is prepared, committed and discarded; `onCommit` runs while the target commits. */
  function countingAdapter(onCommit: (conversationId: string) => Promise<void> = async () => undefined) {
    const count = { prepared: 0, committed: 0, discarded: 0 };
    const adapter: HandoffAdapter = {
      id: "desk",
      prepare: async ({ conversationId }) => {
        count.prepared += 1;
        return {
          ref: conversationId,
          commit: async () => {
            await onCommit(conversationId);
            count.committed += 1;
          },
          discard: async () => {
            count.discarded += 1;
          },
        };
      },
    };
    return { adapter, count };
  }

  test("three concurrent requests ask the target once", async () => {
    const { adapter, count } = countingAdapter();
    const t = await openTestService({ adapters: [adapter] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await Promise.all([1, 2, 3].map(() => ann.post(PATH, { conversationId: id })));
    expect(count).toEqual({ prepared: 1, committed: 1, discarded: 0 });
  });

  test("HAND1 a target that prepares and fails to commit: 503, no event, and its preparation is discarded", async () => {
    const { adapter, count } = countingAdapter(() => Promise.reject(new Error("declined")));
    const t = await openTestService({ adapters: [adapter] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    expect((await problemOf(await ann.post(PATH, { conversationId: id }))).code).toBe("unavailable");
    expect((await ann.transcript(id)).conversation?.handoff).toBeUndefined();
    expect(count).toEqual({ prepared: 1, committed: 0, discarded: 1 });
  });

  test("a target that commits too late is discarded after it has committed", async () => {
    const order: string[] = [];
    const committing = Promise.withResolvers<void>();
    const slow: HandoffAdapter = {
      id: "desk",
      prepare: async ({ conversationId }) => ({
        ref: conversationId,
        commit: () => committing.promise.then(() => void order.push("committed")),
        discard: async () => void order.push("discarded"),
      }),
    };
    const t = await openTestService({ adapters: [slow] });
    const ann = await t.customer("ann");
    const asked = ann.post(PATH, { conversationId: await ann.start() });
    await settleDown();
    t.clock.advance(ASK_MS);
    expect((await problemOf(await asked)).code).toBe("unavailable");
    committing.resolve();
    await settleDown();
    expect(order).toEqual(["committed", "discarded"]);
  });

  test("a prepared target is discarded when the conversation ended meanwhile", async () => {
    const { adapter, count } = countingAdapter(async (id) => {
      await ann.delete(`/v1/support/conversations/${id}`);
    });
    const t = await openTestService({ adapters: [adapter] });
    const ann = await t.customer("ann");
    const answer = await ann.post(PATH, { conversationId: await ann.start() });
    expect((await problemOf(answer)).code).toBe("conversation_ended");
    expect(count).toEqual({ prepared: 1, committed: 1, discarded: 1 });
  });

  test("a route without a target: 409, and the agent continues", async () => {
    const t = await openTestService({ adapters: [] });
    const ann = await t.customer("ann");
    const answer = await ann.post(PATH, { conversationId: await ann.start() });
    expect((await problemOf(answer)).code).toBe("handoff_unavailable");
  });

  test("a conversation that has ended: 409", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.delete(`/v1/support/conversations/${id}`);
    expect((await problemOf(await ann.post(PATH, { conversationId: id }))).code).toBe("conversation_ended");
  });
});

describe("handoffs protect", () => {
  test("a foreign and a missing conversation are answered alike", async () => {
    const t = await openTestService();
    const id = await (await t.customer("ann")).start();
    const bob = await t.customer("bob");
    for (const conversationId of [id, "conv_missing"]) {
      expect((await bob.post(PATH, { conversationId })).status).toBe(404);
    }
  });

  test("the server-to-server secret is required where one is configured", async () => {
    const t = await openTestService({ handoffSecrets: ["a-secret-between-servers"] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    for (const given of [undefined, "", "a-secret-between-server", "A-secret-between-servers"]) {
      const headers: Record<string, string> = given === undefined ? {} : { "x-handoff-secret": given };
      expect((await ann.post(PATH, { conversationId: id }, headers)).status).toBe(401);
    }
    const right = await ann.post(
      PATH,
      { conversationId: id },
      { "x-handoff-secret": "a-secret-between-servers" },
    );
    expect(right.status).toBe(201);
  });

  test("two server-to-server secrets are accepted while one replaces the other, and nothing else", async () => {
    const env = { HANDOFF_SECRET: "the-next-secret-of-ours the-former-secret-of-ours" };
    const { handoffSecrets } = parseConfig(env, () => "");
    const t = await openTestService({ handoffSecrets });
    const ann = await t.customer("ann");
    const id = await ann.start();
    const statuses = ["the-next-secret-of-ours", "the-former-secret-of-ours", env.HANDOFF_SECRET, ""].map(
      async (given) => (await ann.post(PATH, { conversationId: id }, { "x-handoff-secret": given })).status,
    );
    expect((await Promise.all(statuses)).map((status) => status === 401)).toEqual([false, false, true, true]);
  });
});
