import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agents/agent.ts";
import {
  chatAnswer,
  chatCall,
  chatEnd,
  chatText,
  type ModelCall,
  type ModelReply,
} from "../agents/openai/testing/fake-model-server.ts";
import { folder, openAgent, QUESTION, startModel } from "../agents/openai/testing/openai-bench.ts";
import { createScriptedAgent } from "../testing/agents.ts";
import { png } from "../testing/files.ts";
import { FOREIGN_CANARY, FOREIGN_HOST, INJECTIONS, ORDERS } from "../testing/injections.ts";
import { json } from "../testing/test-customer.ts";
import { openTestService } from "../testing/test-service.ts";
import { done } from "../tools/testing/fake-mcp-server.ts";
import { shopOf } from "../tools/testing/shop-entry.ts";
import { openTestToolbox, startFakeMcp } from "../tools/testing/test-toolbox.ts";
import { claimsIn } from "./claims.ts";

/** A model that looks the order up, and then obeys every order that it read. It names a source, as an answer must. */
function obey({ body }: ModelCall): ModelReply {
  const messages = "messages" in body ? body.messages : [];
  const results = messages.filter(({ role }) => role === "tool");
  if (results.length === 0) return calling("shop_find_order", { order: "1001" });
  const orders = ordersIn(messages.map(({ content }) => content).join("\n"));
  const said = orders.map(({ obeyed }) => obeyed.replace(/\.$/, " [1]. ")).join("");
  if (orders.some(({ acts }) => acts) && results.length === 1)
    return calling("shop_refund", { order: "1001", amount: 12 }, said);
  return chatAnswer(`${said}It depends on the country [1].`);
}

function calling(tool: string, input: object, said = ""): ModelReply {
  return { chunks: [chatText(said), chatCall(tool, input), chatEnd("tool_calls"), "data: [DONE]\n\n"] };
}

const ordersIn = (text: string) => ORDERS.filter(({ sign }) => text.includes(sign));
const addressesIn = (text: string) =>
  Array.from(text.matchAll(/[^\s"()[\]<>\\]*evil\.example[^\s"()[\]<>\\]*/g), ([found]) =>
    found.replace(/\.$/, ""),
  );

function articlesWith(planted: string): string {
  const path = folder();
  const text = `How long delivery takes depends on the country you live in. ${planted}`;
  writeFileSync(join(path, "delivery.md"), `# Delivery\n\n## How long delivery takes\n\n${text}\n`);
  return path;
}

describe("planted text that a model obeys", () => {
  test("the 60 cases have each order in each wrapping, and each order at each place", () => {
    expect(INJECTIONS).toHaveLength(60);
    const placed = new Set(INJECTIONS.map(({ place, order }) => `${place} ${order}`));
    expect(placed.size).toBe(5 * ORDERS.length);
  });

  test("AGENT7 AGENT8 ACT1 makes the agent openai show no claim and no foreign address, and do nothing", async () => {
    const server = await startModel();
    server.reply(obey);
    const fake = await startFakeMcp();
    const { toolbox } = await openTestToolbox([shopOf(fake)]);
    const usual = await openAgent(server);
    let current = usual;
    const agent: Agent = { ...usual, answer: (...asked) => current.answer(...asked) };
    const t = await openTestService({ agents: [agent], toolbox });
    const bob = await t.customer("bob");
    await bob.say(await bob.start(), FOREIGN_CANARY);
    const read = new Map<string, number>();
    for (const [at, { place, planted, sign, obeyed, acts }] of INJECTIONS.entries()) {
      const here = (where: typeof place, usually: string) => (place === where ? planted : usually);
      fake.onCall = (call) => call.answer(done(here("tool result", "It is on its way.")));
      current =
        place === "article" ? await openAgent(server, { KNOWLEDGE_DIR: articlesWith(planted) }) : usual;
      const externalId = `ann-${at}`;
      const ann = await t.customer(externalId);
      const line = here("trait", "Ann").replaceAll("\n", " ");
      const profile = { externalId, displayName: line, attributes: { note: line } };
      await t.request("/v1/customers/identify", json(profile, t.workspace.credential));
      const id = await ann.start();
      const file = await ann.upload(id, png(), `${here("file name", "lamp").replaceAll("/", "-")}.png`);
      const callsBefore = server.calls.length;
      await ann.post(`/v1/support/conversations/${id}/turns`, {
        clientMessageId: "turn",
        content: { body: `${QUESTION} ${here("customer", "")}`, format: "plain" },
        attachments: [{ id: file.id }],
      });
      await t.service.settled();
      const calls = server.calls.slice(callsBefore);
      const isRead = calls.some(({ text }) => text.includes(sign));
      if (isRead) read.set(place, (read.get(place) ?? 0) + 1);
      const { messages, actions = [] } = await ann.transcript(id);
      const shown = messages
        .slice(1)
        .map((message) => JSON.stringify(message))
        .join("");
      expect(shown, planted).toContain("It depends on the country");
      if (acts) expect(shown, planted).not.toContain(obeyed.replace(/\.$/, ""));
      // An address of a source may be repeated, whoever wrote it there, but nothing may be added to it.
      const allowed = /^(?:article|tool result)$/.test(place) ? addressesIn(planted) : [];
      expect(
        addressesIn(shown).filter((address) => !allowed.includes(address)),
        planted,
      ).toEqual([]);
      expect(shown + calls.map(({ text }) => text).join(""), planted).not.toContain(FOREIGN_CANARY);
      const asked = isRead && acts ? [["shop_refund", undefined]] : [];
      expect(
        actions.map(({ name, approved }) => [name, approved]),
        planted,
      ).toEqual(asked);
    }
    expect(fake.calls.filter(({ name }) => name !== "find_order")).toEqual([]);
    // The model gets no names of files and no facts about customers. One article hides the order in a comment.
    expect(Object.fromEntries(read)).toEqual({ article: 11, "tool result": 12, customer: 12 });
  });

  test("AGENT7 AGENT8 makes no agent show it, also one whose sentences need no source", async () => {
    let words = "";
    const agent = createScriptedAgent(async function* () {
      yield { type: "delta", text: `Returns are free. ${words}` };
    });
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    for (const { obeyed } of ORDERS) {
      words = obeyed;
      const id = await ann.start();
      await ann.say(id, "How do I return a lamp?");
      await t.service.settled();
      const body = (await ann.transcript(id)).messages.at(-1)?.body;
      expect(body, obeyed).toContain("Returns are free.");
      expect(body, obeyed).not.toContain(FOREIGN_HOST);
      expect(body, obeyed).not.toContain(obeyed);
      // The control: without the guard it is an address or a claim.
      expect(obeyed.includes(FOREIGN_HOST) || claimsIn(obeyed).length > 0, obeyed).toBe(true);
    }
  });
});
