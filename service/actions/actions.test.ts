import { describe, expect, test } from "vitest";
import { DeskQueuePage } from "../../shared/desk.ts";
import { MAX_ANSWER_CODE_POINTS } from "../../shared/limits.ts";
import type { AgentEvent } from "../agents/agent.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { openStage } from "../testing/authorisation-stage.ts";
import { mountSmallDisk } from "../testing/small-disk.ts";
import type { TestCustomer } from "../testing/test-customer.ts";
import { openTestService, problemOf, type TestService } from "../testing/test-service.ts";
import {
  done,
  type FakeMcp,
  REVISIONS,
  type Revision,
  type ToolCall,
} from "../tools/testing/fake-mcp-server.ts";
import { shopOf } from "../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../tools/testing/test-toolbox.ts";

const INPUT = { order: "1001", amount: 12.5 };
const ask = (tool: string, input: unknown): AgentEvent => ({
  type: "action.requested",
  actionId: "the agent's own",
  tool,
  input,
});
const REFUND = ask("shop_refund", INPUT);

/** A service whose agent asks for these actions, in front of a real server of tools. */
async function open(
  options: { revision?: Revision; events?: readonly AgentEvent[]; actMs?: number; folder?: string } = {},
) {
  const fake = await startFakeMcp(options.revision);
  const { toolbox } = await openTestToolbox([shopOf(fake)], options);
  const said: AgentEvent = { type: "delta", text: "Shall I?" };
  const agent = createScriptedAgent(async function* () {
    yield* options.events ?? [said, REFUND];
  });
  const t = await openTestService({ agents: [agent], toolbox }, options.folder);
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, "Refund my order");
  await t.service.settled();
  return { t, fake, ann, id, ...(await stateOf(ann, id)) };
}

/** The actions of a conversation, and the events about them. */
async function stateOf(customer: TestCustomer, id: string) {
  const { actions = [] } = await customer.transcript(id);
  return { actions, actionId: actions[0]?.actionId ?? "" };
}

const answerTo = (customer: TestCustomer, id: string, actionId: string, approved = true) =>
  customer.post(`/v1/support/conversations/${id}/action-approvals`, { actionId, approved });

async function eventsOf(t: TestService, id: string) {
  const { store, workspace } = t;
  const conversation = await store.desk.readDeskConversation({
    workspaceId: workspace.id,
    conversationId: id,
  });
  return (conversation?.events ?? []).filter(({ type }) => type.startsWith("action."));
}

