import { afterEach, describe, expect, test } from "vitest";
import type { AgentEvent, AgentQuestion } from "../agents/agent.ts";
import type { Tool } from "../agents/tool.ts";
import { createHeldAgent, createScriptedAgent, createSilentAgent } from "../testing/agents.ts";
import { openStage, type Stage, type StageOptions } from "../testing/authorisation-stage.ts";
import { png } from "../testing/files.ts";
import { NO_TOOLS } from "../tools/toolbox.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

/** A conversation that Mira has taken, in front of an agent that tells its first answer apart from drafts. */
async function open(service: StageOptions["service"], question = "Where is order 1001?") {
  stage = await openStage({ service: service ?? {} });
  const { store } = stage;
  const workspace = await stage.addWorkspace("one");
  const mira = await workspace.person("mira@shop.example", "admin");
  const ann = await workspace.customer("ann");
  const id = await ann.start();
  const asked = await ann.post("/v1/support/handoffs", { conversationId: id });
  expect(asked.status).toBe(201);
  const post = (path: string, body: unknown = {}, signal?: AbortSignal) =>
    (stage as Stage).request(`/desk/api/${path}`, {
      method: "POST",
      headers: { ...mira.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  expect((await post(`conversations/${id}/take`)).status).toBe(200);
  if (question !== "") await ann.say(id, question);
  const draft = async () => {
    const answer = await post(`conversations/${id}/draft`);
    return { status: answer.status, ...((await answer.json()) as { draft?: Record<string, unknown> }) };
  };
  return { stage, store, workspace, ann, id, post, draft };
}

/** An agent that says these events, and the questions that it got. */
function agentThatSays(...events: AgentEvent[]) {
  const questions: AgentQuestion[] = [];
  const agent = createScriptedAgent(async function* (question) {
    questions.push(question);
    yield* events;
  });
  return { agent, questions };
}
const says = (text: string): AgentEvent => ({ type: "delta", text });
const cites: AgentEvent = {
  type: "citation",
  citation: {
    citationId: "c1",
    title: "Delivery",
    url: "https://shop.example/delivery",
    excerpt: "Two days.",
  },
};

describe("DESK20 a draft for the person", () => {
  test("answers the customer's last message with its sources; nothing of it is stored or published", async () => {
    const { agent, questions } = agentThatSays(cites, says("It takes two days [1]."), {
      type: "usage",
      model: "small-1",
      inputTokens: 1,
      outputTokens: 1,
    });
    const { draft, ann, id, post } = await open({ agents: [agent] });
    await post(`conversations/${id}/messages`, { clientMessageId: "m1", body: "Let me look." });
    const before = await ann.transcript(id);
    expect(await draft()).toEqual({
      status: 200,
      draft: {
        kind: "drafted",
        conversationId: id,
        body: "It takes two days.",
        author: "Test agent",
        generated: { by: "knowledge", model: "small-1" },
        citations: [cites.citation],
        hasWithheld: false,
      },
    });
    expect(questions).toMatchObject([{ text: "Where is order 1001?", isDraft: true }]);
    // The agent gets the person's earlier messages, and the question stays last.
    expect(questions[0]?.messages.map(({ body }) => body)).toEqual(["Let me look.", "Where is order 1001?"]);
    expect(await ann.transcript(id)).toEqual(before);
  });

  test.each<[string, object, string]>([
    ["of its sources", {}, "Press in row. See and [0] and [2]."],
    [
      "none, where the agent quotes an article",
      { quotesOnly: true },
      "Press in row [1]. See [1] and [0] and [2].",
    ],
  ])("removes only the numbers %s", async (_, more, body) => {
    const { agent } = agentThatSays(cites, says("Press in row [1]. See [1] and [0] and [2]."));
    const { draft } = await open({ agents: [{ ...agent, ...more }] });
    expect((await draft()).draft?.["body"]).toBe(body);
  });

  test("gives the agent no tool that acts, and makes nothing of an action that it asks for", async () => {
    const tools: Tool[] = [
      { name: "find", description: "", inputSchema: {}, effect: "reads", run: async () => "found" },
      {
        name: "refund",
        description: "",
        inputSchema: {},
        effect: "acts",
        confirm: "person",
        accepts: () => true,
      },
    ];
    const { agent, questions } = agentThatSays({
      type: "action.requested",
      actionId: "a1",
      tool: "refund",
      input: {},
    });
    const prepared = {
      tool: "refund",
      title: "Refund",
      arguments: [],
      input: {},
      confirm: "person" as const,
    };
    const toolbox = { ...NO_TOOLS, forQuestion: () => tools, prepare: () => prepared as never };
    const { draft, ann, id } = await open({ agents: [agent], toolbox });
    // An answer would have the action's title as its text.
    expect((await draft()).draft).toEqual({ kind: "nothing_found", conversationId: id });
    expect(questions[0]?.tools.map(({ name }) => name)).toEqual(["find"]);
    expect((await ann.transcript(id)).actions ?? []).toEqual([]);
  });

  test("holds back claims of actions and addresses that no source has", async () => {
    const { agent } = agentThatSays(
      cites,
      says("I have refunded your order. It takes two days. See https://evil.example/pay for more."),
    );
    const { draft } = await open({ agents: [agent] });
    const { draft: drafted } = await draft();
    expect(drafted).toMatchObject({ kind: "drafted", hasWithheld: true });
    expect(drafted?.["body"]).toContain("It takes two days.");
    expect(drafted?.["body"]).not.toMatch(/refunded|evil\.example/);
  });

  test.each<[string, StageOptions["service"], string]>([
    [
      "nothing_found",
      { agents: [agentThatSays(says("I found nothing."), { type: "nothing.found" }).agent] },
      "Hi",
    ],
    // Its own words about a limit, or about a person: not an answer.
    [
      "nothing_found",
      { agents: [agentThatSays(says("Ask a person."), { type: "handoff.suggested" }).agent] },
      "Hi",
    ],
    ["nothing_found", { agents: [createSilentAgent({ id: "knowledge" })] }, "Hi"],
    ["agent_away", { agents: [createSilentAgent({ id: "knowledge", unavailable: () => "away" })] }, "Hi"],
    ["no_question", { agents: [createSilentAgent({ id: "knowledge" })] }, ""],
    [
      "failed",
      {
        agents: [
          createScriptedAgent(() => {
            throw new Error("cut");
          }),
        ],
      },
      "Hi",
    ],
  ])("says %s plainly, without a text", async (kind, service, question) => {
    const { draft, id } = await open(service, question);
    // The conversation stays where it is.
    if (kind === "agent_away") expect((await draft()).status).toBe(200);
    expect((await draft()).draft).toEqual({ kind, conversationId: id });
  });

  test("says only_file after a message that is only a file, although the customer wrote before", async () => {
    const { agent, questions } = agentThatSays(cites, says("Two days."));
    const { draft, ann, id } = await open({ agents: [agent] });
    const file = await ann.upload(id, png());
    const sent = await ann.post(`/v1/support/conversations/${id}/turns`, {
      clientMessageId: "only-file",
      content: { body: "", format: "plain" },
      attachments: [{ id: file.id }],
    });
    expect(sent.ok).toBe(true);
    expect((await draft()).draft).toEqual({ kind: "only_file", conversationId: id });
    expect(questions).toEqual([]);
  });

  test("an answer that stops half-way is no draft", async () => {
    const agent = createScriptedAgent(async function* () {
      yield cites;
      yield says("It takes two");
      throw new Error("cut");
    });
    const { draft, id } = await open({ agents: [agent] });
    expect((await draft()).draft).toEqual({ kind: "failed", conversationId: id });
  });

  test("that is longer than a message can be is no draft, because its end is missing", async () => {
    const { agent } = agentThatSays(cites, says("Two days. ".repeat(4800)));
    const { draft, id } = await open({ agents: [agent] });
    expect((await draft()).draft).toEqual({ kind: "failed", conversationId: id });
  });

  test("is refused to a person who handed the conversation back meanwhile", async () => {
    const held = createHeldAgent();
    const begun = Promise.withResolvers<void>();
    const watched = {
      ...held.agent,
      answer(question: AgentQuestion, signal: AbortSignal) {
        begun.resolve();
        return held.agent.answer(question, signal);
      },
    };
    const { id, post } = await open({ agents: [watched] });
    const asked = post(`conversations/${id}/draft`);
    await begun.promise;
    expect((await post(`conversations/${id}/return`)).status).toBe(200);
    held.say("It takes two days.");
    held.end();
    expect((await asked).status).toBe(403);
  });

  test("ends the agent when the person leaves", async () => {
    const { agent } = createHeldAgent();
    const ended = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const watched = {
      ...agent,
      answer(question: AgentQuestion, signal: AbortSignal) {
        signal.addEventListener("abort", () => ended.resolve(), { once: true });
        begun.resolve();
        return agent.answer(question, signal);
      },
    };
    const { id, post } = await open({ agents: [watched] });
    const leaving = new AbortController();
    const asked = post(`conversations/${id}/draft`, {}, leaving.signal);
    await begun.promise;
    leaving.abort();
    await ended.promise;
    expect(await (await asked).json()).toEqual({ draft: { kind: "failed", conversationId: id } });
  });

  test("is limited by person, and says when to try again", async () => {
    const { agent, questions } = agentThatSays(cites, says("Two days."));
    const { draft, post, id, stage: at } = await open({ agents: [agent] });
    for (let asked = 0; asked < 30; asked += 1) expect((await draft()).status).toBe(200);
    const refused = await post(`conversations/${id}/draft`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "600"]);
    expect(questions).toHaveLength(30);
    at.clock.advance(600_000);
    expect((await draft()).status).toBe(200);
  });

  test("the sent message is the person's, and the audit log says that a draft was used", async () => {
    const { agent } = agentThatSays(cites, says("Two days."));
    const { draft, post, id, ann, store, workspace } = await open({ agents: [agent] });
    await draft();
    const send = (clientMessageId: string, more: object) =>
      post(`conversations/${id}/messages`, { clientMessageId, body: "Two days.", ...more });
    expect((await send("m1", { fromDraft: true })).status).toBe(201);
    expect((await send("m1", { fromDraft: true })).status).toBe(201);
    expect((await send("m2", {})).status).toBe(201);
    const sent = (await ann.transcript(id)).messages.filter(({ role }) => role === "human");
    expect(sent).toMatchObject([{ author: { name: "mira@shop.example" } }, { body: "Two days." }]);
    expect(sent.some((message) => "generated" in message || "citations" in message)).toBe(false);
    const audit = await store.deskPeople.readAudit(workspace.id, undefined, 10);
    const replies = audit.map(({ action }) => action).filter((action) => action.includes("reply"));
    expect(replies).toEqual(["conversation.reply", "conversation.reply_from_draft"]);
  });
});
