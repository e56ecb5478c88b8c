// @vitest-environment node
import { describe, expect, it } from "vitest";
import { TIMEOUT_MS } from "./bff-client.ts";
import type { Chat } from "./chat.ts";
import { settle } from "./testing/manual-time.ts";
import { AT, createScriptedBff, FAULTS, isSilence, json, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation } from "./testing/start-chat.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const HANDOFF = "POST /api/conversation/handoff";
const END = "DELETE /api/conversation";
const EVENTS = "GET /api/conversation/events";
const SESSION = "POST /api/session";

const bodies = (chat: Chat) => chat.log.value.messages.map((message) => message.body);
const doubts = (chat: Chat) => chat.log.value.pending.map(({ body, status }) => `${body}: ${status}`);
const types = (happenings: readonly { type: string }[]) => happenings.map((happening) => happening.type);
const never = () => new Promise<Response>(() => undefined);

describe("works", () => {
  it("R84 asks nothing and stores nothing before the panel is opened", async () => {
    const { bff, storage } = startChat();
    await settle();
    expect(bff.received).toEqual([]);
    expect(storage.map.size).toBe(0);
  });

  it("the first message starts the conversation, the next goes into it, both in order", async () => {
    const { bff, chat, happenings } = await startConversation();
    chat.send("and this");
    await settle();
    expect(bff.calls(START)).toHaveLength(1);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
    expect(bodies(chat)).toEqual(["Hello", "and this"]);
    expect(chat.log.value.pending).toEqual([]);
    expect(types(happenings)).toEqual(["conversation.started", "message.sent", "message.sent"]);
  });

  it("what is written before the session is there waits for it", async () => {
    const { bff, chat } = startChat();
    let release = (): void => undefined;
    bff.script(SESSION, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.open();
    expect(chat.send("early")).toBe("sending");
    await settle();
    expect(doubts(chat)).toEqual(["early: sending"]);
    expect(bff.calls(START)).toEqual([]);
    release();
    await settle();
    expect(bodies(chat)).toEqual(["early"]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("several messages at once go one after the other", async () => {
    const { bff, chat } = startChat();
    chat.open();
    for (const text of ["one", "two", "three"]) chat.send(text);
    await settle();
    expect(bodies(chat)).toEqual(["one", "two", "three"]);
    expect(bff.calls(START)).toHaveLength(1);
  });

  it("an answer streams, and the finished message takes its place once", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.signal({ type: "response.delta", messageId: "m3", delta: "Good " });
    bff.signal({ type: "response.delta", messageId: "m3", delta: "day" });
    await settle();
    expect(chat.log.value.answer?.text).toBe("Good day");
    expect(types(happenings)).not.toContain("message.received");
    bff.say("Good day.");
    await settle();
    expect(chat.log.value.answer).toBeNull();
    expect(bodies(chat)).toEqual(["Hello", "Good day."]);
    expect(types(happenings).filter((type) => type === "message.received")).toHaveLength(1);
  });

  it("an earlier visit's conversation is there again, quietly", async () => {
    const { bff, storage } = await startConversation();
    bff.say("Good day.");
    const second = startChat(bff, storage);
    expect(second.chat.isResuming.value).toBe(true);
    second.chat.open();
    await settle();
    expect(bodies(second.chat)).toEqual(["Hello", "Good day."]);
    expect(second.happenings).toEqual([]);
    expect(second.chat.isResuming.value).toBe(false);
  });

  it("counts what arrives while the panel is closed", async () => {
    const { bff, chat } = await startConversation();
    chat.close();
    bff.say("one");
    bff.say("two");
    await settle();
    expect(chat.unread.value).toBe(2);
    chat.open();
    expect(chat.unread.value).toBe(0);
  });

  it("R15 a storage that throws means memory, and the chat works", async () => {
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
    chat.send("Hello");
    await settle();
    chat.send("again");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "again"]);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("a typing sign that nobody took back ends by itself", async () => {
    const { bff, chat, time } = await startConversation();
    bff.signal({ type: "typing.started", role: "human" });
    await settle();
    expect(chat.log.value.typing).not.toBeNull();
    await time.advance(15_000);
    expect(chat.log.value.typing).toBeNull();
  });
});

describe("R51 says that a message was sent only when the service verifiably said so", () => {
  for (const [route, prepare] of [
    [START, () => startChat()],
    [MESSAGES, startConversation],
  ] as const) {
    for (const [name, fault] of Object.entries(FAULTS)) {
      it(`${route}, ${name}: not confirmed, text kept, Retry has the same key`, async () => {
        const { bff, chat, time, happenings } = await prepare();
        chat.open();
        happenings.length = 0;
        bff.script(route, ...Array.from({ length: isSilence(name) ? 4 : 1 }, () => fault));
        chat.send("Is it there?");
        await settle();
        if (isSilence(name)) await time.advance(16_000);
        expect(doubts(chat)).toEqual(["Is it there?: not_confirmed"]);
        expect(types(happenings)).toEqual(["message.not_confirmed"]);
        chat.retry(chat.log.value.pending[0]?.clientMessageId ?? "");
        await settle();
        expect(doubts(chat)).toEqual([]);
        expect(bodies(chat).filter((body) => body === "Is it there?")).toHaveLength(1);
        const keys = bff.calls(route).map((request) => request.body.clientMessageId);
        expect(keys.at(-1)).toBe(keys.at(-2));
        expect(types(happenings).filter((type) => type === "message.sent")).toHaveLength(1);
      });
    }
  }

  it("control: the same message with a true answer is confirmed at once", async () => {
    const { chat, happenings } = await startConversation();
    happenings.length = 0;
    chat.send("Is it there?");
    await settle();
    expect(types(happenings)).toEqual(["message.sent"]);
  });

  it("R63 OUT1 no answer in 10 s stops the request; four of them by one key in 60 s, then it is a doubt", async () => {
    const { bff, chat, time } = await startConversation();
    const stopped: AbortSignal[] = [];
    const hang = (_request: unknown, signal: AbortSignal) => {
      stopped.push(signal);
      return never();
    };
    bff.script(MESSAGES, hang, hang, hang, hang);
    chat.send("Is it there?");
    await time.advance(TIMEOUT_MS);
    expect(stopped[0]?.aborted).toBe(true);
    expect(doubts(chat)).toEqual(["Is it there?: kept"]);
    await time.advance(60_000 - TIMEOUT_MS);
    expect(chat.log.value.pending[0]).toMatchObject({ status: "not_confirmed", code: "support_timeout" });
    expect(stopped.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
    expect(new Set(bff.calls(MESSAGES).map(({ body }) => body.clientMessageId)).size).toBe(1);
    await time.advance(600_000);
    expect(bff.calls(MESSAGES)).toHaveLength(4);
  });

  it("an answer lost after the commit: the log itself brings the proof", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.script(MESSAGES, async (request, signal) => {
      await bff.answer(request, signal);
      return problem("support_timeout");
    });
    chat.send("Is it there?");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "Is it there?"]);
    expect(chat.log.value.pending).toEqual([]);
    expect(types(happenings).filter((type) => type === "message.sent")).toHaveLength(2);
  });

  it("R62 two messages in doubt keep their order, and so does what was waiting behind", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, FAULTS["503 HTML"] ?? never);
    chat.send("first");
    chat.send("second");
    await settle();
    expect(doubts(chat)).toEqual(["first: not_confirmed", "second: not_confirmed"]);
    for (const { clientMessageId } of chat.log.value.pending) chat.retry(clientMessageId);
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "first", "second"]);
  });

  it("a fault of one message alone does not hold up the next", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("bad_request"));
    chat.send("first");
    chat.send("second");
    await settle();
    expect(doubts(chat)).toEqual(["first: not_confirmed"]);
    expect(bodies(chat)).toEqual(["Hello", "second"]);
  });

  it("R87 the seconds to wait are kept with the doubt", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("rate_limited", 7));
    chat.send("first");
    await settle();
    expect(chat.log.value.pending[0]).toMatchObject({ code: "rate_limited", retryAfter: 7 });
  });

  it("refuses what is empty or too long, and what a paste brought along is taken off", async () => {
    const { bff, chat } = await startConversation();
    expect(chat.send("  \n ")).toBe("refused");
    expect(chat.send("😀".repeat(5001))).toBe("refused");
    expect(chat.send("😀".repeat(5000))).toBe("sending");
    expect(chat.send("a\u0000b\u009f\tc\r\nd\ud800")).toBe("sending");
    await settle();
    expect(bff.calls(MESSAGES).at(-1)?.body.body).toBe("ab\tc\nd\ufffd");
  });

  it("a discarded message is gone, and nothing is sent again", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("internal"));
    chat.send("first");
    await settle();
    const key = chat.log.value.pending[0]?.clientMessageId ?? "";
    chat.discard(key);
    chat.retry(key);
    await settle();
    expect(chat.log.value.pending).toEqual([]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });
});

