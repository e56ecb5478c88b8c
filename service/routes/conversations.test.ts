import { describe, expect, test } from "vitest";
import { endConversation, startConversation } from "../../shared/v1/conversations.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

const PATH = "/v1/support/conversations";

describe("conversations work", () => {
  test("one starts with its first event", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const answer = await ann.post(PATH, { subject: "Where is my order?" });
    expect(answer.status).toBe(201);
    const { conversation } = startConversation.answer.parse(await answer.json());
    expect(conversation.status).toBe("open");
    expect(await ann.transcript(conversation.id)).toMatchObject({ lastSeq: 1, messages: [] });
  });

  test("one ends, and ending it again is 200 again", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    for (let times = 0; times < 3; times += 1) {
      const answer = await ann.delete(`${PATH}/${id}`);
      expect(answer.status).toBe(200);
      const body = await answer.json();
      expect(endConversation.answer.parse(body)).toEqual({ conversation: { id, status: "ended" } });
    }
    expect((await ann.transcript(id)).lastSeq).toBe(2);
  });
});

describe("conversations are idempotent", () => {
  test("100 at once with one key are one conversation and 100 equal answers", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const send = () => ann.post(PATH, { subject: "Hello" }, { "idempotency-key": "k-1" });
    const answers = await Promise.all(Array.from({ length: 100 }, send));
    const bodies = new Set(await Promise.all(answers.map((answer) => answer.text())));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect(bodies.size).toBe(1);
    expect(await t.store.desk.listDeskConversations(t.workspace.id)).toHaveLength(1);
  });

  test("without a key each request creates its own conversation (control)", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    await Promise.all(Array.from({ length: 5 }, () => ann.post(PATH, { subject: "Hello" })));
    expect(await t.store.desk.listDeskConversations(t.workspace.id)).toHaveLength(5);
  });

  test("the key is honoured after a restart and with a renewed token", async () => {
    const t = await openTestService();
    const first = await (await (await t.customer("ann")).post(PATH, {}, { "idempotency-key": "k" })).json();
    await t.close();
    const again = await t.reopen();
    const second = await (
      await (await again.customer("ann")).post(PATH, {}, { "idempotency-key": "k" })
    ).json();
    expect(second).toEqual(first);
  });

  test("another body under the same key is refused", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    await ann.post(PATH, { subject: "Hello" }, { "idempotency-key": "k" });
    const answer = await ann.post(PATH, { subject: "Hello!" }, { "idempotency-key": "k" });
    expect(answer.status).toBe(422);
    expect((await problemOf(answer)).code).toBe("key_reused");
  });

  test("two customers may use the same key", async () => {
    const t = await openTestService();
    const ids = await Promise.all(
      ["ann", "bob"].map(async (name) => {
        const answer = await (await t.customer(name)).post(PATH, {}, { "idempotency-key": "k" });
        return (await answer.json()).conversation.id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test("a key is stored for more than 24 hours and not forever", async () => {
    const t = await openTestService();
    const start = async () => {
      const answer = await (await t.customer("ann")).post(PATH, {}, { "idempotency-key": "k" });
      return (await answer.json()).conversation.id;
    };
    const first = await start();
    t.clock.advance(25 * 3_600_000);
    expect(await start()).toBe(first);
    t.clock.advance(49 * 3_600_000);
    await (await t.customer("bob")).post(PATH, {}, { "idempotency-key": "other" });
    expect(await start()).not.toBe(first);
  });

  test("a malformed key is refused", async () => {
    const t = await openTestService();
    const answer = await (await t.customer("ann")).post(PATH, {}, { "idempotency-key": "a b" });
    expect((await problemOf(answer)).detail).toContain("Idempotency-Key");
  });
});

describe("conversations protect", () => {
  test("CONV2 a foreign, a missing and an impossible id are answered alike", async () => {
    const t = await openTestService();
    const id = await (await t.customer("ann")).start();
    const bob = await t.customer("bob");
    const answers = await Promise.all(
      [id, "conv_missing", "x%20y", "..%2f..%2fadmin", "a".repeat(300)].map(async (one) => {
        const answer = await bob.delete(`${PATH}/${one}`);
        const { requestId: _, ...problem } = await answer.json();
        return { status: answer.status, problem };
      }),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.status).toBe(404);
    expect((await (await t.customer("ann")).transcript(id)).conversation?.status).toBe("open");
  });

  test("the same externalId in two workspaces is two customers, and neither sees the other's", async () => {
    const t = await openTestService();
    const other = await t.addWorkspace("two");
    const here = await t.customer("same");
    const there = await t.customer("same", other);
    const id = await here.start();
    await here.say(id, "A secret of workspace one");
    for (const answer of [
      await there.get(`${PATH}/${id}/messages`),
      await there.get(`${PATH}/${id}/events`),
      await there.post(`${PATH}/${id}/turns`, {
        clientMessageId: "k",
        content: { body: "x", format: "plain" },
      }),
      await there.post("/v1/support/handoffs", { conversationId: id }),
      await there.delete(`${PATH}/${id}`),
    ]) {
      expect(answer.status).toBe(404);
    }
    const target = { workspaceId: other.id, conversationId: id };
    expect(await t.store.desk.readDeskConversation(target)).toBeUndefined();
    expect(await t.store.desk.listDeskConversations(other.id)).toEqual([]);
  });

  test("a session whose customer is gone is refused", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const fresh = await openTestService();
    const answer = await fresh.request(PATH, {
      method: "POST",
      headers: { authorization: `Bearer ${ann.token}`, "content-type": "application/json" },
      body: "{}",
    });
    expect(answer.status).toBe(401);
  });
});