describe("ACT1 an action that the customer allows", () => {
  test.each(REVISIONS)(
    "runs once, with exactly what the card showed, on a server of %s",
    async (revision) => {
      const { t, fake, ann, id, actions, actionId } = await open({ revision });
      expect(actions).toMatchObject([
        {
          name: "shop_refund",
          title: "Refund an order",
          arguments: [
            { label: "Order", value: "1001" },
            { label: "Amount", value: "12.5" },
          ],
          confirm: "customer",
        },
      ]);
      expect(actions[0]).not.toHaveProperty("approved");
      expect(fake.calls).toEqual([]);
      fake.onCall = (call) => call.answer(done("Refund 77 of 12.50 EUR"));
      expect((await answerTo(ann, id, actionId)).status).toBe(200);
      await t.service.settled();
      expect(fake.calls).toMatchObject([
        { name: "refund", input: INPUT, authorization: "Bearer secret-of-the-shop" },
      ]);
      expect((await stateOf(ann, id)).actions).toMatchObject([
        { approved: true, result: { status: "completed", text: "Refund 77 of 12.50 EUR" } },
      ]);
      expect((await eventsOf(t, id)).map(({ type }) => type)).toEqual([
        "action.requested",
        "action.answered",
        "action.completed",
      ]);
    },
  );

  test("is not done before its tool answered: only then there is an event", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const held = Promise.withResolvers<ToolCall>();
    fake.onCall = held.resolve;
    expect((await answerTo(ann, id, actionId)).status).toBe(200);
    const call = await held.promise;
    expect((await stateOf(ann, id)).actions[0]).not.toHaveProperty("result");
    call.answer(done("Done"));
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result?.status).toBe("completed");
  });

  test("ACT2 runs once for a double click, two tabs and a retried request", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => answerTo(ann, id, actionId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    await t.service.settled();
    expect((await answerTo(ann, id, actionId)).status).toBe(200);
    await t.service.settled();
    expect(fake.calls).toHaveLength(1);
    expect((await problemOf(await answerTo(ann, id, actionId, false))).code).toBe("key_reused");
  });

  test("on a full disk is not stored and does not run, where this account may mount one", async () => {
    const disk = mountSmallDisk(8 * 1024 * 1024);
    if (!disk) return expect(process.getuid?.()).not.toBe(0);
    const { t, fake, ann, id, actionId } = await open({ folder: disk.folder });
    disk.fill();
    expect((await answerTo(ann, id, actionId)).status).toBe(507);
    await t.service.settled();
    expect(fake.calls).toEqual([]);
  });

  test("that is refused never runs, and can't be allowed afterwards", async () => {
    const { t, fake, ann, id, actionId } = await open();
    expect(await (await answerTo(ann, id, actionId, false)).json()).toEqual({
      action: { id: actionId, approved: false },
    });
    expect((await problemOf(await answerTo(ann, id, actionId))).code).toBe("key_reused");
    await t.service.settled();
    expect(fake.calls).toEqual([]);
    expect((await stateOf(ann, id)).actions[0]).toMatchObject({ approved: false });
  });

  test("expires after a quarter of an hour, and then nothing runs", async () => {
    const { t, fake, ann, id, actionId } = await open();
    t.clock.advance(15 * 60_000);
    // Their session has expired too.
    const later = await t.customer(ann.externalId);
    expect((await problemOf(await answerTo(later, id, actionId))).code).toBe("forbidden");
    await t.service.settled();
    expect(fake.calls).toEqual([]);
    await expect
      .poll(async () => (await stateOf(later, id)).actions[0]?.result, { timeout: 30_000 })
      .toEqual({ status: "expired" });
    expect((await problemOf(await answerTo(later, id, actionId))).code).toBe("forbidden");
  });

  test("belongs to its customer: nobody else's session can answer it", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const bob = await t.customer("bob");
    const bobs = await bob.start();
    const elsewhere = await t.customer("ann", await t.addWorkspace("two"));
    const own = await ann.start();
    for (const answer of [
      await answerTo(bob, id, actionId),
      await answerTo(bob, bobs, actionId),
      await answerTo(elsewhere, id, actionId),
      await answerTo(ann, own, actionId),
      await answerTo(ann, id, "act_missing"),
    ])
      expect((await problemOf(answer)).code).toBe("not_found");
    await t.service.settled();
    expect(fake.calls).toEqual([]);
  });

  test("can't be allowed in a conversation that has ended", async () => {
    const { t, fake, ann, id, actionId } = await open();
    await ann.delete(`/v1/support/conversations/${id}`);
    expect((await problemOf(await answerTo(ann, id, actionId))).code).toBe("conversation_ended");
    await t.service.settled();
    expect(fake.calls).toEqual([]);
  });

  test("does not run when its server describes the tool differently than on the card", async () => {
    const { t, fake, ann, id, actionId } = await open();
    fake.tools = [{ ...fake.tools[0], description: "Pays everything to somebody else." }];
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const next = await t.reopen({ toolbox });
    const again = await next.customer("ann");
    expect((await answerTo(again, id, actionId)).status).toBe(200);
    await next.service.settled();
    expect(fake.calls).toEqual([]);
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "failed" });
  });
});