describe("the session", () => {
  it("could not be reached: it says so, keeps trying with growing delays, and mends itself", async () => {
    const { bff, chat, time, happenings } = startChat();
    bff.script(SESSION, ...Array.from({ length: 3 }, () => () => problem("support_unreachable")));
    chat.open();
    await settle();
    expect(chat.session.value).toMatchObject({ kind: "failed", failure: { code: "support_unreachable" } });
    expect(time.waiting()).toEqual([250]);
    await time.advance(250);
    expect(time.waiting()).toEqual([500]);
    await time.advance(500);
    await time.advance(1_000);
    expect(chat.session.value.kind).toBe("ready");
    expect(types(happenings)).toEqual(["failed"]);
  });

  it("R58 Retry-After is the least delay", async () => {
    const { bff, chat, time } = startChat();
    bff.script(SESSION, () => problem("rate_limited", 7));
    chat.open();
    await settle();
    expect(time.waiting()).toEqual([7_250]);
  });

  it("an origin that is not allowed is not asked for again and again", async () => {
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
    expect(chat.fallback.value).toEqual({ kind: "mail", href: "mailto:help@shop.example" });
  });

  it("at once on coming back, without waiting for the delay", async () => {
    const { bff, chat } = startChat();
    bff.script(SESSION, () => problem("support_unreachable"));
    chat.open();
    await settle();
    chat.wake();
    await settle();
    expect(chat.session.value.kind).toBe("ready");
  });

  it("that is over is started anew: the text goes on its way, the earlier customer's log does not stay", async () => {
    const { bff, chat, storage } = await startConversation();
    bff.state.tokens.clear();
    bff.state.conversation = null;
    bff.script(MESSAGES, () => problem("session_expired"));
    chat.send("still here?");
    await settle();
    expect(bodies(chat)).toEqual(["still here?"]);
    expect(chat.startedOver.value).toBe(true);
    expect([...storage.map.values()]).toEqual([[...bff.state.tokens][0]]);
  });

  it("a 401 of something in between is no reason to give the session up", async () => {
    const { bff, chat, storage } = await startConversation();
    const token = [...storage.map.values()];
    bff.script(MESSAGES, () => new Response("Sign in", { status: 401 }));
    chat.send("x");
    await settle();
    expect([...storage.map.values()]).toEqual(token);
    expect(bff.calls(SESSION)).toHaveLength(1);
  });

  it("R12 no token and no text stands in any address", async () => {
    const { bff } = await startConversation();
    for (const { path } of bff.received) expect(path).toMatch(/^\/api\/[a-z/]+$/);
    expect(bff.calls(EVENTS)[0]?.authorization).toMatch(/^Bearer token-1/);
  });
});

