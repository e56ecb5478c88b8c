import { describe, expect, it } from "vitest";
import { createScriptedBff, json, problem } from "./testing/scripted-bff.ts";
import { startChat } from "./testing/start-chat.ts";

const TYPING = "POST /api/conversation/typing";

async function open(capabilities = ["turns", "events", "messages", "typing"]) {
  const bff = createScriptedBff();
  bff.state.capabilities = capabilities as typeof bff.state.capabilities;
  const person = { isWriting: true };
  const started = startChat(bff, undefined, { isWriting: () => person.isWriting });
  started.chat.open();
  started.chat.outbox.send("Hello");
  await started.settle();
  const write = async (draft: string) => {
    started.chat.composer.draft.value = draft;
    await started.settle();
    return bff.calls(TYPING).length;
  };
  return { ...started, person, write };
}

describe("TYPE1 the customer's typing", () => {
  it("is sent with the first letter, and at most once in three seconds while it continues", async () => {
    const { bff, time, write } = await open();
    expect(await write("a")).toBe(1);
    expect(await write("ab")).toBe(1);
    await time.advance(3000);
    expect(await write("abc")).toBe(1);
    await time.advance(1000);
    expect(bff.calls(TYPING), "nothing is said by itself").toHaveLength(1);
    expect(await write("abcd")).toBe(2);
    expect(bff.calls(TYPING)[0]?.authorization).toMatch(/^Bearer token-1-/);
  });

  it("is not sent for an empty box, another tab's draft, or an ended conversation", async () => {
    const { bff, person, write, settle } = await open();
    expect(await write("  ")).toBe(0);
    person.isWriting = false;
    expect(await write("from another tab")).toBe(0);
    person.isWriting = true;
    bff.end();
    await settle();
    expect(await write("again")).toBe(0);
  });

  it("LESS1 is not sent if the service does not support it, nor before there is a conversation", async () => {
    const less = await open(["turns", "events", "messages"]);
    expect(await less.write("a")).toBe(0);
    const bff = createScriptedBff();
    bff.state.capabilities = ["turns", "events", "typing"];
    const { chat, settle } = startChat(bff, undefined, { isWriting: () => true });
    chat.open();
    chat.composer.draft.value = "a";
    await settle();
    expect(bff.calls(TYPING)).toEqual([]);
  });

  it("delays no message, and its failure is not shown", async () => {
    for (const fault of [
      () => new Promise<Response>(() => undefined),
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => problem("rate_limited"),
      () => problem("session_expired"),
      () => json(500, {}),
    ]) {
      const { bff, chat, happenings, settle, write } = await open();
      bff.script(TYPING, fault);
      const before = happenings.length;
      expect(await write("a")).toBe(1);
      expect(chat.connection.state.value).toBe("live");
      expect(happenings.slice(before)).toEqual([]);
      chat.outbox.send("a");
      await settle();
      expect(chat.conversation.log.value.messages.map(({ body }) => body)).toEqual(["Hello", "a"]);
      expect(chat.conversation.log.value.pending).toEqual([]);
    }
  });

  it("does not prolong a person's typing indicator", async () => {
    const { bff, chat, time, settle } = await open();
    bff.signal({ type: "typing.started", role: "human", name: "Maya" });
    bff.signal({ type: "typing.started", role: "customer" });
    bff.signal({ type: "conversation.read", by: "human", upTo: 2 });
    await settle();
    expect(chat.conversation.log.value.typing).toEqual({ role: "human", name: "Maya" });
    await time.advance(15_000);
    expect(chat.conversation.log.value.typing).toBeNull();
  });
});