describe("an action's result is reported as certain only if it is", () => {
  const cut = (call: ToolCall, bytes: string, type = "text/event-stream") => {
    call.response.writeHead(200, { "content-type": type, "content-length": 100_000 });
    call.response.write(bytes, () => call.response.destroy());
  };
  const CASES: Readonly<Record<string, readonly [status: string, onCall: (call: ToolCall) => void]>> = {
    "a result": ["completed", (call) => call.answer(done("Refunded"))],
    "a structured result": [
      "completed",
      (call) => call.answer({ content: [], structuredContent: { status: "cancelled" } }),
    ],
    "an empty result": ["unknown", (call) => call.answer({ content: [] })],
    "a task": ["unknown", (call) => call.answer({ ...done("Queued"), resultType: "task" })],
    "a part of a result": ["unknown", (call) => call.answer({ ...done("Soon"), resultType: "partial" })],
    "no success": ["unknown", (call) => call.answer({ content: [], structuredContent: { success: false } })],
    "not ok": ["unknown", (call) => call.answer({ ...done("Done"), structuredContent: { ok: false } })],
    "a status that says that it failed": [
      "unknown",
      (call) => call.answer({ content: [], structuredContent: { status: "failed" } }),
    ],
    "a status that says that it waits": [
      "unknown",
      (call) => call.answer({ ...done("Queued"), structuredContent: { state: "PENDING" } }),
    ],
    "an error in the result": [
      "unknown",
      (call) => call.answer({ content: [], structuredContent: { error: "no such order" } }),
    ],
    ...Object.fromEntries(
      [
        "Error: order 5 not found",
        "Could not cancel order",
        "Failed",
        "Order not cancelled: already shipped",
        '{"result":{"success":false}}',
        '[{"success":false}]',
        '{"success":"no"}',
        '{"success":null}',
        '{"ok":0}',
        '{"cancelled":false}',
        '{"result":"failed"}',
        '{"error_code":"E1"}',
        '{"errorMessage":"no"}',
        '{"status":500}',
        '{"status":"scheduled"}',
        '{"order":{"status":"requires_approval"}}',
      ].map((text) => [
        `the text ${text}`,
        ["unknown", (call: ToolCall) => call.answer(done(text))] as const,
      ]),
    ),
    "an order in JSON that is cancelled": [
      "completed",
      (call) => call.answer(done('{"success":true,"order":{"id":5,"status":"cancelled"}}')),
    ],
    "an error in JSON as text": ["unknown", (call) => call.answer(done('{"errors":["no such order"]}'))],
    "a result whose error is null": [
      "completed",
      (call) => call.answer({ content: [], structuredContent: { error: null, status: "refunded" } }),
    ],
    "401": ["failed", (call) => void call.response.writeHead(401).end()],
    "403": ["failed", (call) => void call.response.writeHead(403).end("{}")],
    "404": ["failed", (call) => void call.response.writeHead(404).end()],
    "429": ["failed", (call) => void call.response.writeHead(429).end()],
    "wrong parameters": ["failed", (call) => call.refuse(-32602)],
    "a tool that is gone": ["failed", (call) => call.refuse(-32601)],
    "headers that don't match": ["failed", (call) => call.refuse(-32020, 400)],
    "500": ["unknown", (call) => void call.response.writeHead(500).end()],
    "503": ["unknown", (call) => void call.response.writeHead(503).end()],
    "an internal error": ["unknown", (call) => call.refuse(-32603)],
    "a broken line": ["unknown", (call) => void call.response.destroy()],
    "a stream that is cut": ["unknown", (call) => cut(call, 'event: message\ndata: {"jsonrpc":"2.0","id"')],
    "JSON that is cut": ["unknown", (call) => cut(call, '{"jsonrpc":"2.0","id', "application/json")],
    "a stream that ends without an answer": [
      "unknown",
      (call) => void call.response.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n"),
    ],
    "200 without a body": ["unknown", (call) => void call.response.writeHead(200).end()],
    "202 without a body": ["unknown", (call) => void call.response.writeHead(202).end()],
    HTML: [
      "unknown",
      (call) => void call.response.writeHead(200, { "content-type": "text/html" }).end("Done!"),
    ],
    "an answer without content": ["unknown", (call) => call.answer({ ok: true })],
    "a huge answer": ["unknown", (call) => call.answer(done("x".repeat(2_000_000)))],
    "a question instead of an answer": [
      "unknown",
      (call) => call.answer({ resultType: "input_required", inputRequests: {}, requestState: "s" }),
    ],
    "a redirect": ["unknown", (call) => void call.response.writeHead(307, { location: "/elsewhere" }).end()],
  };

  const both = REVISIONS.flatMap((revision) =>
    Object.entries(CASES).map(([name, [status, onCall]]) => ({ revision, name, status, onCall })),
  );
  test.each(both)("$name, $revision", async ({ revision, status, onCall }) => {
    // Some of them are known only by their silence.
    const { t, fake, ann, id, actionId } = await open({
      revision,
      ...(status === "unknown" ? { actMs: 1000 } : {}),
    });
    fake.onCall = onCall;
    await answerTo(ann, id, actionId);
    await t.service.settled();
    const { actions } = await stateOf(ann, id);
    expect(actions[0]?.result?.status).toBe(status);
    // The server's own words reach nobody unless they are the tool's answer.
    expect(JSON.stringify(actions)).not.toContain("canary");
    expect(t.log.text()).not.toMatch(/canary|secret-of-the-shop/);
    expect(fake.calls).toHaveLength(1);
  });

  test("a tool that ends in an error may have done a part: its own words are shown with the doubt", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const words = "Refunded, but the e-mail failed";
    fake.onCall = (call) => call.answer({ ...done(words), isError: true });
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "unknown", text: words });
  });

  test("a server that is away: nothing left, so it was not done", async () => {
    const { t, fake, ann, id, actionId } = await open();
    fake.status = 503;
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "failed" });
    expect(fake.calls).toEqual([]);
  });

  test("a tool that answers twice is done once, by its first answer", async () => {
    const { t, fake, ann, id, actionId } = await open();
    fake.onCall = ({ id: call, response }) => {
      const answer = (words: string, of = call) =>
        `data: ${JSON.stringify({ jsonrpc: "2.0", id: of, result: { resultType: "complete", ...done(words) } })}\n\n`;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(answer("Another's", "another id") + answer("First") + answer("Second"));
    };
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await eventsOf(t, id)).slice(2)).toMatchObject([{ type: "action.completed", text: "First" }]);
  });

  test("text that hides or turns itself around is shown without that", async () => {
    const { t, fake, ann, id, actionId } = await open();
    fake.onCall = (call) => call.answer(done("Paid\u202e 12\u200b\u0007 EUR"));
    await answerTo(ann, id, actionId);
    await t.service.settled();
    expect((await stateOf(ann, id)).actions[0]?.result?.text).toBe("Paid 12 EUR");
  });

  test("ACT3 after a process dies in between, the next one reports the outcome as unknown and runs nothing again", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const held = Promise.withResolvers<ToolCall>();
    fake.onCall = held.resolve;
    await answerTo(ann, id, actionId);
    const call = await held.promise;
    // The first process is still there, as one is that another takes for dead.
    const next = await t.reopen();
    expect((await stateOf(ann, id)).actions[0]?.result).toEqual({ status: "unknown" });
    call.answer(done("Done after all"));
    await t.service.settled();
    expect((await answerTo(await next.customer("ann"), id, actionId)).status).toBe(200);
    await next.service.settled();
    expect(fake.calls).toHaveLength(1);
    expect((await eventsOf(next, id)).map(({ type }) => type)).toEqual([
      "action.requested",
      "action.answered",
      "action.unknown",
    ]);
  });

  test("a process that stops gives it up as not known", async () => {
    const { t, fake, ann, id, actionId } = await open();
    const held = Promise.withResolvers<ToolCall>();
    fake.onCall = held.resolve;
    await answerTo(ann, id, actionId);
    await held.promise;
    await t.close();
    const next = await t.reopen();
    expect((await eventsOf(next, id)).at(-1)?.type).toBe("action.unknown");
  });
});

