import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeskConversation, DeskEarlierPage, DeskQueuePage, DeskSummary } from "../../shared/desk.ts";
import { DEFAULT_PAST } from "../../shared/v1/history.ts";
import { createDeskBench, type DeskBench, type SignedIn } from "./testing/desk-bench.ts";

let bench: DeskBench;
let workspaceId: string;
let ada: SignedIn;

beforeEach(async () => {
  bench = createDeskBench();
  workspaceId = (await bench.addWorkspace("shop")).id;
  ada = await bench.signIn(workspaceId, "ada@shop.example");
});

afterEach(() => bench.close());

const act = (id: string, action: string, as: SignedIn, body: object = {}) =>
  bench.call("POST", `conversations/${id}/${action}`, { as, body });
const reply = (id: string, as: SignedIn, clientMessageId: string, body: string) =>
  act(id, "messages", as, { clientMessageId, body });
const read = async (id: string, as: SignedIn) =>
  DeskConversation.parse(await (await bench.call("GET", `conversations/${id}`, { as })).json());

async function queue(as: SignedIn): Promise<DeskSummary[]> {
  const body = (await (await bench.call("GET", "conversations", { as })).json()) as {
    conversations: unknown[];
  };
  return body.conversations.map((row) => DeskSummary.parse(row));
}

async function outcome(response: Response): Promise<[status: number, code: string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

describe("works", () => {
  it("take, reply, hand back, ask again and resolve appear in the customer's log in that order", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    expect((await act(id, "take", ada)).status).toBe(200);
    expect((await reply(id, ada, "h1", "Hello Maya")).status).toBe(201);
    expect((await act(id, "return", ada)).status).toBe(200);
    const again = { conversationId: id, reason: undefined, currentIntent: undefined, transcript: undefined };
    await bench.store.handoffs.request(owner, { ...again, adapter: "desk" }, undefined);
    await act(id, "take", ada);
    const resolved = await act(id, "resolve", ada);
    expect(await resolved.json()).toEqual({ conversation: { id, status: "ended" } });

    const log = await bench.customerLog(owner, id);
    expect(log.map((event) => event.type)).toEqual([
      "conversation.started",
      "message.created",
      "handoff.requested",
      "handoff.accepted",
      "message.created",
      "handoff.returned",
      "handoff.requested",
      "handoff.accepted",
      "conversation.ended",
    ]);
    expect(log.map((event) => event.seq)).toEqual(log.map((_, index) => index + 1));
    expect(log[3]).toMatchObject({ handoff: { status: "accepted", human: { name: "Ada" } } });
    expect(log[4]).toMatchObject({ message: { role: "human", body: "Hello Maya", author: { name: "Ada" } } });
    expect(log[8]).toMatchObject({ by: "human" });
  });

  it("the queue shows who waits, since when, and who is assigned", async () => {
    const first = await bench.waitingConversation(workspaceId, "customer-1");
    bench.clock.advance(60_000);
    const second = await bench.waitingConversation(workspaceId, "customer-2");
    expect((await queue(ada)).map(({ id, state }) => [id, state])).toEqual([
      [first.id, "waiting"],
      [second.id, "waiting"],
    ]);
    await act(first.id, "take", ada);
    const rows = await queue(ada);
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      [second.id, "waiting"],
      [first.id, "taken"],
    ]);
    expect(rows[0]?.waitingSince).toBe("2026-03-01T09:01:00.000Z");
    expect(rows[1]?.takenBy).toMatchObject({ name: "Ada" });
    expect(rows[0]?.preview).toBe("Where is my lamp?");
  });

  it("OPS4 the queue names the epoch of the log, which a restore changes", async () => {
    const answer = await bench.call("GET", "conversations", { as: ada });
    expect(await answer.json()).toEqual({ conversations: [], next: [], epoch: bench.store.epoch });
  });

  it("a conversation is read whole, with its reason, its route and who the customer is", async () => {
    const { id } = await bench.waitingConversation(workspaceId, "customer-1");
    const conversation = await read(id, ada);
    expect(conversation).toMatchObject({
      id,
      state: "waiting",
      reason: "Lamp",
      customer: { externalId: "customer-1", displayName: "Maya", identified: true },
      route: { channel: "chat", agentProvider: "knowledge", humanHandoffAdapter: "desk" },
    });
    expect(conversation.messages.map((message) => message.body)).toEqual(["Where is my lamp?"]);
  });

  it("a customer without a site's proof is marked as not identified, whatever name they gave", async () => {
    const { id } = await bench.waitingConversation(workspaceId, "anon_0123456789abcdef");
    expect((await read(id, ada)).customer).toMatchObject({ displayName: "Maya", identified: false });
    expect((await queue(ada))[0]?.customer.identified).toBe(false);
  });

  it("a resent reply is not duplicated, and the same key with another text is refused", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    const answers = await Promise.all(Array.from({ length: 20 }, () => reply(id, ada, "h1", "Hello")));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(bodies).size).toBe(1);
    expect(await outcome(await reply(id, ada, "h1", "Hello!"))).toEqual([422, "key_reused"]);
    const log = await bench.customerLog(owner, id);
    expect(
      log.filter((event) => event.type === "message.created" && event.message.role === "human"),
    ).toHaveLength(1);
  });

  it("each action is idempotent", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    for (const action of ["take", "take", "return", "return", "resolve", "resolve"]) {
      expect((await act(id, action, ada)).status).toBe(200);
    }
    expect(await bench.customerLog(owner, id)).toHaveLength(6);
  });
});