describe("R52 a person", () => {
  it("has been asked only when the service verifiably said so", async () => {
    const { chat, happenings } = await startConversation();
    expect(await chat.requestHuman("refund")).toBeUndefined();
    await settle();
    expect(chat.log.value.conversation?.handoff?.status).toBe("requested");
    expect(types(happenings).filter((type) => type === "handoff.requested")).toHaveLength(1);
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`${name}: could not be confirmed, and it can be asked again`, async () => {
      const { bff, chat, happenings } = await startConversation();
      bff.script(HANDOFF, fault);
      expect(await chat.requestHuman()).toBeDefined();
      expect(chat.handoffRequest.value.kind).toBe("failed");
      expect(chat.log.value.conversation?.handoff).toBeUndefined();
      expect(types(happenings)).not.toContain("handoff.requested");
      expect(await chat.requestHuman()).toBeUndefined();
      expect(chat.handoffRequest.value.kind).toBe("idle");
    });
  }

  it("has been asked by the verified answer alone, before any event tells of it", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.script(HANDOFF, () => json(201, { handoff: { id: "h7", status: "requested" } }));
    expect(await chat.requestHuman()).toBeUndefined();
    expect(chat.log.value.conversation?.handoff).toEqual({ id: "h7", status: "requested" });
    expect(types(happenings)).toContain("handoff.requested");
  });

  it("asked for twice at once is asked for once", async () => {
    const { bff, chat } = await startConversation();
    await Promise.all([chat.requestHuman(), chat.requestHuman()]);
    await chat.requestHuman();
    expect(bff.calls(HANDOFF)).toHaveLength(1);
  });

  it("the log proves what the lost answer did not", async () => {
    const { bff, chat } = await startConversation();
    bff.script(HANDOFF, () => problem("support_timeout"));
    await chat.requestHuman();
    bff.setHandoff("handoff.requested", { id: "h1", status: "requested" });
    await settle();
    expect(chat.handoffRequest.value.kind).toBe("idle");
  });

  it("is here only when an event says so", async () => {
    const { bff, chat, happenings } = await startConversation();
    await chat.requestHuman();
    bff.setHandoff("handoff.accepted", { id: "handoff-1", status: "accepted", human: { name: "Mira" } });
    bff.setHandoff("handoff.returned", { id: "handoff-1", status: "returned" });
    await settle();
    expect(types(happenings).filter((type) => type.startsWith("handoff."))).toEqual([
      "handoff.requested",
      "handoff.accepted",
      "handoff.returned",
    ]);
  });

  it("wished for before anything was written is asked for after the first message", async () => {
    const { bff, chat } = startChat();
    chat.open();
    expect((await chat.requestHuman())?.code).toBe("no_conversation");
    expect(chat.handoffRequest.value.kind).toBe("afterMessage");
    chat.send("Hello");
    await settle();
    expect(bff.calls(HANDOFF)).toHaveLength(1);
    expect(chat.log.value.conversation?.handoff?.status).toBe("requested");
  });
});

