import { describe, expect, test } from "vitest";
import { listConversations, searchConversations } from "../../shared/v1/history.ts";
import type { TestCustomer } from "../testing/test-customer.ts";
import { openTestService } from "../testing/test-service.ts";

const PATH = "/v1/support/conversations";

async function list(customer: TestCustomer, query = "") {
  const answer = await customer.get(PATH + query);
  expect(answer.status).toBe(200);
  return listConversations.answer.parse(await answer.json());
}

/** All pages of at most `limit`, joined. */
async function listAll(customer: TestCustomer, limit: number) {
  const ids: string[] = [];
  let after = "";
  for (let count = 0; count < 20; count += 1) {
    const page = await list(customer, `?limit=${limit}${after}`);
    expect(page.conversations.length).toBeLessThanOrEqual(limit);
    ids.push(...page.conversations.map(({ id }) => id));
    if (page.next === undefined) return ids;
    after = `&after=${page.next}`;
  }
  throw new Error("the pages have no end");
}

describe("the customer's own conversations", () => {
  test("HIST1 name first words, who answered, and how each ended", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const ended = await ann.start();
    await ann.say(ended, "Where is\nmy   order?");
    await t.service.settled();
    await ann.delete(`${PATH}/${ended}`);
    await ann.post(`${PATH}/${ended}/rating`, { score: "up" });
    const empty = await ann.start();
    const { customer, conversations } = await list(ann);
    expect(customer).toEqual({ externalId: "ann" });
    const found = (id: string) => conversations.find((each) => each.id === id);
    expect(found(ended)).toMatchObject({
      status: "ended",
      firstWords: "Where is my order?",
      answeredBy: { role: "agent" },
      ended: { by: "customer" },
    });
    const { startedAt } = found(empty) ?? {};
    expect(found(empty)).toEqual({ id: empty, status: "open", startedAt });
  });

  test("name the person who wrote last", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.post("/v1/support/handoffs", { conversationId: id });
    const person = { id: "user_1", name: "Maria" };
    const target = { workspaceId: t.workspace.id, conversationId: id };
    await t.store.desk.acceptHandoff(target, person);
    expect((await list(ann)).conversations[0]).not.toHaveProperty("answeredBy");
    await t.store.desk.replyAsHuman(target, person, { clientMessageId: "k", body: "Hello, Maria here" });
    expect((await list(ann)).conversations[0]?.answeredBy).toEqual({ role: "human", name: "Maria" });
  });

  test("are complete over all pages, newest first, also where several started at once", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const started: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      started.unshift(await ann.start());
      // The second and the third start in the same millisecond.
      if (count !== 1) t.clock.advance(1_000);
    }
    const whole = await listAll(ann, 50);
    expect(new Set(whole)).toEqual(new Set(started));
    expect([whole[0], whole[1], whole[4]]).toEqual([started[0], started[1], started[4]]);
    for (const limit of [1, 2, 3]) expect(await listAll(ann, limit)).toEqual(whole);
  });

  test("HIST2 never include another customer's, whatever place is asked for; the control finds its own", async () => {
    const t = await openTestService();
    const [ann, bob, visitor] = [
      await t.customer("ann"),
      await t.customer("bob"),
      await t.customer("anon_1"),
    ];
    for (const customer of [ann, visitor]) {
      await customer.say(await customer.start(), "canary words");
      await customer.start();
    }
    const { next } = await list(ann, "?limit=1");
    expect(next).toBeDefined();
    for (const query of ["", `?after=${next}`, "?limit=50", "?after=999999999999999.conv_zzz"]) {
      const answer = await bob.get(PATH + query);
      expect(listConversations.answer.parse(await answer.json())).toEqual({
        customer: { externalId: "bob" },
        conversations: [],
      });
    }
    for (const customer of [ann, visitor]) {
      expect(JSON.stringify(await list(customer)), "control").toContain("canary words");
    }
  });

  test("leave out what was erased", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "canary words");
    await ann.delete(`${PATH}/${id}/content`);
    expect((await list(ann)).conversations).toEqual([]);
  });

  test("refuse a page of a wrong form, a caller without a session, and other methods", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    for (const query of ["?limit=0", "?limit=51", "?limit=x", "?after=", "?after=1", "?after=1.%2F"]) {
      expect((await ann.get(PATH + query)).status, query).toBe(400);
    }
    expect((await t.request(PATH)).status).toBe(401);
    const other = await ann.delete(PATH);
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST, GET"]);
  });
});

