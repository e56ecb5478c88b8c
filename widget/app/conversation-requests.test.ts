// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { Chat } from "./chat.ts";
import { settle } from "./testing/manual-time.ts";
import { FAULTS, json, problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation, types } from "./testing/start-chat.ts";
import { bodies } from "./testing/start-network.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const HANDOFF = "POST /api/conversation/handoff";
const END = "DELETE /api/conversation";

describe("a person", () => {
  it("counts as asked for only when the service verifiably said so", async () => {
    const { bff, chat, happenings } = await startConversation();
    expect(await chat.conversation.requestHuman("refund")).toBeUndefined();
    expect(bff.calls(HANDOFF)[0]?.query).toBe("?conversationId=conversation-1");
    await settle();
    expect(chat.conversation.log.value.conversation?.handoff?.status).toBe("requested");
    expect(types(happenings).filter((type) => type === "handoff.requested")).toHaveLength(1);
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`${name}: not confirmed, and the request can be repeated`, async () => {
      const { bff, chat, happenings } = await startConversation();
      bff.script(HANDOFF, fault);
      expect(await chat.conversation.requestHuman()).toBeDefined();
      expect(chat.conversation.handoffRequest.value.kind).toBe("failed");
      expect(chat.conversation.log.value.conversation?.handoff).toBeUndefined();
      expect(types(happenings)).not.toContain("handoff.requested");
      expect(await chat.conversation.requestHuman()).toBeUndefined();
      expect(chat.conversation.handoffRequest.value.kind).toBe("idle");
    });
  }

  it("counts as asked for after the verified answer, before any event reports it", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.script(HANDOFF, () => json(201, { handoff: { id: "h7", status: "requested" } }));
    expect(await chat.conversation.requestHuman()).toBeUndefined();
    expect(chat.conversation.log.value.conversation?.handoff).toEqual({ id: "h7", status: "requested" });
    expect(types(happenings)).toContain("handoff.requested");
  });

  it("requested twice at once is requested once", async () => {
    const { bff, chat } = await startConversation();
    await Promise.all([chat.conversation.requestHuman(), chat.conversation.requestHuman()]);
    await chat.conversation.requestHuman();
    expect(bff.calls(HANDOFF)).toHaveLength(1);
  });

  it("the log proves what the lost answer did not", async () => {
    const { bff, chat } = await startConversation();
    bff.script(HANDOFF, () => problem("support_timeout"));
    await chat.conversation.requestHuman();
    bff.setHandoff("requested");
    await settle();
    expect(chat.conversation.handoffRequest.value.kind).toBe("idle");
  });

  it("has joined only when an event says so", async () => {
    const { bff, chat, happenings } = await startConversation();
    await chat.conversation.requestHuman();
    bff.setHandoff("accepted", "Mira");
    bff.setHandoff("returned");
    await settle();
    expect(types(happenings).filter((type) => type.startsWith("handoff."))).toEqual([
      "handoff.requested",
      "handoff.accepted",
      "handoff.returned",
    ]);
  });

  it("requested before the first message is requested after it, also again, with the page's reason", async () => {
    const { bff, chat } = startChat();
    chat.open();
    bff.script(HANDOFF, FAULTS["500 problem"] ?? (() => json(500, {})));
    expect((await chat.conversation.requestHuman("refund"))?.code).toBe("no_conversation");
    expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    chat.outbox.send("Hello");
    await settle();
    expect(chat.conversation.handoffRequest.value.kind).toBe("failed");
    await chat.conversation.requestHuman();
    expect(bff.calls(HANDOFF).map(({ body }) => body)).toEqual([{ reason: "refund" }, { reason: "refund" }]);
    expect(chat.conversation.log.value.conversation?.handoff?.status).toBe("requested");
  });
});