describe("DESK21 what the customer asked before", () => {
  const earlier = async (id: string, query = "") => {
    const answer = await bench.call("GET", `conversations/${id}/earlier${query}`, { as: ada });
    return { status: answer.status, body: await answer.json() };
  };

  it("comes in pages that end, and each can be read whole by any person of the desk", async () => {
    const ids: string[] = [];
    for (let count = 0; count < DEFAULT_PAST + 3; count += 1) {
      const { id, owner } = await bench.waitingConversation(workspaceId);
      await bench.store.conversations.end(owner, id);
      ids.unshift(id);
      bench.clock.advance(1000);
    }
    const [open = "", ...past] = ids;
    const first = DeskEarlierPage.parse((await earlier(open)).body);
    expect(first.conversations).toHaveLength(DEFAULT_PAST);
    expect(first.conversations[0]).toMatchObject({ firstWords: "Where is my lamp?", status: "ended" });
    const last = DeskEarlierPage.parse((await earlier(open, `?after=${first.next}`)).body);
    expect([...first.conversations, ...last.conversations].map(({ id }) => id)).toEqual(past);
    expect(last.next).toBeUndefined();
    expect((await read(past.at(-1) ?? "", ada)).messages.map(({ body }) => body)).toEqual([
      "Where is my lamp?",
    ]);
    expect((await earlier(open, "?after=1")).status).toBe(400);
  });
});

describe("DESK14 what the team types about a customer", () => {
  const set = (id: string, body: object) => act(id, "customer", ada, body);

  it("is stored, changed and removed, recorded without its text, and never replaces what the site said", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    await set(id, { name: "Ann", email: "ann@shop.example" });
    expect((await read(id, ada)).customer).toMatchObject({
      displayName: "Maya",
      team: { name: "Ann", email: "ann@shop.example" },
    });
    await set(id, { name: "Ann", email: "ann@shop.example" });
    await set(id, { name: null, email: null });
    expect((await read(id, ada)).customer.team).toBeUndefined();
    const audit = JSON.stringify(await bench.store.deskPeople.readAudit(workspaceId, undefined, 100));
    expect(audit.match(/customer\.described/g)).toHaveLength(2);
    expect(audit).not.toContain("Ann");
  });

  it.each([
    ["no address", { name: "Ann", email: "ann" }],
    ["two addresses", { name: null, email: "a@b.example, c@d.example" }],
    ["a name of two lines", { name: "Ann\nBob", email: null }],
    ["an empty name", { name: " ", email: null }],
    ["a name of 101 characters", { name: "a".repeat(101), email: null }],
    ["a field that does not exist", { name: "Ann", phone: "1" }],
  ])("is refused as %s", async (_, body) => {
    const { id } = await bench.waitingConversation(workspaceId);
    expect(await outcome(await set(id, body))).toEqual([400, "bad_request"]);
    expect((await read(id, ada)).customer.team).toBeUndefined();
  });
});

