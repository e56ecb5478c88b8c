import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { capabilities } from "../../shared/v1/capabilities.ts";
import { type ReadEvent, readEventStream } from "../testing/event-reader.ts";
import { openTestService, problemOf } from "../testing/test-service.ts";

async function openTalk() {
  const t = await openTestService();
  const customer = await t.customer("ann");
  const ask = async (by = customer) => {
    const id = await by.start();
    await by.say(id, "How long?");
    await t.service.settled();
    const { messages } = await by.transcript(id);
    return { id, path: `/v1/support/conversations/${id}`, own: messages[0]?.id, answer: messages[1]?.id };
  };
  const talk = await ask();
  return {
    t,
    customer,
    ask,
    ...talk,
    give: (score: unknown, messageId: unknown = talk.answer, by = customer, at = talk.path) =>
      by.post(`${at}/feedback`, { messageId, score }),
    read: async () => (await customer.transcript(talk.id)).messages.map(({ feedback }) => feedback),
    atDesk: async () => {
      const target = { workspaceId: t.workspace.id, conversationId: talk.id };
      const read = await t.store.desk.readDeskConversation(target);
      return read?.messages.map(({ feedback }) => feedback);
    },
    rows: () => {
      const database = new DatabaseSync(t.path, { readOnly: true });
      const { count } = database.prepare("SELECT count(*) AS count FROM answer_feedback").get() ?? {};
      database.close();
      return count;
    },
  };
}

describe("HELP1 feedback on an answer", () => {
  test("counts once, can change and be taken back, also after the end, and is read with the transcript and at the desk", async () => {
    const { customer, id, path, answer, give, read, atDesk } = await openTalk();
    for (const score of ["up", "up", "down"]) {
      const given = await give(score);
      const feedback = { messageId: answer, score, conversationId: id };
      expect([given.status, await given.json()]).toEqual([200, { feedback }]);
      expect(await read()).toEqual([undefined, score]);
      expect(await atDesk()).toEqual([undefined, score]);
    }
    await customer.delete(path);
    for (const _ of [1, 2])
      expect(await (await give(null)).json()).toEqual({
        feedback: { messageId: answer, score: null, conversationId: id },
      });
    expect([await read(), await atDesk()]).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test("is no entry of the log, and reaches the open streams once for each change", async () => {
    const { customer, id, path, answer, give } = await openTalk();
    const { lastSeq } = await customer.transcript(id);
    const reader = readEventStream(await customer.get(`${path}/events`));
    await reader.until((read) => read.length > 0);
    for (const score of ["up", "up", "down", null]) await give(score);
    const changes = (read: readonly ReadEvent[]) =>
      read.flatMap(({ event }) => (event.type === "feedback.changed" ? [event.feedback] : []));
    const seen = changes(await reader.until((read) => changes(read).at(-1)?.score === null));
    await reader.leave();
    expect(seen).toEqual(["up", "down", null].map((score) => ({ messageId: answer, score })));
    expect((await customer.transcript(id)).lastSeq).toBe(lastSeq);
  });

  test("is read on each page that has the answer", async () => {
    const { customer, id, path, answer, give } = await openTalk();
    await give("down");
    await customer.say(id, "And express?");
    const page = async (query: string) => {
      const { messages } = await (await customer.get(`${path}/messages?${query}`)).json();
      return messages.map((message: { id: string; feedback?: string }) => [
        message.id === answer,
        message.feedback,
      ]);
    };
    expect(await page("after=2&limit=1")).toEqual([[true, "down"]]);
    expect(await page("before=4&limit=1")).toEqual([[true, "down"]]);
    expect(await page("after=3&limit=1")).toEqual([[false, undefined]]);
  });

  test("only answers of agents in this conversation can be rated, and only by its owner", async () => {
    const { t, ask, own, answer, give, read, rows } = await openTalk();
    const other = await ask();
    const bob = await t.customer("bob");
    const eve = await t.customer("ann", await t.addWorkspace("two"));
    const refused = [
      await give("up", own),
      await give("up", other.answer),
      await give("up", "msg_0"),
      await give("up", answer, bob),
      await give("up", answer, eve),
    ];
    const bodies = await Promise.all(refused.map(async (one) => problemOf(one)));
    expect(bodies.map(({ code, detail }) => [code, detail])).toEqual(
      bodies.map(() => ["not_found", bodies[0]?.detail]),
    );
    expect([await read(), rows()]).toEqual([[undefined, undefined], 0]);
  });

  test.each(["", "sideways", 1, true, undefined, {}])("the score %j is refused", async (score) => {
    const { give, rows } = await openTalk();
    expect((await problemOf(await give(score))).code).toBe("bad_request");
    expect(rows()).toBe(0);
  });

  test("a message that only quotes the answer's id is not the answer", async () => {
    const { t, customer, id, answer, give, read } = await openTalk();
    await customer.say(id, `What is ${answer}?`);
    await t.service.settled();
    expect((await give("up")).status).toBe(200);
    expect(await read()).toEqual([undefined, "up", undefined, undefined]);
  });

  test("is in its customer's export, and is erased with the conversation and with the customer", async () => {
    const { t, customer, ask, path, give, rows } = await openTalk();
    await give("down");
    const second = await ask();
    await give("up", second.answer, customer, second.path);
    const exported = await t.store.erasure.exportCustomer(t.workspace.id, "ann");
    const at = expect.stringMatching(/^\d{4}-/);
    expect(exported.conversations.map(({ feedback }) => feedback)).toEqual(
      expect.arrayContaining([[{ seq: 3, score: "down", at }], [{ seq: 3, score: "up", at }]]),
    );
    expect((await customer.delete(`${path}/content`)).status).toBe(200);
    expect(rows()).toBe(1);
    await t.store.erasure.eraseCustomer(t.workspace.id, "ann");
    expect(rows()).toBe(0);
  });

  test("the service declares it", async () => {
    const { customer } = await openTalk();
    const answer = await (await customer.get("/v1/support/capabilities")).json();
    expect(capabilities.answer.parse(answer).capabilities).toContain("feedback");
  });
});