describe("a conversation that the session brings", () => {
  it("gets the person who was asked for before the session answered", async () => {
    const { bff, storage } = await startConversation();
    const { chat } = startChat(bff, storage);
    chat.open();
    expect(await chat.conversation.requestHuman("refund")).toBeUndefined();
    expect(bff.calls(HANDOFF).map(({ body }) => body)).toEqual([{ reason: "refund" }]);
    expect(chat.conversation.log.value.conversation?.handoff?.status).toBe("requested");
  });

  it("that already waits for a person promises no second one", async () => {
    const { bff, storage } = await startConversation();
    bff.setHandoff("requested");
    const { chat } = startChat(bff, storage);
    chat.open();
    expect(await chat.conversation.requestHuman()).toBeUndefined();
    expect(chat.conversation.handoffRequest.value.kind).toBe("idle");
    expect(bff.calls(HANDOFF)).toEqual([]);
  });

  it.each(["before", "after"])(
    "is not shown as lost, if the loss of the former one was found %s it came",
    async (when) => {
      const { bff, chat, storage } = await startConversation();
      const answer = Promise.withResolvers<Response>();
      bff.script(END, () => answer.promise);
      const ended = chat.conversation.end();
      const fail = async () => {
        answer.resolve(problem("no_conversation"));
        expect((await ended)?.code).toBe("no_conversation");
      };
      if (when === "before") {
        await fail();
        expect(chat.conversation.isLost.value, "control").toBe(true);
      }
      bff.state.conversation = null;
      const other = startChat(bff, storage).chat;
      other.open();
      other.outbox.send("From another tab");
      await settle();
      await chat.session.refresh();
      await fail();
      expect([chat.conversation.current.value?.id, chat.conversation.isLost.value]).toEqual([
        "conversation-2",
        false,
      ]);
    },
  );
});

describe("a request for a conversation that is over meanwhile, of which no event came", () => {
  const REQUESTS = {
    "a hand-off": [HANDOFF, (chat: Chat) => chat.conversation.requestHuman("refund")],
    "an end": [END, (chat: Chat) => chat.conversation.end()],
  } as const;
  it.each(Object.entries(REQUESTS))(
    "a retry of %s shows the one that another device began",
    async (_, [route, request]) => {
      const { bff, chat } = await startConversation();
      bff.script(route, ...[1, 2].map(() => () => problem("not_confirmed")));
      await request(chat);
      bff.goOnElsewhere();
      expect((await request(chat))?.code).toBe("not_confirmed");
      expect(bff.calls(route).at(-1)?.query).toBe("?conversationId=conversation-1");
      expect(chat.conversation.current.value).toMatchObject({ id: "conversation-2", status: "open" });
      const { handoffRequest, endRequest } = chat.conversation;
      expect([handoffRequest.value.kind, endRequest.value.kind]).toEqual(["idle", "idle"]);
    },
  );

  it("TRUTH3 a person is asked for after the next message if the conversation has ended", async () => {
    const { bff, chat, happenings } = await startConversation();
    bff.script(HANDOFF, () => problem("conversation_ended"));
    if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "ended" };
    expect((await chat.conversation.requestHuman("refund"))?.code).toBe("no_conversation");
    expect(chat.conversation.current.value?.status).toBe("ended");
    expect(chat.conversation.handoffRequest.value.kind).toBe("afterMessage");
    expect(types(happenings)).toContain("said");
    chat.outbox.send("One more thing");
    await settle();
    expect(bff.calls(HANDOFF).at(-1)).toMatchObject({
      body: { reason: "refund" },
      query: "?conversationId=conversation-2",
    });
  });
});

it("a conversation that the session brings ended is not shown as lost either", async () => {
  const { bff, chat } = await startConversation();
  bff.script(END, () => problem("no_conversation"));
  await chat.conversation.end();
  expect(chat.conversation.isLost.value, "control").toBe(true);
  bff.goOnElsewhere();
  if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "ended" };
  await chat.session.refresh();
  expect([chat.conversation.current.value?.status, chat.conversation.isLost.value]).toEqual(["ended", false]);
});

describe("TRUTH3 a person who was asked for in another conversation", () => {
  it("is not shown as asked for in the one that began meanwhile", async () => {
    const { bff, chat, happenings } = await startConversation();
    let answer = (): void => undefined;
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    bff.script("POST /api/conversation/handoff", async () => {
      await answering;
      return json(201, { handoff: { id: "handoff-1", status: "requested" } });
    });
    const asked = chat.conversation.requestHuman();
    await settle();
    bff.end();
    await settle();
    chat.outbox.send("Something else");
    await settle();
    expect(chat.conversation.current.value?.id).toBe("conversation-2");
    answer();
    expect((await asked)?.code).toBe("conversation_ended");
    expect(chat.conversation.current.value?.handoff).toBeUndefined();
    expect(happenings.map(({ type }) => type)).not.toContain("handoff.requested");
  });
});