describe("refuses", () => {
  it("a second person can't take a conversation that is taken, and learns who has it", async () => {
    const bob = await bench.signIn(workspaceId, "bob@shop.example");
    const { id, owner } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    const refused = await act(id, "take", bob);
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      code: "handoff_unavailable",
      detail: "Ada has taken this conversation.",
    });
    for (const action of ["return", "resolve"]) {
      expect(await outcome(await act(id, action, bob))).toEqual([403, "forbidden"]);
    }
    expect(await outcome(await reply(id, bob, "h1", "Hi"))).toEqual([403, "forbidden"]);
    expect(await bench.customerLog(owner, id)).toHaveLength(4);
  });

  it("when many take it at once, exactly one has it", async () => {
    const people = await Promise.all(
      ["bea", "cy", "dan", "eli"].map((name) => bench.signIn(workspaceId, `${name}@shop.example`)),
    );
    const { id, owner } = await bench.waitingConversation(workspaceId);
    const answers = await Promise.all(people.map((person) => act(id, "take", person)));
    expect(answers.map((answer) => answer.status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409,
    ]);
    expect(await bench.customerLog(owner, id)).toHaveLength(4);
  });

  it("a reply requires that the person has taken the conversation", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    expect(await outcome(await reply(id, ada, "h1", "Hi"))).toEqual([403, "forbidden"]);
    await act(id, "take", ada);
    await act(id, "return", ada);
    expect(await outcome(await reply(id, ada, "h1", "Hi"))).toEqual([403, "forbidden"]);
    // Taken from the agent again.
    expect((await act(id, "take", ada)).status).toBe(200);
    expect((await reply(id, ada, "h1", "Hi")).status).toBe(201);
  });

  it("nothing can be done to a conversation that has ended", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    expect(await outcome(await act(id, "reopen", ada))).toEqual([200, undefined]);
    await act(id, "resolve", ada);
    for (const action of ["take", "return"]) {
      expect(await outcome(await act(id, action, ada))).toEqual([409, "conversation_ended"]);
    }
    expect(await outcome(await reply(id, ada, "h9", "Hi"))).toEqual([409, "conversation_ended"]);
  });

  it.each([
    ["no text", { clientMessageId: "h1" }],
    ["white space", { clientMessageId: "h1", body: " \n " }],
    ["no key", { body: "Hi" }],
    ["a key with a slash", { clientMessageId: "../h1", body: "Hi" }],
    ["5,001 characters", { clientMessageId: "h1", body: "a".repeat(5001) }],
    ["a control character", { clientMessageId: "h1", body: "a\u0000b" }],
    ["a role of its own", { clientMessageId: "h1", body: "Hi", role: "agent" }],
    ["an author of its own", { clientMessageId: "h1", body: "Hi", author: { name: "CEO" } }],
  ])("a reply with %s", async (_, body) => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    expect(await outcome(await act(id, "messages", ada, body))).toEqual([400, "bad_request"]);
    expect(await bench.customerLog(owner, id)).toHaveLength(4);
  });

  it("a body that is over the limit or not JSON", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    expect((await reply(id, ada, "h1", "x".repeat(40_000))).status).toBe(413);
    const text = { "content-type": "text/plain" };
    expect(
      (await bench.call("POST", `conversations/${id}/messages`, { as: ada, headers: text })).status,
    ).toBe(415);
  });
});

