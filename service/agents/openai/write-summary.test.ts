import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { proposeSummary, sendSummary } from "../../../shared/v1/summaries.ts";
import { WRITE_MS } from "../../summaries/write-proposal.ts";
import { agentDepsOf } from "../../testing/agents.ts";
import { openTestService } from "../../testing/test-service.ts";
import { openaiProvider } from "./openai-provider.ts";
import {
  chatAnswer,
  chatEnd,
  chatText,
  type ModelReply,
  startFakeModelServer,
} from "./testing/fake-model-server.ts";

const LAMP = "My lamp arrived broken. The order is 48213.";
const QUOTED = ["My lamp arrived broken.", "The order is 48213."];

/** A customer of the agent `openai` who asked for a person; the model then replies like this. */
async function openWaiting(...replies: ModelReply[]) {
  const server = await startFakeModelServer();
  onTestFinished(() => server.close());
  const dataDir = mkdtempSync(join(tmpdir(), "parley-summary-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, "opening.md"), "# Opening hours\n\nWe are open all day.\n");
  const env = { AGENT_OPENAI_BASE_URL: server.url, AGENT_OPENAI_MODEL: "fake-1", KNOWLEDGE_DIR: dataDir };
  const configured = openaiProvider.configure(createEnvironmentReader(env, () => ""));
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const agent = await configured.open(agentDepsOf({ dataDir, stopping: stopping.signal }));
  const t = await openTestService({ agents: [agent] });
  const ann = await t.customer("ann");
  const id = await ann.start();
  await ann.say(id, LAMP);
  await ann.say(id, "My password is hunter2, but that is not it.");
  await t.service.settled();
  await ann.post("/v1/support/handoffs", { conversationId: id });
  const asked = server.calls.length;
  server.reply(...replies);
  const path = `/v1/support/conversations/${id}/summary`;
  const propose = async () => proposeSummary.answer.parse(await (await ann.get(path)).json()).summary;
  return {
    t,
    id,
    path,
    ann,
    propose,
    calls: () => server.calls.slice(asked),
    lines: async () => (await propose()).sentences.map(({ text, seq }) => `${seq} ${text}`),
    send: async (text: string) => {
      const { handoffId } = await propose();
      const answer = await ann.post(path, { handoffId, text });
      return sendSummary.answer.parse(await answer.json()).summary;
    },
  };
}

describe("HAND6 a summary that the owner's model writes", () => {
  test("is proposed without the name of its model if that is too long to show", async () => {
    const said = chatText("- Lamp arrived broken [1].").replace("fake-1", "m".repeat(300));
    const { propose } = await openWaiting({ chunks: [said, chatEnd("stop"), "data: [DONE]\n\n"] });
    const { sentences, generated } = await propose();
    expect(sentences.map(({ text }) => text)).toEqual(["Lamp arrived broken."]);
    expect(generated).toEqual({ by: "AI assistant" });
  });

  test("has only sentences that name a message, and whose figures are in it", async () => {
    const { propose, calls } = await openWaiting(
      chatAnswer(
        "- Lamp arrived broken, order 48213 [1].\n",
        "- Bought 7 lamps [1].\n- No source here.\n- Not there [9].\n",
      ),
    );
    const proposal = await propose();
    expect(proposal.sentences).toEqual([{ text: "Lamp arrived broken, order 48213.", seq: 2 }]);
    expect(proposal.generated).toEqual({ by: "AI assistant", model: "fake-1" });
    expect(await propose()).toEqual(proposal);
    expect(calls()).toHaveLength(1);
    expect(calls()[0]?.text).toContain("[password]");
    expect(calls()[0]?.text).not.toContain("hunter2");
  });

  test("sentences that the customer did not change keep their places", async () => {
    const { send } = await openWaiting(chatAnswer("Lamp arrived broken [1].\nOrder 48213 [1].\n"));
    const { sentences, generated } = await send("Lamp arrived broken.\nOrder 48213, urgent.");
    expect(sentences).toEqual([{ text: "Lamp arrived broken.", seq: 2 }, { text: "Order 48213, urgent." }]);
    expect(generated).toEqual({ by: "AI assistant", model: "fake-1" });
  });

  test("AGENT9 a summary without a sentence of the model is not marked as generated", async () => {
    const { send } = await openWaiting(chatAnswer("Lamp arrived broken [1].\n"));
    expect((await send("It is urgent.")).generated).toBeUndefined();
  });

  test("AGENT7 AGENT8 claims of actions and foreign addresses are left out", async () => {
    const { lines } = await openWaiting(
      chatAnswer(
        "Lamp arrived broken [1].\n",
        "Your refund has been issued [1].\nWrite to help@evil.example [1].\n",
      ),
    );
    expect(await lines()).toEqual(["2 Lamp arrived broken."]);
  });

  test.each<[string, ModelReply]>([
    ["refuses", { status: 400, chunks: ['{"error":{}}'] }],
    ["just stops", { chunks: [chatText("Lamp arrived broken [1].\n")] }],
    ["breaks off", { chunks: [chatText("Lamp arrived ")], after: "break" }],
    ["names no source", chatAnswer("The lamp is broken.\n")],
    ["says nothing", chatAnswer("")],
  ])(
    "a model that %s is replaced by the customer's own sentences, and not asked again",
    async (_name, reply) => {
      const { propose, calls } = await openWaiting(reply);
      const proposed = await propose();
      expect(proposed.sentences.map(({ text }) => text).slice(0, 2)).toEqual(QUOTED);
      expect(proposed.generated).toBeUndefined();
      const asked = calls().length;
      expect(await propose()).toEqual(proposed);
      expect(calls()).toHaveLength(asked);
    },
  );

  test("a summary that the customer sends meanwhile does not wait for the model", async () => {
    const { t, ann, id, path, propose, calls } = await openWaiting({
      chunks: [chatText("Lamp")],
      after: "hold",
    });
    const proposing = propose();
    await expect.poll(() => calls().length).toBe(1);
    const handoffId = (await ann.transcript(id)).conversation?.handoff?.id;
    expect((await ann.post(path, { handoffId, text: "It is urgent." })).status).toBe(200);
    t.clock.advance(WRITE_MS);
    await proposing;
  });

  test("so is one that is too slow", async () => {
    const { t, propose, calls } = await openWaiting({ chunks: [chatText("Lamp")], after: "hold" });
    const proposing = propose();
    await expect.poll(() => calls().length).toBe(1);
    t.clock.advance(WRITE_MS);
    const { sentences, generated } = await proposing;
    expect(sentences[0]?.text).toBe(QUOTED[0]);
    expect(generated).toBeUndefined();
  });
});
