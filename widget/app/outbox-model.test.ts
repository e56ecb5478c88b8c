// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { AT, EPOCH, json, problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation } from "./testing/start-chat.ts";
import { bodies, fail, startNetwork, times, waiting } from "./testing/start-network.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const SESSION = "POST /api/session";

describe("OUT1 while nothing answers", () => {
  it("without a network messages wait, however long, and are sent once each and in order when it is back", async () => {
    const { bff, chat, time, happenings, cut, mend } = await startNetwork();
    await cut();
    for (const text of ["one", "two", "three"]) chat.outbox.send(text);
    await settle();
    expect(waiting(chat)).toEqual(["one: queued", "two: queued", "three: queued"]);
    expect(chat.connection.state.value).toBe("offline");
    expect(chat.outbox.queuedCount.value).toBe(3);
    await time.advance(3_600_000);
    expect(waiting(chat)).toEqual(["one: queued", "two: queued", "three: queued"]);
    expect(happenings.map(({ type }) => type)).not.toContain("message.not_confirmed");
    await mend();
    expect(bodies(chat)).toEqual(["Hello", "one", "two", "three"]);
    expect(bff.calls(MESSAGES)).toHaveLength(3);
    expect(chat.connection.state.value).not.toBe("offline");
  });

  it("a message whose first attempt failed before the device noticed waits as long, and needs no Retry", async () => {
    const { bff, chat, time, cut, mend } = await startNetwork();
    bff.script(MESSAGES, ...times(3));
    chat.outbox.send("one");
    await time.advance(5_000);
    await cut();
    await time.advance(3_600_000);
    expect(waiting(chat)).toEqual(["one: queued"]);
    bff.script(MESSAGES, fail);
    await mend();
    await time.advance(1_000);
    expect(bodies(chat)).toEqual(["Hello", "one"]);
  });

  it("a network that returns without an event is still noticed", async () => {
    const { chat, time, network, cut } = await startNetwork();
    await cut();
    chat.outbox.send("one");
    await settle();
    network.isThere = true;
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "one"]);
  });

  it("a short outage needs no Retry: the same key is sent again, and stored once", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, ...times(2));
    chat.outbox.send("one");
    chat.outbox.send("two");
    await settle();
    expect(waiting(chat)).toEqual(["one: queued", "two: queued"]);
    expect(chat.connection.state.value).toBe("live");
    await time.advance(5_000);
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
    const keys = bff.calls(MESSAGES).map(({ body }) => body.clientMessageId);
    expect(keys).toEqual(["key-2", "key-2", "key-2", "key-3"]);
  });

  it("after a long one all waiting messages are unconfirmed with Retry, in order", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, ...times(4));
    chat.outbox.send("one");
    chat.outbox.send("two");
    await time.advance(60_000);
    expect(bff.calls(MESSAGES)).toHaveLength(4);
    expect(waiting(chat)).toEqual(["one: not_confirmed", "two: not_confirmed"]);
    for (const { clientMessageId } of chat.conversation.log.value.pending) chat.outbox.retry(clientMessageId);
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
  });

  it("an answer that confirms nothing is unconfirmed at once, and not retried (control)", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(MESSAGES, () => problem("support_unreachable"));
    chat.outbox.send("one");
    await time.advance(60_000);
    expect(waiting(chat)).toEqual(["one: not_confirmed"]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });

  it("a person can retry without waiting", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, fail);
    chat.outbox.send("one");
    await settle();
    chat.outbox.retry("key-2");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "one"]);
  });

  it("the 21st is refused, and changes nothing", async () => {
    const { chat, cut } = await startNetwork();
    await cut();
    for (let at = 1; at <= 20; at += 1) expect(chat.outbox.send(`${at}`)).toBe("sending");
    expect(chat.outbox.isFull.value).toBe(true);
    expect(chat.outbox.send("21")).toBe("full");
    expect(chat.conversation.log.value.pending).toHaveLength(20);
  });
});