async function search(customer: TestCustomer, text: string, more: object = {}) {
  const answer = await customer.post("/v1/support/search", { text, ...more });
  expect(answer.status).toBe(200);
  const page = searchConversations.answer.parse(await answer.json());
  expect([page.text, page.customer.externalId]).toEqual([text, customer.externalId]);
  return page;
}

describe("HIST3 the search among the customer's own conversations", () => {
  test("finds all words in any order, without case and accents, in every script, in what either side wrote", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const talk = async (...messages: string[]) => {
      const id = await ann.start();
      for (const message of messages) await ann.say(id, message);
      await t.service.settled();
      return id;
    };
    const lamp = await talk("Hello", "My LAMP is broken", "It stands in Zürich");
    const desk = await talk("The desk arrived with a broken leg");
    const chinese = await talk("我的包裹在哪里");
    const idsOf = async (text: string) => (await search(ann, text)).conversations.map(({ id }) => id);
    expect(await idsOf("broken")).toEqual([desk, lamp].sort().reverse());
    expect(await idsOf("ZURICH lamp")).toEqual([lamp]);
    expect(await idsOf("包裹")).toEqual([chinese]);
    // The test agent answers "You asked: …".
    expect(await idsOf("asked: hello")).toEqual([lamp]);
    expect(await idsOf("lamp desk")).toEqual([]);
    expect(await idsOf('"%_\\')).toEqual([]);
  });

  test("shows the words around what was found", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const long = `${"before ".repeat(60)}the **Löwe** sleeps${" after".repeat(60)}`;
    await ann.say(await ann.start(), long);
    const [found] = (await search(ann, "lowe")).conversations;
    expect(found?.firstWords).toMatch(/^before before/);
    expect(found?.excerpt).toMatch(/^….*before the Löwe sleeps after/);
    expect(found?.excerpt?.length).toBeLessThanOrEqual(160);
  });

  test("HIST2 never finds another customer's words, whatever place is asked for; the control finds its own", async () => {
    const t = await openTestService();
    const [ann, bob] = [await t.customer("ann"), await t.customer("bob")];
    await ann.say(await ann.start(), "canary words");
    await ann.start();
    const { next } = await list(ann, "?limit=1");
    for (const more of [{}, { after: next }, { limit: 50 }]) {
      expect((await search(bob, "canary", more)).conversations).toEqual([]);
    }
    expect(JSON.stringify(await search(ann, "canary")), "control").toContain("canary words");
  });

  test("reads a bounded amount in one call, and is complete over its pages", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const filler = "x".repeat(3_900);
    const first = await ann.start();
    await ann.say(first, "the oldest needle");
    t.clock.advance(1_000);
    // There are some 550,000 characters in between: the echo doubles each.
    for (let count = 0; count < 7; count += 1) {
      const id = await ann.start();
      for (let times = 0; times < 10; times += 1) await ann.say(id, filler);
    }
    await t.service.settled();
    const page = await search(ann, "needle");
    expect([page.conversations, typeof page.next]).toEqual([[], "string"]);
    const rest = await search(ann, "needle", { after: page.next });
    expect(rest.conversations.map(({ id }) => id)).toEqual([first]);
    expect(rest.next).toBeUndefined();
  });

  test("pages have at most `limit` conversations and lead to all", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    const ids = new Set<string>();
    for (let count = 0; count < 5; count += 1) {
      const id = await ann.start();
      await ann.say(id, `needle ${count}`);
      ids.add(id);
    }
    const found: string[] = [];
    let after: string | undefined;
    do {
      const page = await search(ann, "needle", { limit: 2, ...(after ? { after } : {}) });
      expect(page.conversations.length).toBeLessThanOrEqual(2);
      found.push(...page.conversations.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(new Set(found)).toEqual(ids);
    expect(found).toHaveLength(5);
  });

  test("refuses a text of a wrong form and a caller without a session, and forgets what was erased", async () => {
    const t = await openTestService();
    const ann = await t.customer("ann");
    for (const body of [{}, { text: " " }, { text: "x".repeat(101) }, { text: "x", after: "1" }]) {
      expect((await ann.post("/v1/support/search", body)).status, JSON.stringify(body)).toBe(400);
    }
    expect((await t.request("/v1/support/search", { method: "POST" })).status).toBe(401);
    const id = await ann.start();
    await ann.say(id, "canary words");
    await ann.delete(`${PATH}/${id}/content`);
    expect((await search(ann, "canary")).conversations).toEqual([]);
  });
});
