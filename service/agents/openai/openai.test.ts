import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createEnvironmentReader } from "../../../shared/server/environment.ts";
import { openTestService } from "../../testing/test-service.ts";
import { openaiProvider } from "./openai-provider.ts";
import { chatAnswer, chatEnd, chatText } from "./testing/fake-model-server.ts";
import {
  ANSWER,
  hear,
  openAgent,
  QUESTION,
  startModel,
  typesOf,
  writeArticles,
} from "./testing/openai-bench.ts";

describe("an answer", () => {
  test.each(["chat", "responses"])("comes with its source and its cost (%s)", async (api) => {
    const server = await startModel();
    const heard = await hear(await openAgent(server, { AGENT_OPENAI_API: api }));
    expect(heard.fault).toBeUndefined();
    expect(heard.text).toMatch(/\[1\]\.$/);
    expect(heard.events[0]).toMatchObject({ type: "citation", citation: { title: expect.any(String) } });
    expect(heard.events.at(-1)).toEqual({
      type: "usage",
      model: "fake-1",
      inputTokens: 100,
      outputTokens: 20,
    });
  });

  test("DESK18 reports its passages, which of them it named, and its price at the server that answered", async () => {
    const server = await startModel(ANSWER);
    const articles = writeArticles();
    const env = { AGENT_OPENAI_PRICE: "0.5 2.25 EUR", KNOWLEDGE_DIR: articles };
    const { events } = await hear(await openAgent(server, env));
    expect(events.find(({ type }) => type === "passage")).toEqual({
      type: "passage",
      passage: {
        title: "Delivery",
        heading: "How long delivery takes",
        file: join(articles, "delivery.md"),
        probability: expect.any(Number),
        use: "quoted",
      },
    });
    const price = (100 * 0.5 + 20 * 2.25) / 1_000_000;
    expect(events.at(-1)).toMatchObject({ type: "usage", price: { amount: price, currency: "EUR" } });
  });

  test.each(["0.5", "0.5 2 euro", "1 -2 EUR", "1,5 2 EUR"])(
    "a price in another form is refused: %s",
    (price) => {
      const env = { AGENT_OPENAI_BASE_URL: "http://x", AGENT_OPENAI_MODEL: "m", AGENT_OPENAI_PRICE: price };
      const reader = createEnvironmentReader(env, () => "");
      openaiProvider.configure(reader);
      expect(reader.faults.map(({ name }) => name)).toEqual(["AGENT_OPENAI_PRICE"]);
    },
  );

  test("without one sourced sentence found nothing", async () => {
    const server = await startModel(chatAnswer("We deliver to the moon.", " Trust me!"));
    const articles = writeArticles();
    const heard = await hear(await openAgent(server, { KNOWLEDGE_DIR: articles }));
    expect(heard.text).not.toContain("moon");
    expect(typesOf(heard)).toEqual(["usage", "delta", "nothing.found"]);
    expect(heard.events.find(({ type }) => type === "no.quote")).toEqual({
      type: "no.quote",
      reason: "no_source",
      folder: articles,
    });
  });

  test("offers a person if the model asks for one", async () => {
    const server = await startModel(chatAnswer("[person]"));
    expect(typesOf(await hear(await openAgent(server)))).toContain("handoff.suggested");
  });

  test.each([
    ["the stream stops", { chunks: [chatText("It depends [1]. But")] }, "model_cut"],
    ["the connection breaks", { chunks: [chatText("It depends [1]. But")], after: "break" }, "model_cut"],
    ["its length is reached", { chunks: [chatText("It depends [1]. But"), chatEnd("length")] }, "model_cut"],
    [
      "an error follows",
      { chunks: [chatText("It depends [1]. But"), 'data: {"error":{}}\n\n'] },
      "model_failed",
    ],
  ] as const)(
    "one that is cut off is stored as cut off, and no other server goes on: %s",
    async (_name, reply, code) => {
      const server = await startModel(reply);
      const second = await startModel(ANSWER);
      const agent = await openAgent(server, {
        AGENT_OPENAI_FALLBACK_BASE_URL: second.url,
        AGENT_OPENAI_FALLBACK_MODEL: "fake-2",
      });
      expect(await hear(agent)).toMatchObject({ text: "It depends [1].", fault: { code } });
      expect(server.calls).toHaveLength(1);
      const t = await openTestService({ agents: [agent] });
      const ann = await t.customer("ann");
      const id = await ann.start();
      await ann.say(id, QUESTION);
      await t.service.settled();
      const answer = (await ann.transcript(id)).messages.at(-1);
      expect(answer).toMatchObject({
        role: "agent",
        body: "It depends [1].",
        incomplete: true,
        notice: "agent_failed",
      });
      expect(second.calls).toEqual([]);
    },
  );

  test("the main job: a question at the service, an answer with its source in the log", async () => {
    const agent = await openAgent(await startModel());
    const t = await openTestService({ agents: [agent] });
    const ann = await t.customer("ann");
    const id = await ann.start();
    await ann.say(id, QUESTION);
    await t.service.settled();
    const answer = (await ann.transcript(id)).messages.at(-1);
    expect(answer).toMatchObject({ role: "agent", author: { name: "AI assistant" } });
    expect(answer?.body).toMatch(/\[1\]\.$/);
    expect(answer?.citations).toHaveLength(1);
    expect(t.log.text()).toContain('"outputTokens":20');
  });
});

test.each(["hold", "break"] as const)(
  "an answer with its protocol's own end is whole, whatever the connection does afterwards: %s",
  async (after) => {
    const chunks = [chatText("It depends on the country [1]."), chatEnd("stop")];
    const server = await startModel({ chunks: [...chunks, "data: [DONE]\n\n"], after });
    const whole = await hear(await openAgent(server));
    expect(whole).toMatchObject({ text: "It depends on the country [1]." });
    expect(whole.fault).toBeUndefined();
  },
);

test("an answer that nobody waits for is ended at the model, too", async () => {
  const server = await startModel({ chunks: [chatText("It depends [1]. But")], after: "hold" });
  const agent = await openAgent(server);
  const stop = new AbortController();
  const hearing = hear(agent, {}, stop.signal);
  await expect.poll(() => server.calls.length).toBe(1);
  stop.abort();
  expect((await hearing).fault).toMatchObject({ name: "AbortError" });
  await expect.poll(() => server.left()).toBe(1);
});
