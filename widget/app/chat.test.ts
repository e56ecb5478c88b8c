// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { createScriptedBff, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation, types } from "./testing/start-chat.ts";
import { bodies, waiting } from "./testing/start-network.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const EVENTS = "GET /api/conversation/events";
const SESSION = "POST /api/session";

describe("works", () => {
  it("requests and stores nothing before the panel is opened", async () => {
    const { bff, storage } = startChat();
    await settle();
    expect(bff.received).toEqual([]);
    expect(storage.map.size).toBe(0);
  });

  it("the first message starts the conversation, the next goes into it, both in order", async () => {
    const { bff, chat, happenings } = await startConversation();
    chat.outbox.send("and this");
    await settle();
    expect(bff.calls(START)).toHaveLength(1);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
    expect(bodies(chat)).toEqual(["Hello", "and this"]);
    expect(chat.conversation.log.value.pending).toEqual([]);
    expect(types(happenings)).toEqual(["conversation.started", "message.sent", "message.sent"]);
  });

  it("what is written before the session exists waits for it", async () => {
    const { bff, chat } = startChat();
    let release = (): void => undefined;
    bff.script(SESSION, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.open();
    expect(chat.outbox.send("early")).toBe("sending");
    await settle();
    expect(waiting(chat)).toEqual(["early: sending"]);
    expect(bff.calls(START)).toEqual([]);
    release();
    await settle();
    expect(bodies(chat)).toEqual(["early"]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("several messages at once are sent one after another", async () => {
    const { bff, chat } = startChat();
    chat.open();
    for (const text of ["one", "two", "three"]) chat.outbox.send(text);
    await settle();
    expect(bodies(chat)).toEqual(["one", "two", "three"]);
    expect(bff.calls(START)).toHaveLength(1);
  });

  it("an answer streams, and the finished message replaces it once", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.signal({ type: "response.delta", messageId: "m3", delta: "Good " });
    bff.signal({ type: "response.delta", messageId: "m3", delta: "day" });
    await settle();
    expect(chat.conversation.log.value.answer?.text).toBe("Good day");
    expect(types(happenings)).not.toContain("message.received");
    bff.say("Good day.");
    await settle();
    expect(chat.conversation.log.value.answer).toBeNull();
    expect(bodies(chat)).toEqual(["Hello", "Good day."]);
    expect(types(happenings).filter((type) => type === "message.received")).toHaveLength(1);
  });

  it("an earlier visit's conversation is restored, without announcements", async () => {
    const { bff, storage } = await startConversation();
    bff.say("Good day.");
    const second = startChat(bff, storage);
    expect(second.chat.session.isResuming.value).toBe(true);
    second.chat.open();
    await settle();
    expect(bodies(second.chat)).toEqual(["Hello", "Good day."]);
    expect(second.happenings).toEqual([]);
    expect(second.chat.session.isResuming.value).toBe(false);
  });

  it("counts what arrives while the panel is closed", async () => {
    const { bff, chat } = await startConversation();
    chat.close();
    bff.say("one");
    bff.say("two");
    await settle();
    expect(chat.conversation.unread.value).toBe(2);
    chat.open();
    expect(chat.conversation.unread.value).toBe(0);
  });

  it("a storage that throws means memory, and the chat works", async () => {
    const refuse = () => {
      throw new DOMException("no", "SecurityError");
    };
    const { bff, chat } = startChat(undefined, {
      ...createMapStorage(),
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
    });
    chat.open();
    chat.outbox.send("Hello");
    await settle();
    chat.outbox.send("again");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "again"]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("a typing signal without a stop expires", async () => {
    const { bff, chat, time } = await startConversation();
    bff.signal({ type: "typing.started", role: "human" });
    await settle();
    expect(chat.conversation.log.value.typing).not.toBeNull();
    await time.advance(15_000);
    expect(chat.conversation.log.value.typing).toBeNull();
  });
});

describe("the session", () => {
  it("that can't be reached says so, retries with increasing delays, and recovers", async () => {
    const { bff, chat, time, happenings } = startChat();
    bff.script(SESSION, ...Array.from({ length: 3 }, () => () => problem("support_unreachable")));
    chat.open();
    await settle();
    expect(chat.session.state.value).toMatchObject({
      kind: "failed",
      failure: { code: "support_unreachable" },
    });
    expect(time.waiting()).toEqual([250]);
    await time.advance(250);
    expect(time.waiting()).toEqual([500]);
    await time.advance(500);
    await time.advance(1_000);
    expect(chat.session.state.value.kind).toBe("ready");
    expect(types(happenings)).toEqual(["failed"]);
  });

  it("Retry-After is the minimum delay", async () => {
    const { bff, chat, time } = startChat();
    bff.script(SESSION, () => problem("rate_limited", 7));
    chat.open();
    await settle();
    expect(time.waiting()).toEqual([7_250]);
  });

  it("an origin that is not allowed is not retried again and again", async () => {
    const { bff, chat, time } = startChat();
    bff.script(SESSION, () => problem("origin_not_allowed"));
    chat.open();
    await settle();
    expect(time.waiting()).toEqual([]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("offers the owner's other way when support can't be reached", async () => {
    const { bff, chat } = startChat();
    bff.script(SESSION, () => problem("support_unreachable"));
    bff.script("GET /api/config", () =>
      json(200, {
        identityPolicy: "optional",
        fallback: { kind: "mail", href: "mailto:help@shop.example" },
      }),
    );
    chat.open();
    await settle();
    expect(chat.connection.fallback.value).toEqual({ kind: "mail", href: "mailto:help@shop.example" });
  });

  it("offers it also if it could be read only once", async () => {
    const { bff, chat } = startChat();
    const fallback = { kind: "mail", href: "mailto:help@shop.example" };
    const held = Promise.withResolvers<Response>();
    bff.script(SESSION, ...Array.from({ length: 2 }, () => () => problem("support_unreachable")));
    bff.script(
      "GET /api/config",
      () => json(200, { identityPolicy: "optional", fallback }),
      () => held.promise,
    );
    chat.outbox.send("Hello");
    chat.open();
    await settle();
    expect(bff.calls("GET /api/config")).toHaveLength(2);
    held.resolve(problem("support_unreachable"));
    await settle();
    expect(chat.connection.fallback.value).toEqual(fallback);
  });

  it("reconnects at once on coming back, without waiting for the delay", async () => {
    const { bff, chat } = startChat();
    bff.script(SESSION, () => problem("support_unreachable"));
    chat.open();
    await settle();
    chat.wake();
    await settle();
    expect(chat.session.state.value.kind).toBe("ready");
  });

  it("that expired starts again: the text is sent, the earlier customer's log disappears", async () => {
    const { bff, chat, storage } = await startConversation();
    bff.state.tokens.clear();
    bff.state.conversation = null;
    bff.script(MESSAGES, () => problem("session_expired"));
    chat.outbox.send("still here?");
    await settle();
    expect(bodies(chat)).toEqual(["still here?"]);
    expect(chat.conversation.startedOver.value).toMatchObject({ id: "conversation-1" });
    expect([...storage.map.values()]).toEqual([[...bff.state.tokens][0]]);
  });

  it("a 401 from a proxy does not end the session", async () => {
    const { bff, chat, storage } = await startConversation();
    const token = [...storage.map.values()];
    bff.script(MESSAGES, () => new Response("Sign in", { status: 401 }));
    chat.outbox.send("x");
    await settle();
    expect([...storage.map.values()]).toEqual(token);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("no address contains a token or a text", async () => {
    const { bff } = await startConversation();
    for (const { path } of bff.received) expect(path).toMatch(/^\/api\/[a-z/]+$/);
    expect(bff.calls(EVENTS)[0]?.authorization).toMatch(/^Bearer token-1/);
  });
});

describe("logout", () => {
  it("clears everything here at once and revokes the session", async () => {
    const { bff, chat, storage } = await startConversation();
    chat.composer.draft.value = "half a thought";
    const done = chat.identity.logout();
    expect(chat.conversation.log.value.messages).toEqual([]);
    expect(chat.composer.draft.value).toBe("");
    expect([...storage.map.keys()]).toEqual(["parley.era"]);
    expect(await done).toBeUndefined();
    expect(bff.calls("DELETE /api/session")[0]?.authorization).toMatch(/^Bearer token-1/);
    expect(bff.openStreams()).toBe(0);
  });

  it("that the service did not confirm says so, and nothing is stored here", async () => {
    const { bff, chat } = await startConversation();
    bff.script("DELETE /api/session", () => new Response(null, { status: 204 }));
    expect((await chat.identity.logout())?.code).toBe("not_confirmed");
    expect(chat.conversation.log.value.messages).toEqual([]);
  });

  it("an answer in flight does not appear after it", async () => {
    const { bff, chat } = await startConversation();
    let release = (): void => undefined;
    bff.script(MESSAGES, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.outbox.send("secret");
    await settle();
    await chat.identity.logout();
    release();
    await settle();
    expect(chat.conversation.log.value.messages).toEqual([]);
    expect(chat.conversation.log.value.pending).toEqual([]);
  });

  it("a session in flight is not used after it, nor called a failure and begun again", async () => {
    const bff = createScriptedBff();
    const { chat, storage, time } = startChat(bff);
    let release = (): void => undefined;
    bff.script(SESSION, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    const failures: string[] = [];
    chat.subscribe(({ type }) => type === "failed" && failures.push(type));
    chat.open();
    await settle();
    await chat.identity.logout();
    release();
    await settle();
    expect([...storage.map.keys()]).toEqual(["parley.era"]);
    expect(chat.session.state.value.kind).toBe("none");
    await time.advance(60_000);
    expect(failures).toEqual([]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });
});
