import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import type { AgentEvent, AgentQuestion } from "../agents/agent.ts";
import type { ReadingTool } from "../agents/tool.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { openTestService } from "../testing/test-service.ts";
import { NO_TOOLS, type Toolbox } from "../tools/toolbox.ts";

const PASSAGE = {
  title: "Canary article",
  heading: "Express",
  file: "/srv/canary/shipping.md",
  probability: 0.83,
  use: "quoted",
} as const;
const USAGE = {
  model: "fake-1",
  inputTokens: 1200,
  outputTokens: 30,
  price: { amount: 0.0123, currency: "EUR" },
} as const;
const MADE: readonly AgentEvent[] = [
  { type: "passage", passage: PASSAGE },
  { type: "usage", ...USAGE },
  { type: "delta", text: "It costs six." },
];

async function answered(script: (question: AgentQuestion) => AsyncIterable<AgentEvent>, toolbox = NO_TOOLS) {
  const t = await openTestService({ agents: [createScriptedAgent(script)], toolbox });
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, "What does it cost?");
  await t.service.settled();
  const read = () =>
    t.store.desk
      .readDeskConversation({ workspaceId: t.workspace.id, conversationId: id })
      .then((it) => it?.notes);
  return { t, ann, id, read };
}

const script = (events: readonly AgentEvent[]) =>
  async function* () {
    yield* events;
  };

describe("DESK18 what an answer was made of", () => {
  test("is stored with the answer, and no answer to the customer and no export contains it", async () => {
    const { t, ann, id, read } = await answered(script(MADE));
    expect(await read()).toEqual([{ seq: 3, made: { passages: [PASSAGE], tools: [], usage: USAGE } }]);
    // A customer's stream carries these events.
    const published: unknown[] = [];
    t.hub.subscribe(id, (entry) => published.push(entry));
    await ann.say(id, "And express?");
    await t.service.settled();
    const exported = await t.store.erasure.exportCustomer(t.workspace.id, "ann");
    for (const seen of [await ann.transcript(id), published, exported]) {
      expect(JSON.stringify(seen)).toContain("It costs six.");
      expect(JSON.stringify(seen)).not.toMatch(/canary|0\.83|1200/i);
    }
  });

  test("names each tool that ran, and whether it verifiably returned a result", async () => {
    const tool = (name: string, run: ReadingTool["run"]): ReadingTool => ({
      name,
      description: "",
      inputSchema: {},
      effect: "reads",
      run,
    });
    const tools = [
      tool("shop_order", async () => ({ text: "on its way" })),
      tool("shop_stock", async () => ({ isError: true, text: "no" })),
      tool("shop_away", async () => Promise.reject(new Error("away"))),
    ];
    const toolbox: Toolbox = { ...NO_TOOLS, forQuestion: () => tools };
    const { read } = await answered(async function* (question, signal = new AbortController().signal) {
      for (const each of question.tools)
        if (each.effect === "reads") await each.run({}, signal).catch(() => undefined);
      yield { type: "delta", text: "On its way." };
    }, toolbox);
    expect((await read())?.[0]?.made?.tools).toEqual([
      { name: "shop_order", status: "answered" },
      { name: "shop_stock", status: "failed" },
      { name: "shop_away", status: "failed" },
    ]);
  });

  test("says why nothing is quoted, where a new article belongs, and that a sentence was withheld", async () => {
    const { read } = await answered(
      script([
        { type: "delta", text: "I have refunded your order. " },
        { type: "no.quote", reason: "nothing_near", folder: "/srv/articles" },
      ]),
    );
    expect((await read())?.[0]?.made).toEqual({
      passages: [],
      tools: [],
      noQuote: "nothing_near",
      folder: "/srv/articles",
      withheld: true,
    });
  });

  test("is bounded, and what breaks the schema is left out", async () => {
    const odd = { type: "passage", passage: { ...PASSAGE, probability: 2 } } as const;
    const { read } = await answered(
      script([
        odd,
        ...Array.from({ length: 9 }, () => ({ type: "passage", passage: PASSAGE }) as const),
        ...MADE,
      ]),
    );
    expect((await read())?.[0]?.made?.passages).toEqual(Array.from({ length: 5 }, () => PASSAGE));
  });

  test("goes when the conversation or its customer is erased; an agent that reports nothing leaves nothing", async () => {
    const { t, ann, id, read } = await answered(script(MADE));
    const rows = () => {
      const database = new DatabaseSync(t.path, { readOnly: true });
      const { count } = database.prepare("SELECT count(*) AS count FROM answer_notes").get() ?? {};
      database.close();
      return count;
    };
    expect([rows(), (await read())?.length]).toEqual([1, 1]);
    expect((await ann.delete(`/v1/support/conversations/${id}/content`)).status).toBe(200);
    expect(rows()).toBe(0);
    const second = await ann.start();
    await ann.say(second, "Again?");
    await t.service.settled();
    expect(rows()).toBe(1);
    await t.store.erasure.eraseCustomer(t.workspace.id, "ann");
    expect(rows()).toBe(0);
    const plain = await answered(script([{ type: "delta", text: "Hello." }]));
    expect(await plain.read()).toEqual([]);
  });
});