describe("ACT4 requests of an agent", () => {
  const text: AgentEvent = { type: "delta", text: "Let me see." };
  test.each([
    ["a tool that no server offers", ask("shop_delete", INPUT)],
    ["the server's own name for a tool", ask("refund", INPUT)],
    ["a tool that reads", ask("shop_find_order", { order: "1001" })],
    ["an input that lacks something", ask("shop_refund", { order: "1001" })],
    ["an input with something else", ask("shop_refund", { ...INPUT, to: "me" })],
    ["an input out of bounds", ask("shop_refund", { ...INPUT, amount: 0 })],
    ["an input of another type", ask("shop_refund", "everything")],
    ["an input that hides something", ask("shop_refund", { ...INPUT, order: "1001\u202e2002" })],
    ["an input that no card can show", ask("shop_refund", { ...INPUT, order: "x".repeat(1001) })],
  ])("%s: no card, and nothing runs", async (_name, event) => {
    const { t, fake, actions } = await open({ events: [text, event] });
    expect(actions).toEqual([]);
    expect(fake.calls).toEqual([]);
    expect(t.log.text()).toContain("an agent asked for an action that it was not offered");
  });

  test("the same action twice is one card, and an answer has at most three", async () => {
    const more = ["1", "2", "3", "4"].map((order) => ask("shop_refund", { ...INPUT, order }));
    const { actions } = await open({ events: [text, REFUND, REFUND, ...more] });
    expect(actions.map((action) => action.arguments?.[0]?.value)).toEqual(["1001", "1", "2"]);
  });

  test("ACT1 a request that an open card shows gets no second card; once it is answered it may be made again", async () => {
    const { t, ann, id, actionId } = await open({ events: [text, REFUND] });
    await ann.say(id, "Please!");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toHaveLength(1);
    const target = { workspaceId: t.workspace.id, conversationId: id };
    const notes = (await t.store.desk.readDeskConversation(target))?.notes;
    // The second answer asked for nothing that anybody can allow.
    expect(notes?.map(({ made }) => made.tools)).toEqual([[{ name: "shop_refund", status: "asked" }]]);
    await answerTo(ann, id, actionId, false);
    await ann.say(id, "After all, yes");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toHaveLength(2);
  });

  test.each([
    ["a title", "Pay back", "Pay back"],
    ["an empty one", " ", "Refund"],
    ["one that turns itself around", "Refund \u202eredro", "Refund"],
    ["one that is too long", "x".repeat(201), "Refund"],
    ["none", undefined, "Refund"],
  ])("ACT1 the card's title where the server gives %s", async (_name, title, shown) => {
    const fake = await startFakeMcp();
    fake.tools = [{ ...fake.tools[0], title }];
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    expect(toolbox.prepare("shop_refund", INPUT)).toMatchObject({ title: shown });
  });

  test("ACT1 two tools, or two arguments, with one title are called by their names", async () => {
    const fake = await startFakeMcp();
    const property = { type: "string", title: "Order" };
    const inputSchema = { type: "object", properties: { from: property, to: property, from_: property } };
    fake.tools = [
      { ...fake.tools[0], inputSchema },
      { ...fake.tools[1], title: "Refund an order" },
    ];
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    expect(toolbox.prepare("shop_refund", { from: "1", to: "2" })).toMatchObject({
      title: "Refund",
      arguments: [
        { label: "From", value: "1" },
        { label: "To", value: "2" },
      ],
    });
    // Their names as words are the same, too.
    expect(toolbox.prepare("shop_refund", { from: "1", from_: "2" })).toHaveProperty("refused");
  });

  test("an agent that says nothing beside it: its message is the action's title", async () => {
    const { ann, id } = await open({ events: [REFUND] });
    expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({
      role: "agent",
      body: "Refund an order",
    });
  });

  test("an answer that fails asks for nothing", async () => {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const agent = createScriptedAgent(async function* () {
      yield REFUND;
      throw new Error("broken");
    });
    const t = await openTestService({ agents: [agent], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await t.service.settled();
    expect((await stateOf(ann, id)).actions).toEqual([]);
  });

  test.each([
    ["x", "answer_cut"],
    [" ", "agent_failed"],
  ])(
    "an answer of %j that is cut at its limit asks for nothing: what it said of the action may be missing",
    async (character, notice) => {
      const long: AgentEvent = { type: "delta", text: character.repeat(MAX_ANSWER_CODE_POINTS + 1) };
      const { ann, id, actions } = await open({ events: [REFUND, long] });
      expect((await ann.transcript(id)).messages.at(-1)).toMatchObject({ notice });
      expect(actions).toEqual([]);
    },
  );

  test("the stream of a turn contains the request, before it ends", async () => {
    const { t } = await open();
    const bob = await t.customer("bob");
    const id = await bob.start();
    const turn = { clientMessageId: "k", content: { body: "Refund", format: "plain" } };
    const answer = await bob.post(`/v1/support/conversations/${id}/turns`, turn, {
      accept: "application/x-ndjson",
    });
    const lines = (await answer.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ type }) => type)).toContain("response.completed");
    expect(lines.at(-1)).toMatchObject({
      type: "action.requested",
      name: "shop_refund",
      approvalRequired: true,
    });
  });

  test("the agent learns what became of its actions with the next question", async () => {
    const fake: FakeMcp = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const seen: unknown[] = [];
    const agent = createScriptedAgent(async function* ({ actions }) {
      seen.push(actions);
      if (actions.length === 0) yield REFUND;
      yield { type: "delta", text: "Yes." };
    });
    const t = await openTestService({ agents: [agent], toolbox });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await t.service.settled();
    await answerTo(ann, id, (await stateOf(ann, id)).actionId);
    await t.service.settled();
    await ann.say(id, "And?");
    await t.service.settled();
    expect(seen).toEqual([
      [],
      [{ tool: "shop_refund", title: "Refund an order", state: "completed", text: "ran refund" }],
    ]);
  });
});