describe("IDENT10 a request that is under way at its customer's logout", () => {
  /** A conversation whose next request is answered late. `leave` logs out and starts the next visitor's. */
  async function startRequest() {
    const started = await startConversation();
    const { bff, chat } = started;
    let answer: (given: Response) => void = () => undefined;
    const answering = new Promise<Response>((resolve) => {
      answer = resolve;
    });
    const request = <T>(route: string, ask: () => Promise<T>) => {
      bff.script(route, () => answering);
      return ask();
    };
    const leave = async () => {
      await settle();
      void chat.identity.logout();
      bff.state.conversation = null;
      chat.outbox.send("I am somebody else");
      await settle();
    };
    return { ...started, request, leave, answer };
  }

  it("is neither shown nor announced to the next customer", async () => {
    const { chat, happenings, request, leave, answer } = await startRequest();
    const asked = request(HANDOFF, () => chat.conversation.requestHuman());
    await leave();
    answer(problem("support_timeout"));
    expect((await asked)?.code).toBe("support_timeout");
    expect(chat.conversation.handoffRequest.value.kind).toBe("idle");
    expect(types(happenings)).not.toContain("failed");
  });

  it("to end the conversation is neither shown nor announced to the next customer", async () => {
    const { chat, happenings, request, leave, answer } = await startRequest();
    const asked = request(END, chat.conversation.end);
    await leave();
    answer(problem("support_timeout"));
    await asked;
    expect(chat.conversation.endRequest.value.kind).toBe("idle");
    expect(types(happenings)).not.toContain("failed");
  });

  it("does not let the next customer's own request be sent twice", async () => {
    const { bff, chat, request, leave, answer } = await startRequest();
    const asked = request(HANDOFF, () => chat.conversation.requestHuman());
    await leave();
    bff.script(HANDOFF, () => new Promise<Response>(() => undefined));
    void chat.conversation.requestHuman();
    answer(problem("support_timeout"));
    await asked;
    void chat.conversation.requestHuman();
    await settle();
    expect(chat.conversation.handoffRequest.value.kind).toBe("asking");
    expect(bff.calls(HANDOFF)).toHaveLength(2);
  });
});

describe("the end", () => {
  it("is shown only when the service verifiably said so; the next message starts a new conversation", async () => {
    const { bff, chat, happenings, time } = await startConversation();
    expect(await chat.conversation.end()).toBeUndefined();
    await settle();
    expect(chat.conversation.log.value.conversation?.status).toBe("ended");
    expect(types(happenings).filter((type) => type === "conversation.ended")).toHaveLength(1);
    expect(bodies(chat)).toEqual(["Hello"]);
    // The log's last event is still received, although the answer came first.
    expect(bff.openStreams()).toBe(1);
    chat.close();
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
    chat.outbox.send("One more thing");
    await settle();
    expect(bodies(chat)).toEqual(["One more thing"]);
    expect(chat.conversation.log.value.conversation).toMatchObject({ id: "conversation-2", status: "open" });
  });

  const faults = {
    ...FAULTS,
    "another conversation": () => json(200, { conversation: { id: "conversation-9", status: "ended" } }),
    "still open": () => json(200, { conversation: { id: "conversation-1", status: "open" } }),
  };
  for (const [name, fault] of Object.entries(faults)) {
    it(`${name}: not confirmed, and the conversation continues`, async () => {
      const { bff, chat, happenings } = await startConversation();
      bff.script(END, fault);
      expect(await chat.conversation.end()).toBeDefined();
      expect(chat.conversation.endRequest.value.kind).toBe("failed");
      expect(chat.conversation.log.value.conversation?.status).toBe("open");
      expect(types(happenings)).not.toContain("conversation.ended");
      expect(bff.calls(END)[0]?.query).toBe("?conversationId=conversation-1");
      expect(await chat.conversation.end()).toBeUndefined();
    });
  }

  it.each([
    ["LONG3 a full conversation", "conversation_full"],
    ["an end caused elsewhere", "conversation_ended"],
  ] as const)("%s: the message that meets it starts the next conversation, with its key", async (_, code) => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem(code));
    if (bff.state.conversation) bff.state.conversation = { ...bff.state.conversation, status: "ended" };
    chat.outbox.send("One more thing");
    await settle();
    expect(bodies(chat)).toEqual(["One more thing"]);
    expect(chat.conversation.log.value).toMatchObject({
      pending: [],
      conversation: { id: "conversation-2", status: "open" },
    });
    expect(bff.calls(START).at(-1)?.body.clientMessageId).toBe(
      bff.calls(MESSAGES).at(-1)?.body.clientMessageId,
    );
  });

  it("without a conversation there is nothing to end", async () => {
    const { chat } = startChat();
    expect((await chat.conversation.end())?.code).toBe("no_conversation");
  });
});
