import { signal } from "@preact/signals";
import { describe, expect, it } from "vitest";
import { sendReadReceipts } from "./read-receipts.ts";
import { createScriptedBff, json, problem, type ScriptedBff } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat } from "./testing/start-chat.ts";

const READ = "POST /api/conversation/read";

/** One screen of the customer; all of them share storage and BFF. */
function start(bff: ScriptedBff, storage = createMapStorage()) {
  const isVisible = signal(true);
  const screen = startChat(bff, storage, { isVisible: () => isVisible.value });
  sendReadReceipts(screen.chat, {
    isVisible: () => isVisible.peek(),
    setTimer: screen.time.setTimer,
  });
  const told = () => bff.calls(READ).map(({ body }) => body.seq);
  return { ...screen, isVisible, told };
}

async function startTalk(capability: "read" | "typing" = "read") {
  const bff = createScriptedBff();
  bff.state.capabilities = ["turns", "events", "messages", capability];
  const screen = start(bff);
  screen.chat.open();
  screen.chat.outbox.send("Hello");
  await screen.settle();
  return screen;
}

const hear = async (
  { bff, settle }: Pick<Awaited<ReturnType<typeof startTalk>>, "bff" | "settle">,
  body: string,
) => {
  bff.say(body);
  await settle();
};

describe("READ1 how far the customer has read", () => {
  it("is sent once, a second after the last visible message, and only moves forward", async () => {
    const talk = await startTalk();
    await hear(talk, "One");
    await talk.time.advance(900);
    await hear(talk, "Two");
    await talk.time.advance(900);
    expect(talk.told()).toEqual([]);
    await talk.time.advance(100);
    expect(talk.told()).toEqual([4]);
    expect(talk.bff.calls(READ)[0]?.query).toBe("?conversationId=conversation-1");
    talk.chat.close();
    talk.chat.open();
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([4]);
  });

  it("is not sent for what the service knows already, nor for the customer's own messages", async () => {
    const talk = await startTalk();
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([]);
    await hear(talk, "One");
    talk.bff.signal({ type: "conversation.read", by: "customer", upTo: 3 });
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([]);
    await hear(talk, "Two");
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([4]);
  });

  it("is not sent while the panel is closed or its page hidden; then it is (control)", async () => {
    const talk = await startTalk();
    talk.chat.close();
    await hear(talk, "One");
    await talk.time.advance(5_000);
    talk.isVisible.value = false;
    talk.chat.open();
    await hear(talk, "Two");
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([]);
    talk.isVisible.value = true;
    talk.chat.wake();
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([4]);
  });

  it("is not sent to a service that does not store it", async () => {
    const talk = await startTalk("typing");
    await hear(talk, "One");
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([]);
    expect(talk.chat.conversation.unreadMessages()).toEqual([]);
  });

  it("shows nothing if it fails, and is sent again with the next message", async () => {
    const talk = await startTalk();
    talk.bff.script(
      READ,
      () => problem("internal"),
      () => json(200, { read: { seq: 1 } }),
    );
    const before = talk.happenings.length;
    await hear(talk, "One");
    await talk.time.advance(1_000);
    await hear(talk, "Two");
    await talk.time.advance(1_000);
    expect(talk.chat.conversation.current.value?.read).toBeUndefined();
    await hear(talk, "Three");
    await talk.time.advance(1_000);
    expect(talk.told()).toEqual([3, 4, 5]);
    expect(talk.chat.conversation.current.value?.read?.customer).toBe(5);
    expect(talk.happenings.slice(before).map(({ type }) => type)).toEqual(Array(3).fill("message.received"));
  });

  it("is not sent for the next conversation when that begins within the second", async () => {
    const talk = await startTalk();
    const first = talk.chat.conversation.current.value?.id;
    await hear(talk, "One");
    await talk.chat.conversation.end();
    talk.chat.outbox.send("Something else");
    await talk.settle();
    expect(talk.chat.conversation.current.value?.id).not.toBe(first);
    talk.chat.close();
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([]);
  });

  it("goes out at once when the panel is closed, and not for what came while it was closed", async () => {
    const talk = await startTalk();
    await hear(talk, "Seen");
    talk.chat.close();
    await talk.settle();
    expect(talk.told()).toEqual([3]);
    await hear(talk, "Not seen");
    await talk.time.advance(5_000);
    expect(talk.told()).toEqual([3]);
    expect(talk.chat.conversation.unread.value).toBe(1);
  });
});

describe("READ2 what is unread", () => {
  it("on the next page is what came after the last seen message, before the panel is open", async () => {
    const talk = await startTalk();
    await hear(talk, "Seen");
    await talk.time.advance(1_000);
    talk.chat.close();
    await hear(talk, "One");
    await hear(talk, "Two");
    const next = start(talk.bff, talk.storage);
    next.chat.resume();
    await next.settle();
    expect(next.chat.conversation.unread.value).toBe(2);
    expect(next.chat.conversation.unreadMessages().map(({ body }) => body)).toEqual(["One", "Two"]);
    next.chat.open();
    await next.time.advance(1_000);
    expect(next.chat.conversation.unread.value).toBe(0);
    expect(next.told()).toEqual([3, 5]);
  });

  it("ends with the customer's own last message, and on every screen when one of them reads", async () => {
    const talk = await startTalk();
    talk.chat.close();
    await hear(talk, "One");
    const other = start(talk.bff, talk.storage);
    other.chat.resume();
    await other.settle();
    expect([talk.chat.conversation.unread.value, other.chat.conversation.unread.value]).toEqual([1, 1]);
    talk.bff.signal({ type: "conversation.read", by: "customer", upTo: 3 });
    await other.settle();
    expect([talk.chat.conversation.unread.value, other.chat.conversation.unread.value]).toEqual([0, 0]);
    await hear(talk, "Two");
    talk.chat.outbox.send("I know");
    await talk.settle();
    expect(talk.chat.conversation.unreadMessages()).toEqual([]);
  });

  it("is not requested without an earlier visit, for an identified customer, or twice", async () => {
    const bff = createScriptedBff();
    const nobody = start(bff);
    nobody.chat.resume();
    await nobody.settle();
    expect(bff.received).toEqual([]);

    const talk = await startTalk();
    const vouched = start(talk.bff, talk.storage);
    const before = talk.bff.received.length;
    vouched.chat.identity.identify(1);
    vouched.chat.resume();
    await vouched.settle();
    expect(talk.bff.received).toHaveLength(before);
    const known = start(talk.bff, talk.storage);
    known.chat.resume();
    known.chat.resume();
    await known.settle();
    known.chat.resume();
    await known.settle();
    expect(talk.bff.calls("POST /api/session")).toHaveLength(2);
  });
});