describe("an action that the team decides about", () => {
  async function openDesk() {
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake, "person")]);
    const agent = createScriptedAgent(async function* () {
      yield REFUND;
    });
    const stage = await openStage({ service: { agents: [agent], toolbox } });
    const one = await stage.addWorkspace("one");
    const two = await stage.addWorkspace("two");
    const ann = await one.customer("ann");
    const id = await ann.start();
    await ann.say(id, "Refund");
    await expect.poll(async () => (await stateOf(ann, id)).actions, { timeout: 30_000 }).toHaveLength(1);
    const { actionId } = await stateOf(ann, id);
    const answerAs = (headers: Record<string, string>, approved = true) =>
      stage.request(`/desk/api/conversations/${id}/actions`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ actionId, approved }),
      });
    return { stage, one, two, fake, ann, id, actionId, answerAs };
  }

  test("a person of the team allows it; neither the customer nor another team can", async () => {
    const { stage, one, two, fake, ann, id, actionId, answerAs } = await openDesk();
    try {
      expect((await answerTo(ann, id, actionId)).status).toBe(404);
      const foreign = await two.person("sam@other.example", "admin");
      expect((await answerAs(foreign.headers)).status).toBe(404);
      expect((await answerAs({ origin: "http://stage" })).status).toBe(401);
      const mia = await one.person("mia@shop.example", "agent");
      const { "x-parley-csrf": _, ...withoutCsrf } = mia.headers;
      expect((await answerAs(withoutCsrf)).status).toBe(403);
      expect(fake.calls).toEqual([]);
      expect(await (await answerAs(mia.headers)).json()).toEqual({
        action: { id: actionId, approved: true },
      });
      await expect
        .poll(async () => (await stateOf(ann, id)).actions[0]?.result?.status, { timeout: 30_000 })
        .toBe("completed");
      expect((await answerAs(mia.headers)).status).toBe(200);
      const tom = await one.person("tom@shop.example", "agent");
      expect((await answerAs(tom.headers)).status).toBe(200);
      expect(fake.calls).toHaveLength(1);
      const audit = await stage.store.deskPeople.readAudit(one.id, undefined, 100);
      const allowed = audit.filter(({ action }) => action === "conversation.action_allowed");
      // A later press of the button allows nothing.
      expect(allowed.map(({ by }) => by?.id)).toEqual([mia.id]);
    } finally {
      await stage.close();
    }
  });

  test("DESK22 the desk's list has it until somebody decided, however many conversations are newer, and no other team's", async () => {
    const { stage, one, two, ann, id, answerAs } = await openDesk();
    const listed = async (headers: Record<string, string>) => {
      const page = await stage.request("/desk/api/conversations", { headers });
      return DeskQueuePage.parse(await page.json());
    };
    try {
      const { actions } = await stateOf(ann, id);
      const mia = await one.person("mia@shop.example", "agent");
      const foreign = await two.person("sam@other.example", "admin");
      const { id: customerId } = await stage.store.customers.upsert(one.id, { externalId: "bob" });
      const route = { channel: "web", agentProvider: "knowledge" };
      for (let count = 0; count < 100; count += 1) {
        stage.clock.advance(10);
        const start = { subject: undefined, route, locale: undefined };
        await stage.store.conversations.start({ workspaceId: one.id, customerId }, start, undefined);
      }
      const { conversations, next } = await listed(mia.headers);
      expect(conversations).toHaveLength(101);
      expect(conversations.filter(({ decision }) => decision)).toMatchObject([
        { id, state: "agent", decision: { seq: actions[0]?.seq, since: actions[0]?.at } },
      ]);
      expect(next).toMatchObject([{ state: "agent", after: expect.not.stringContaining(id) }]);
      expect((await listed(foreign.headers)).conversations).toEqual([]);
      expect((await answerAs(mia.headers, false)).status).toBe(200);
      expect((await listed(mia.headers)).conversations.filter(({ decision }) => decision)).toEqual([]);
    } finally {
      await stage.close();
    }
  });
});