describe("R53 the end", () => {
  it("is shown only when the service verifiably said so; the next message starts anew", async () => {
    const { bff, chat, happenings, time } = await startConversation();
    expect(await chat.endConversation()).toBeUndefined();
    await settle();
    expect(chat.log.value.conversation?.status).toBe("ended");
    expect(types(happenings).filter((type) => type === "conversation.ended")).toHaveLength(1);
    expect(bodies(chat)).toEqual(["Hello"]);
    // What the log says last is heard, though the answer came first.
    expect(bff.openStreams()).toBe(1);
    await time.advance(5_000);
    expect(bff.openStreams()).toBe(0);
    chat.send("One more thing");
    await settle();
    expect(bodies(chat)).toEqual(["One more thing"]);
    expect(chat.log.value.conversation).toMatchObject({ id: "conversation-2", status: "open" });
  });

  const faults = {
    ...FAULTS,
    "another conversation": () => json(200, { conversation: { id: "conversation-9", status: "ended" } }),
    "still open": () => json(200, { conversation: { id: "conversation-1", status: "open" } }),
  };
  for (const [name, fault] of Object.entries(faults)) {
    it(`${name}: could not be confirmed, and the conversation goes on`, async () => {
      const { bff, chat, happenings } = await startConversation();
      bff.script(END, fault);
      expect(await chat.endConversation()).toBeDefined();
      expect(chat.endRequest.value.kind).toBe("failed");
      expect(chat.log.value.conversation?.status).toBe("open");
      expect(types(happenings)).not.toContain("conversation.ended");
      expect(await chat.endConversation()).toBeUndefined();
    });
  }

  it("made elsewhere: the message that meets it starts the next conversation, with its key", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("conversation_ended"));
    if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "ended" };
    chat.send("One more thing");
    await settle();
    expect(bodies(chat)).toEqual(["One more thing"]);
    expect(bff.calls(START).at(-1)?.body.clientMessageId).toBe(
      bff.calls(MESSAGES).at(-1)?.body.clientMessageId,
    );
  });

  it("without a conversation there is nothing to end", async () => {
    const { chat } = startChat();
    expect((await chat.endConversation())?.code).toBe("no_conversation");
  });
});