describe("the conversation of a message", () => {
  it("that ended before the answer came: the message is not shown in the next one", async () => {
    const { bff, chat, storage } = await startConversation();
    const held = Promise.withResolvers<void>();
    bff.script(MESSAGES, async (request, signal) => {
      const answer = bff.answer(request, signal);
      await held.promise;
      return answer;
    });
    chat.outbox.send("in the first");
    await settle();
    bff.end();
    const other = startChat(bff, storage, { randomId: () => "key-of-the-other" });
    other.chat.outbox.send("in the second");
    await settle();
    await chat.session.refresh();
    held.resolve();
    await settle();
    expect([bodies(chat), waiting(chat)]).toEqual([["in the second"], []]);
  });

  it("OPS4 that the service lost: what was confirmed there is in doubt, the new message starts the next one", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("no_conversation"));
    bff.script(SESSION, async (request, signal) => {
      bff.state.conversation = null;
      return json(200, { ...(await (await bff.answer(request, signal)).json()), isLost: true });
    });
    chat.outbox.send("Are you there?");
    await settle();
    expect([bodies(chat), waiting(chat)]).toEqual([["Are you there?"], ["Hello: not_confirmed"]]);
  });

  it("OPS4 that seems lost: a message that turns out to be there starts no other conversation", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("no_conversation"));
    bff.script(SESSION, async (request, signal) => {
      const answer = await (await bff.answer(request, signal)).json();
      const [first] = answer.conversation.messages;
      const second = { ...first, id: "m9", seq: 9, clientMessageId: "key-2", body: "Are you there?" };
      const conversation = { ...answer.conversation, lastSeq: 9, messages: [first, second] };
      return json(200, { ...answer, conversation });
    });
    chat.outbox.send("Are you there?");
    await settle();
    expect([bodies(chat), waiting(chat)]).toEqual([["Hello", "Are you there?"], []]);
    expect(bff.calls(START)).toHaveLength(1);
  });

  it("HIST4 a message that reopens a conversation leaves what is known of it, except its person", async () => {
    const { bff, chat } = startChat();
    const known = { contact: { email: "ann@shop.example" }, read: { human: 1 } };
    const handoff = { id: "h1", status: "accepted" } as const;
    const of = { id: "conversation-9", epoch: EPOCH, lastSeq: 0, messages: [], ...known, handoff };
    bff.state.conversation = { ...of, status: "ended", reopens: true };
    chat.open();
    await settle();
    bff.script(START, (request, signal) => {
      bff.state.conversation = { ...of, status: "open" };
      return bff.answer(request, signal);
    });
    chat.outbox.send("One more thing");
    await settle();
    expect(chat.conversation.current.value).toEqual({
      id: "conversation-9",
      status: "open",
      epoch: EPOCH,
      ...known,
    });
  });

  it("HIST4 a late answer to that message removes nothing that the stream brought", async () => {
    const { bff, chat } = await startConversation();
    bff.end();
    await settle();
    const held = Promise.withResolvers<void>();
    bff.script(START, async (request, signal) => {
      if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "open" };
      bff.record({ type: "conversation.reopened", seq: bff.nextSeq(), at: AT });
      const answer = bff.answer(request, signal);
      bff.setHandoff("accepted", "Ada");
      await held.promise;
      return answer;
    });
    chat.outbox.send("One more thing");
    await settle();
    held.resolve();
    await settle();
    expect(chat.conversation.current.value).toMatchObject({
      status: "open",
      handoff: { status: "accepted" },
    });
  });
});

it("ATT9 a message whose file the service no longer has goes without it by Retry, with its key and its text", async () => {
  const { bff, chat } = await startConversation();
  bff.end();
  await settle();
  // The file was stored for the conversation that ended.
  bff.script(START, () => problem("file_gone"));
  chat.outbox.send("Look", [{ id: "att1", name: "a.png", type: "image/png", size: 9 }]);
  await settle();
  expect(waiting(chat)).toEqual(["Look: not_confirmed"]);
  const [left] = chat.conversation.log.value.pending;
  expect(left).toMatchObject({ code: "file_gone", attachments: undefined });
  chat.outbox.retry(left?.clientMessageId ?? "");
  await settle();
  expect(bff.calls(START).at(-1)?.body).toEqual({ clientMessageId: left?.clientMessageId, body: "Look" });
  expect(bodies(chat)).toEqual(["Look"]);
});

it("ATT9 a message that is only a file that the service no longer has stays as it is", async () => {
  const { bff, chat } = await startConversation();
  bff.script(MESSAGES, () => problem("file_gone"));
  const file = { id: "att1", name: "a.png", type: "image/png", size: 9 } as const;
  chat.outbox.send("", [file]);
  await settle();
  expect(chat.conversation.log.value.pending).toMatchObject([{ code: "file_gone", attachments: [file] }]);
});
