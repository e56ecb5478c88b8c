import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMemoryLog } from "../../testing/memory-log.ts";
import {
  startFakeEmbeddingsServer,
  vectorsBy,
} from "../knowledge/embeddings/testing/fake-embeddings-server.ts";
import { chatAnswer, type ModelReply } from "./testing/fake-model-server.ts";
import { ANSWER, folder, hear, openAgent, QUESTION, startModel, typesOf } from "./testing/openai-bench.ts";

describe("a call of the model contains", () => {
  test("the sources, the owner's instructions and the conversation, and asks the server to store nothing", async () => {
    const server = await startModel(ANSWER);
    const agent = await openAgent(server, {
      AGENT_INSTRUCTIONS: "/words",
      AGENT_OPENAI_API_KEY_FILE: "/key",
    });
    const at = new Date(0).toISOString();
    const before = { id: "m1", seq: 1, at, role: "customer", body: "Hello there" } as const;
    const reply = { id: "m2", seq: 2, at, role: "agent", body: "Hi [1]." } as const;
    const asked = { id: "m3", seq: 3, at, role: "customer", body: QUESTION } as const;
    await hear(agent, { messages: [before, reply, asked] });
    const [call] = server.calls;
    expect(call?.headers["authorization"]).toBe("Bearer sk-from-file");
    expect(call?.body).toMatchObject({ store: false, stream: true, model: "fake-1" });
    const messages = call && "messages" in call.body ? call.body.messages : [];
    expect(messages[0]?.content).toContain("Say du.");
    expect(messages[0]?.content).toMatch(/\n\[1\] .*\n.*deliver/i);
    expect(messages.slice(1)).toEqual([
      { role: "user", content: "Hello there" },
      { role: "assistant", content: "Hi." },
      { role: "user", content: QUESTION },
    ]);
  });

  test.each(["chat", "responses"])("secrets that a customer pasted never leave (%s)", async (api) => {
    const server = await startModel();
    const agent = await openAgent(server, { AGENT_OPENAI_API: api });
    await hear(agent, { text: `${QUESTION} My card is 4111 1111 1111 1111, password: hunter2` });
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]?.text).not.toMatch(/4111|hunter2/);
    expect(server.calls[0]?.text).toContain("[card number]");
  });

  test("an article's other likely passages, whose figures an answer may repeat under one number", async () => {
    const sections = ["Germany takes 3 working days", "Austria takes 5 working days"];
    const text = sections.map((words) => `## Delivery\n\nDelivery to ${words}.\n`).join("\n");
    const path = folder();
    writeFileSync(join(path, "delivery.md"), `# Shipping\n\n${text}`);
    const said = sections.map((words) => `Delivery to ${words} [1].`).join(" ");
    const server = await startModel(chatAnswer(said));
    const heard = await hear(await openAgent(server, { KNOWLEDGE_DIR: path }), { text: "delivery" });
    for (const words of sections) expect(server.calls[0]?.text).toContain(words);
    expect(heard.text).toBe(said);
    expect(typesOf(heard).filter((type) => type === "citation")).toHaveLength(1);
  });

  test("no more of one article than 4,000 characters", async () => {
    const path = folder();
    const section = `## Delivery\n\n${"Delivery takes 3 days. ".repeat(40)}\n\n`;
    writeFileSync(join(path, "delivery.md"), `# Shipping\n\n${section.repeat(9)}`);
    const server = await startModel(ANSWER);
    await hear(await openAgent(server, { KNOWLEDGE_DIR: path }), { text: "delivery" });
    const sections = server.calls[0]?.text.split("Delivery\\n").length;
    expect(sections).toBe(1 + Math.floor(4_000 / section.length));
  });

  test("a field that the server does not know is left out", async () => {
    const unknown = (field: string): ModelReply => ({
      status: 422,
      chunks: [`{"error":{"message":"Extra inputs are not permitted: '${field}'"}}`],
    });
    const server = await startModel(unknown("stream_options"), unknown("store"), ANSWER);
    expect((await hear(await openAgent(server))).text).toBe("It depends on the country [1].");
    expect(
      server.calls.map(({ text }) => [text.includes("stream_options"), text.includes('"store"')]),
    ).toEqual([
      [true, true],
      [false, true],
      [false, false],
    ]);
  });

  test.each([
    ["chat", { param: "store" }, false],
    ["chat", { message: "Unknown field: 'store'" }, false],
    ["chat", { message: "Unrecognized request argument supplied: store" }, false],
    ["chat", { message: "The text 'when does your store open' was refused" }, true],
    ["responses", { param: "store", message: "Unknown field: 'store'" }, true],
  ])(
    "`store: false` is left out only where nothing is stored without it (%s, %o)",
    async (api, error, isSent) => {
      const server = await startModel({ status: 400, chunks: [JSON.stringify({ error })] }, ANSWER);
      const agent = await openAgent(server, { AGENT_OPENAI_API: api });
      await hear(agent);
      await hear(agent);
      expect(server.calls.length).toBeGreaterThan(1);
      expect(server.calls.at(-1)?.text.includes('"store":false')).toBe(isSent);
    },
  );

  test.each([
    ["Are you a robot?", "I'm an AI agent, not a person. You can ask for a person at any time.", true],
    ["Bist du ein Mensch?", expect.stringContaining("KI-Agent"), true],
    ["this is ridiculous", expect.stringContaining("I'm sorry"), true],
    ["bye", expect.stringContaining("Goodbye"), false],
    ["thanks", expect.stringContaining("You're welcome"), false],
  ])("small talk gets the sentence that fits it, without a call: %s", async (text, said, offersPerson) => {
    const server = await startModel();
    const heard = await hear(await openAgent(server), { text });
    expect(heard.text).toEqual(said);
    expect(typesOf(heard)).toEqual(offersPerson ? ["delta", "handoff.suggested"] : ["delta"]);
    expect(server.calls).toEqual([]);
  });

  test("a customer in Taiwan is answered in traditional characters", async () => {
    const heard = await hear(await openAgent(await startModel()), { text: "你是机器人吗?", locale: "zh-TW" });
    expect(heard.text).toBe("我是人工智慧助理，不是真人。您可以隨時要求真人客服。");
  });

  test("a customer in Brazil is answered in the Portuguese of Brazil", async () => {
    const heard = await hear(await openAgent(await startModel()), {
      text: "Você é um robô?",
      locale: "pt-BR",
    });
    expect(heard.text).toContain("Você pode pedir para falar com uma pessoa");
  });

  test('"yes" to the model\'s own question is an answer, and no small talk', async () => {
    const server = await startModel(ANSWER);
    const agent = await openAgent(server);
    const at = new Date(0).toISOString();
    const afterAgentSaid = (body: string) =>
      [
        { id: "m1", seq: 1, at, role: "customer", body: QUESTION },
        { id: "m2", seq: 2, at, role: "agent", body },
        { id: "m3", seq: 3, at, role: "customer", body: "Yes" },
      ] as const;
    await hear(agent, { text: "Yes", messages: afterAgentSaid("It depends on the country [1].") });
    expect(server.calls).toEqual([]);
    await hear(agent, { text: "Yes", messages: afterAgentSaid("Do you mean within the country?") });
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    ["chat", "max_tokens"],
    ["responses", "max_output_tokens"],
  ])("a bound on the answer, left out for a server that does not know it (%s)", async (api, field) => {
    const error = { message: `Unsupported parameter: '${field}' is not supported with this model.` };
    const server = await startModel({ status: 400, chunks: [JSON.stringify({ error })] }, ANSWER);
    await hear(await openAgent(server, { AGENT_OPENAI_API: api }));
    expect(server.calls.slice(0, 2).map(({ text }) => text.includes(field))).toEqual([true, false]);
  });

  test("a question that no article comes near is not sent at all", async () => {
    const server = await startModel();
    const heard = await hear(await openAgent(server), { text: "Xyzzy plugh?" });
    expect(server.calls).toEqual([]);
    expect(typesOf(heard)).toEqual(["delta", "nothing.found"]);
  });

  test("KNOW4 with vectors the nearest passages are sent, also for a question in another language", async () => {
    const vectors = await startFakeEmbeddingsServer(vectorsBy(() => [1, 0]));
    onTestFinished(() => vectors.close());
    const server = await startModel();
    const agent = await openAgent(
      server,
      { EMBEDDINGS_BASE_URL: vectors.url, EMBEDDINGS_MODEL: "small" },
      { fetch },
    );
    await expect
      .poll(async () => {
        server.reply(ANSWER);
        await hear(agent, { text: "Wann kommt mein Paket?" });
        return server.calls.some(({ text }) => text.includes("depends on the country"));
      })
      .toBe(true);
  });

  test.each([
    ["without its version", (url: string) => url.replace(/\/v1$/, "")],
    ["with a slash", (url: string) => `${url}/`],
    ["with the operation", (url: string) => `${url}/chat/completions`],
  ])("the base address may be given %s", async (_name, change) => {
    const server = await startModel(ANSWER);
    const log = createMemoryLog();
    const agent = await openAgent({ url: change(server.url) }, {}, { log });
    expect((await hear(agent)).text).toBe("It depends on the country [1].");
    await expect.poll(() => log.text()).toContain("the model server was reached");
    expect(log.text()).toContain(`"base":"${server.url}"`);
  });
});