describe("protects", () => {
  it("another workspace's conversation is answered like a missing one", async () => {
    const other = (await bench.addWorkspace("other")).id;
    const { id, owner } = await bench.waitingConversation(other);
    for (const target of [id, "conv_missing", "..%2f..", "a".repeat(300), "'%20or%201=1"]) {
      const answers = [
        await bench.call("GET", `conversations/${target}`, { as: ada }),
        await act(target, "take", ada),
        await reply(target, ada, "h1", "Hi"),
        await act(target, "return", ada),
        await act(target, "resolve", ada),
      ];
      for (const answer of answers) {
        const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
        expect([answer.status, body]).toEqual([404, notFound]);
      }
    }
    expect(await queue(ada)).toEqual([]);
    expect(await bench.customerLog(owner, id)).toHaveLength(3);
  });

  it("the customer's log contains a person's name but neither their id nor their e-mail address", async () => {
    const { id, owner } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    await reply(id, ada, "h1", "Hello");
    await act(id, "resolve", ada);
    const log = JSON.stringify(await bench.customerLog(owner, id));
    expect(log).not.toMatch(/user_|ada@shop/);
  });

  it("no message text is logged", async () => {
    const { id } = await bench.waitingConversation(workspaceId);
    await act(id, "take", ada);
    await reply(id, ada, "h1", "CANARY");
    expect(bench.log.text()).not.toMatch(/CANARY|lamp/i);
  });
});

const notFound = {
  type: "urn:parley:problem:not_found",
  title: "Not found",
  status: 404,
  code: "not_found",
  detail: "There is nothing at this address.",
};

describe("a flood of hand-offs", () => {
  const page = async (query = "") => {
    const answer = await bench.call("GET", `conversations${query}`, { as: ada });
    return DeskQueuePage.parse(await answer.json());
  };

  it("hides no conversation of another state, and the next page lists who waits after it", async () => {
    const taken = await bench.waitingConversation(workspaceId, "customer-taken");
    await act(taken.id, "take", ada);
    for (let count = 0; count < 220; count += 1) {
      await bench.waitingConversation(workspaceId, `anon_${String(count).padStart(20, "0")}`);
    }
    bench.clock.advance(1000);
    const { id } = await bench.waitingConversation(workspaceId, "customer-real");

    const first = await page();
    expect(first.conversations.map((row) => row.state)).toEqual([...Array(100).fill("waiting"), "taken"]);
    const seen = new Set(first.conversations.map((row) => row.id));
    for (let next = first.next; next[0]; ) {
      expect(next.map(({ state }) => state)).toEqual(["waiting"]);
      const more = await page(`?${new URLSearchParams(next[0])}`);
      for (const row of more.conversations) seen.add(row.id);
      next = more.next;
    }
    expect(seen.size).toBe(222);
    expect(seen).toContain(id);
  });

  it("DESK11 every taken conversation is on one page, whether its customer waits for an answer or not", async () => {
    for (let count = 0; count < 120; count += 1) {
      const { id } = await bench.waitingConversation(workspaceId, `customer-${count}`);
      await act(id, "take", ada);
      if (count % 2 === 0) await reply(id, ada, "r1", "Hello");
      bench.clock.advance(1000);
    }
    const first = await page();
    const second = await page(`?${new URLSearchParams(first.next[0])}`);
    const rows = [...first.conversations, ...second.conversations];
    expect(second.next).toEqual([]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(120);
    expect(rows.map((row) => row.unansweredSince !== undefined)).toEqual(rows.map((_, index) => index < 60));
  });

  it("a place that no page gave is refused", async () => {
    for (const query of ["?state=waiting", "?state=x&after=1.conv_1", "?state=ended&after=conv_1"]) {
      expect(await outcome(await bench.call("GET", `conversations${query}`, { as: ada }))).toEqual([
        400,
        "bad_request",
      ]);
    }
  });
});