describe("R26 logout", () => {
  it("clears everything here at once and revokes the session", async () => {
    const { bff, chat, storage } = await startConversation();
    chat.draft.value = "half a thought";
    const done = chat.logout();
    expect(chat.log.value.messages).toEqual([]);
    expect(chat.draft.value).toBe("");
    expect([...storage.map.keys()]).toEqual(["parley.era"]);
    expect(await done).toBeUndefined();
    expect(bff.calls("DELETE /api/session")[0]?.authorization).toMatch(/^Bearer token-1/);
    expect(bff.openStreams()).toBe(0);
  });

  it("that the service did not confirm says so, with nothing left here", async () => {
    const { bff, chat } = await startConversation();
    bff.script("DELETE /api/session", () => new Response(null, { status: 204 }));
    expect((await chat.logout())?.code).toBe("not_confirmed");
    expect(chat.log.value.messages).toEqual([]);
  });

  it("R27 an answer that was under way does not come to light after it", async () => {
    const { bff, chat } = await startConversation();
    let release = (): void => undefined;
    bff.script(MESSAGES, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.send("secret");
    await settle();
    await chat.logout();
    release();
    await settle();
    expect(chat.log.value.messages).toEqual([]);
    expect(chat.log.value.pending).toEqual([]);
  });

  it("R27 a session that was being asked for is not taken after it", async () => {
    const bff = createScriptedBff();
    const { chat, storage } = startChat(bff);
    let release = (): void => undefined;
    bff.script(SESSION, async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.open();
    await settle();
    await chat.logout();
    release();
    await settle();
    expect([...storage.map.keys()]).toEqual(["parley.era"]);
    expect(chat.session.value.kind).toBe("none");
  });
});

describe("R54 the line", () => {
  it("cut and come back: nothing missed, nothing twice", async () => {
    const { bff, chat, time } = await startConversation();
    bff.say("one");
    await settle();
    bff.cutStreams();
    await settle();
    expect(chat.line.value).toBe("waiting");
    bff.say("two");
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "one", "two"]);
    expect(bff.calls(EVENTS).at(-1)?.lastEventId).toBe("e1:3");
  });

  it("R55 reset: the conversation is fetched again and what is new is told", async () => {
    const { bff, chat, time, happenings } = await startConversation();
    const seq = bff.nextSeq();
    bff.signal({ type: "reset", reason: "epoch" });
    bff.record({
      type: "message.created",
      seq,
      at: AT,
      message: { id: "m9", seq, role: "agent", body: "missed", at: AT },
    });
    await time.advance(30_000);
    expect(bodies(chat)).toEqual(["Hello", "missed"]);
    expect(types(happenings).filter((type) => type === "message.received")).toHaveLength(1);
    expect(bff.openStreams()).toBe(1);
  });

  it("R58 401: no more tries on that session, a new one is asked for", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script(EVENTS, () => problem("session_expired"));
    bff.cutStreams();
    await time.advance(30_000);
    expect(bff.calls(SESSION)).toHaveLength(2);
    expect(chat.line.value).toBe("live");
  });

  it("R58 an answer that sends us back at once makes no storm", async () => {
    const { bff, time } = await startConversation();
    bff.script(EVENTS, ...Array.from({ length: 500 }, () => () => problem("no_conversation")));
    bff.cutStreams();
    await time.advance(3_600_000);
    expect(bff.calls(SESSION).length).toBeLessThanOrEqual(260);
  });

  it("R61 put away and brought back: closed in between, and no gap", async () => {
    const { bff, chat } = await startConversation();
    chat.pause();
    await settle();
    expect(bff.openStreams()).toBe(0);
    bff.say("meanwhile");
    chat.wake();
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "meanwhile"]);
    expect(bff.openStreams()).toBe(1);
  });

  it("R37 an event whose parts are not what they should be never reaches the screen", async () => {
    const { bff, chat } = await startConversation();
    const hostile = { type: "img", props: { src: "x", onerror: "alert(1)" } };
    for (const body of [hostile, ["a"], 7, null]) {
      bff.write(
        `data: ${JSON.stringify({ type: "message.created", seq: 7, at: AT, message: { id: "m7", seq: 7, role: "agent", at: AT, body } })}\n\n`,
      );
    }
    bff.write('data: {"type":"from.the.future","seq":8}\n\ndata: not json\n\n');
    bff.say("fine");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "fine"]);
  });

  it("a conversation that another tab started is found when the panel is opened", async () => {
    const { bff, chat, storage } = startChat();
    chat.open();
    await settle();
    const other = startChat(bff, storage);
    other.chat.open();
    other.chat.send("from the other tab");
    await settle();
    chat.close();
    chat.open();
    await settle();
    expect(bodies(chat)).toEqual(["from the other tab"]);
  });
});

describe("TRUTH3 a person who was asked for another conversation", () => {
  it("is not said to be asked for the one that began meanwhile", async () => {
    const { bff, chat, happenings } = await startConversation();
    let answer = (): void => undefined;
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    bff.script("POST /api/conversation/handoff", async () => {
      await answering;
      return json(201, { handoff: { id: "handoff-1", status: "requested" } });
    });
    const asked = chat.requestHuman();
    await settle();
    bff.end();
    await settle();
    chat.send("Something else");
    await settle();
    expect(chat.conversation.value?.id).toBe("conversation-2");
    answer();
    expect((await asked)?.code).toBe("conversation_ended");
    expect(chat.conversation.value?.handoff).toBeUndefined();
    expect(happenings.map(({ type }) => type)).not.toContain("handoff.requested");
  });
});
