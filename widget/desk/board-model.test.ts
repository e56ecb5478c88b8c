import { describe, expect, it } from "vitest";
import { customerName } from "./people.ts";
import { CLAIMS } from "./testing/claims.ts";
import { createKit, openedKit, openedOn, settled, signedInKit, takenKit, until } from "./testing/desk-kit.ts";
import { ANA, at, MIRA, message, rowOf, waiting } from "./testing/samples.ts";
import { FAULTS, problem } from "./testing/scripted-service.ts";
import { texts } from "./texts.ts";

const MESSAGES = `POST /conversations/${ANA}/messages`;

const said = (kit: { board: { said: { value: readonly { text: string }[] } } }) =>
  kit.board.said.value.map(({ text }) => text);

describe("TYPE1 typing a reply", () => {
  const TYPING = `POST /conversations/${ANA}/typing`;

  it("is sent to the customer at most once in three seconds, and failures are not shown", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(TYPING, () => Promise.reject(new TypeError("Failed to fetch")));
    const before = said(kit).length;
    for (const draft of ["", "H", "He", "Hel"]) kit.board.setDraft(draft);
    await settled();
    expect(kit.service.callsOf(TYPING)).toHaveLength(1);
    expect(said(kit)).toHaveLength(before);
    expect(kit.board.doubt.value).toBeUndefined();
  });

  it("is sent again at once after the previous reply was sent", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(TYPING, () => Response.json({ typing: { conversationId: ANA } }));
    kit.board.setDraft("Hello Ana");
    kit.board.reply();
    kit.board.setDraft("And");
    await settled();
    expect(kit.service.callsOf(TYPING)).toHaveLength(2);
  });

  it("DESK2 is not sent by a person who does not have the conversation", async () => {
    const kit = await openedKit(ANA);
    kit.board.setDraft("Hello");
    await settled();
    expect(kit.service.callsOf(TYPING)).toEqual([]);
  });
});

describe("replying", () => {
  it("is sending until the service confirms it, then a message of the log", async () => {
    const kit = await takenKit(ANA);
    const { promise: held, resolve: confirm } = Promise.withResolvers<void>();
    kit.service.script(MESSAGES, async (call) => {
      await held;
      const sent = kit.service.append(ANA, call.body as { clientMessageId: string; body: string });
      return Response.json({ message: sent }, { status: 201 });
    });
    kit.board.setDraft("Hello Ana");
    kit.board.reply();
    await settled();
    expect(kit.board.replies.value).toMatchObject([{ body: "Hello Ana", status: "sending" }]);
    expect(kit.board.drafts.value[ANA]).toBeUndefined();
    expect(said(kit).join()).not.toMatch(/reply sent/i);
    confirm();
    await until(() => kit.board.replies.value.length === 0);
    expect(kit.board.board.value.opened?.messages.at(-1)?.body).toBe("Hello Ana");
    expect(said(kit)).toContain("Reply sent");
  });

  for (const [name, fault] of Object.entries(FAULTS)) {
    it(`${name} leaves it unconfirmed with its text, and nothing claims otherwise`, async () => {
      const kit = await takenKit(ANA);
      kit.service.script(MESSAGES, fault);
      const before = said(kit).length;
      kit.board.setDraft("Hello Ana");
      kit.board.reply();
      await until(() => kit.board.replies.value[0]?.status === "not_confirmed");
      expect(kit.board.replies.value[0]?.body).toBe("Hello Ana");
      expect(said(kit).slice(before).join("\n")).not.toMatch(CLAIMS);
      expect(kit.board.board.value.opened?.messages).toHaveLength(1);
    });
  }

  it("Retry sends the same id, so that a reply that did arrive is stored once", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(MESSAGES, (call) => {
      kit.service.append(ANA, call.body as { clientMessageId: string; body: string });
      return Promise.reject(new TypeError("the answer was lost"));
    });
    kit.board.setDraft("Hello Ana");
    kit.board.reply();
    await until(() => kit.board.replies.value[0]?.status === "not_confirmed");
    await kit.board.retry("reply_1");
    expect(kit.service.callsOf(MESSAGES).map(({ body }) => body)).toEqual([
      { clientMessageId: "reply_1", body: "Hello Ana" },
      { clientMessageId: "reply_1", body: "Hello Ana" },
    ]);
    expect(kit.board.replies.value).toEqual([]);
    expect(kit.board.board.value.opened?.messages).toHaveLength(2);
  });

  it("the log confirms a reply whose answer was lost, by its id and not by its text", async () => {
    const kit = await takenKit(ANA);
    const lost = () => Promise.reject(new TypeError("lost"));
    kit.service.script(MESSAGES, lost, lost);
    for (const text of ["Same words", "Same words"]) {
      kit.board.setDraft(text);
      kit.board.reply();
    }
    await until(() => kit.board.replies.value.every(({ status }) => status === "not_confirmed"));
    const echo = message(4, "human", "Same words", { clientMessageId: "reply_2" });
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 4, at: at(4), message: echo },
    });
    await until(() => kit.board.replies.value.length === 1);
    expect(kit.board.replies.value[0]?.clientMessageId).toBe("reply_1");
    // A customer may choose any id: it confirms nothing.
    const forged = message(5, "customer", "Same words", { clientMessageId: "reply_1" });
    kit.service.push({
      type: "conversation.event",
      conversationId: ANA,
      event: { type: "message.created", seq: 5, at: at(5), message: forged },
    });
    await until(() => kit.board.board.value.opened?.messages.length === 3);
    expect(kit.board.replies.value).toHaveLength(1);
  });

  it("DESK29 two replies are sent in the order in which they were written", async () => {
    const kit = await takenKit(ANA);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    kit.service.script(MESSAGES, async (call) => {
      await held;
      return Response.json({
        message: kit.service.append(ANA, call.body as { clientMessageId: string; body: string }),
      });
    });
    for (const text of ["one", "two"]) {
      kit.board.setDraft(text);
      kit.board.reply();
    }
    await settled();
    expect(kit.service.callsOf(MESSAGES)).toHaveLength(1);
    release();
    await until(() => kit.board.replies.value.length === 0);
    expect(kit.board.board.value.opened?.messages.slice(1).map(({ body }) => body)).toEqual(["one", "two"]);
  });

  it("DESK29 a reply waits for the person where the one before it is not confirmed, and does not overtake it", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(MESSAGES, () => problem("unavailable"));
    for (const text of ["one", "two"]) {
      kit.board.setDraft(text);
      kit.board.reply();
    }
    await until(() => kit.board.replies.value.every(({ status }) => status === "not_confirmed"));
    expect(kit.board.replies.value).toHaveLength(2);
    expect(kit.service.callsOf(MESSAGES)).toHaveLength(1);
  });

  it("DESK29 a reply is sent after one whose file the service no longer has", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(MESSAGES, () => problem("file_gone"));
    for (const text of ["one", "two"]) {
      kit.board.setDraft(text);
      kit.board.reply();
    }
    await until(() => kit.board.replies.value.length === 1);
    expect(kit.board.replies.value).toMatchObject([{ body: "one", status: "not_confirmed" }]);
  });

  it("a text that is empty, too long or has a control character is not sent, and stays", async () => {
    const kit = await takenKit(ANA);
    for (const text of ["  \n", "x".repeat(5001), "a\u0000b"]) {
      kit.board.setDraft(text);
      kit.board.reply();
      expect(kit.board.replies.value).toEqual([]);
      expect(kit.board.drafts.value[ANA]).toBe(text);
    }
    expect(kit.service.callsOf(MESSAGES)).toHaveLength(0);
  });

  it("only unconfirmed replies can be removed", async () => {
    const kit = await takenKit(ANA);
    kit.service.script(MESSAGES, () => problem("unavailable"));
    kit.board.setDraft("Hello");
    kit.board.reply();
    kit.board.remove("reply_1");
    expect(kit.board.replies.value).toHaveLength(1);
    await until(() => kit.board.replies.value[0]?.status === "not_confirmed");
    kit.board.remove("reply_1");
    expect(kit.board.replies.value).toEqual([]);
  });
});

describe("taking, handing back, resolving", () => {
  const actions = [
    ["take", "take", () => openedKit(ANA)],
    ["giveBack", "return", () => takenKit(ANA)],
    ["resolve", "resolve", () => takenKit(ANA)],
  ] as const;
  for (const [action, path, start] of actions) {
    for (const [name, fault] of Object.entries(FAULTS)) {
      it(`${action}: ${name} is reported and changes nothing on the screen`, async () => {
        const kit = await start();
        const state = kit.board.board.value.opened?.state;
        const before = said(kit).length;
        kit.service.script(`POST /conversations/${ANA}/${path}`, fault);
        await kit.board[action]();
        expect(kit.board.doubt.value).toMatchObject({ action, conversationId: ANA });
        expect(kit.board.board.value.opened?.state).toBe(state);
        expect(said(kit).slice(before).join("\n")).not.toMatch(CLAIMS);
        expect(kit.board.busy.value).toEqual({});
      });
    }
  }

  it("the warning disappears when a later reading shows that the action happened", async () => {
    const kit = await openedKit(ANA);
    kit.service.script(`POST /conversations/${ANA}/take`, () => {
      kit.service.change(ANA, {
        state: "taken",
        takenBy: { id: "usr_sam", name: "Sam Okafor" },
        lastSeq: 4,
      });
      return Promise.reject(new TypeError("the answer was lost"));
    });
    await kit.board.take();
    expect(kit.board.doubt.value).toBeUndefined();
    expect(kit.board.isMine.value).toBe(true);
  });

  it("when a colleague was faster, their name is shown and they have it", async () => {
    const kit = await openedKit(ANA);
    kit.service.script(`POST /conversations/${ANA}/take`, () => {
      kit.service.change(ANA, { state: "taken", takenBy: MIRA, lastSeq: 4 });
      return problem("handoff_unavailable", { detail: "Mira Chen has taken this conversation." });
    });
    await kit.board.take();
    expect(kit.board.doubt.value?.failure.detail).toBe("Mira Chen has taken this conversation.");
    expect(kit.board.isMine.value).toBe(false);
    expect(kit.board.board.value.opened?.takenBy).toEqual(MIRA);
  });

  it("a refusal that names a colleague disappears when they hand the conversation back", async () => {
    const kit = await openedKit(ANA);
    kit.service.script(`POST /conversations/${ANA}/take`, () => {
      kit.service.change(ANA, { state: "taken", takenBy: MIRA, lastSeq: 4 });
      return problem("handoff_unavailable", { detail: "Mira Chen has taken this conversation." });
    });
    await kit.board.take();
    const { takenBy: _, ...free } = kit.service.change(ANA, { state: "agent", lastSeq: 5 });
    kit.service.push({ type: "queue.changed", conversation: rowOf(free) });
    await settled();
    expect(kit.board.board.value.opened?.state).toBe("agent");
    expect(kit.board.doubt.value).toBeUndefined();
  });

  it("each one works, and twice at once counts once", async () => {
    const kit = await openedKit(ANA);
    await Promise.all([kit.board.take(), kit.board.take()]);
    expect(kit.service.callsOf(`POST /conversations/${ANA}/take`)).toHaveLength(1);
    expect(kit.board.isMine.value).toBe(true);
    await kit.board.giveBack();
    expect(kit.board.board.value.opened?.state).toBe("agent");
    kit.service.change(ANA, { state: "waiting" });
    await kit.board.take();
    await kit.board.resolve();
    expect(kit.board.board.value.opened?.status).toBe("ended");
    expect(said(kit)).toEqual(
      expect.arrayContaining([
        "This conversation is now assigned to you",
        "Handed back to the AI agent",
        "Resolved. You can undo it for ten seconds.",
      ]),
    );
  });
});

describe("live", () => {
  it("a newly waiting customer is announced once; one who was waiting before is not", async () => {
    const kit = await signedInKit();
    expect(said(kit)).toEqual([]);
    const jo = waiting({ id: "cnv_jo", customer: { externalId: "anon_1", identified: false, traits: {} } });
    const row = rowOf(jo);
    kit.service.push({ type: "queue.changed", conversation: row });
    kit.service.push({ type: "queue.changed", conversation: { ...row, preview: "more", lastSeq: 4 } });
    await until(() => kit.board.waitingCount.value === "2");
    await settled();
    expect(said(kit)).toEqual([`New customer waiting: ${customerName(jo.customer)}`]);
    expect(kit.desk.title.value).toBe("(2) Parley desk");
  });

  it("a customer's message in the open conversation is announced once", async () => {
    const kit = await openedKit(ANA);
    const event = {
      type: "conversation.event" as const,
      conversationId: ANA,
      event: {
        type: "message.created" as const,
        seq: 4,
        at: at(4),
        message: message(4, "customer", "Hello?"),
      },
    };
    kit.service.push(event);
    kit.service.push(event);
    await until(() => kit.board.board.value.opened?.messages.length === 2);
    await settled();
    expect(said(kit)).toEqual(["Ana Ruiz: Hello?"]);
  });

  it("a customer who ends the open conversation is announced each time, also after it was reopened", async () => {
    const kit = await openedKit(ANA);
    const happened = [
      { type: "conversation.ended", by: "customer", seq: 4 },
      { type: "conversation.reopened", seq: 5 },
      { type: "conversation.ended", by: "human", seq: 6 },
      { type: "conversation.reopened", seq: 7 },
      { type: "conversation.ended", by: "customer", seq: 8 },
    ] as const;
    for (const event of happened)
      kit.service.push({
        type: "conversation.event",
        conversationId: ANA,
        event: { ...event, at: at(event.seq) },
      });
    await until(() => kit.board.board.value.opened?.lastSeq === 8);
    await settled();
    expect(said(kit)).toEqual(["Ana Ruiz ended the conversation", "Ana Ruiz ended the conversation"]);
  });

  it("events missed during a disconnection are read on reconnecting, once and in order", async () => {
    const kit = await openedKit(ANA);
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.service.change(ANA, {
      lastSeq: 5,
      messages: [
        message(2, "customer", "My lamp is broken"),
        message(4, "customer", "one"),
        message(5, "customer", "two"),
      ],
    });
    kit.timers.advance(500);
    await until(() => kit.board.board.value.opened?.messages.length === 3);
    expect(said(kit)).toEqual(
      expect.arrayContaining(["Ana Ruiz: one", "Ana Ruiz: two", "Live updates are back."]),
    );
    // Control: the disconnection itself delivered nothing.
    expect(kit.service.callsOf("GET /events")).toHaveLength(2);
  });

  it("calls that get no answer beside a live stream are not announced again and again, a lost stream once", async () => {
    const kit = await openedKit(ANA);
    const typing = { type: "typing.started", role: "customer" } as const;
    const beat = () => kit.service.push({ type: "conversation.event", conversationId: ANA, event: typing });
    beat();
    await until(() => kit.board.board.value.typing.has(ANA));
    const fail = () => Promise.reject(new TypeError("Failed to fetch"));
    for (const _ of [1, 2]) {
      kit.service.script("GET /conversations", fail);
      await kit.board.readQueue();
      expect(kit.board.connection.value).toBe("waiting");
      beat();
      await until(() => kit.board.connection.value === "live");
    }
    expect(said(kit)).toEqual([]);
    kit.service.script("GET /conversations", fail);
    await kit.board.readQueue();
    kit.service.breakLines();
    await until(() => said(kit).length > 0);
    expect(said(kit)).toEqual([texts.said.reconnecting]);
    expect(kit.board.board.value.typing.has(ANA)).toBe(false);
  });

  it("DESK27 a reading that fails after a reconnection is repeated while the connection is live", async () => {
    const kit = await openedKit(ANA);
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.service.state.conversations.push(waiting({ id: "cnv_jo" }));
    kit.service.change(ANA, {
      lastSeq: 4,
      messages: [message(2, "customer", "My lamp is broken"), message(4, "customer", "one")],
    });
    for (const route of ["GET /conversations", `GET /conversations/${ANA}`])
      kit.service.script(route, () => problem("unavailable"));
    kit.timers.advance(500);
    await until(() => kit.board.connection.value === "live");
    await settled();
    kit.timers.advance(10_000);
    await until(() => kit.board.waitingCount.value === "2");
    await until(() => kit.board.board.value.opened?.messages.length === 2);
    kit.timers.advance(10_000);
    await settled();
    // Control: a reading that succeeded is not repeated.
    expect(kit.service.callsOf("GET /conversations")).toHaveLength(3);
  });

  it("OPS4 after a restore the queue and the open conversation are those of the restored log", async () => {
    const start = createKit();
    const lamp = message(2, "customer", "My lamp is broken");
    const lost = message(4, "customer", "after the backup");
    start.service.change(ANA, { lastSeq: 4, seenSeq: 4, messages: [lamp, lost] });
    const kit = await openedOn(start, ANA);
    kit.board.setDraft("Hello Ana");
    kit.service.breakLines();
    await until(() => kit.board.connection.value === "waiting");
    kit.service.state.epoch = "restored";
    kit.service.change(ANA, { lastSeq: 3, seenSeq: 2, messages: [lamp] });
    kit.timers.advance(500);
    await until(() => kit.board.connection.value === "live");
    await settled();
    const next = { ...message(4, "customer", "after the restore"), id: "msg_next" };
    const event = { type: "message.created" as const, seq: 4, at: at(4), message: next };
    kit.service.push({ type: "conversation.event", conversationId: ANA, event });
    await settled();
    const { opened, queue } = kit.board.board.value;
    expect(opened?.messages.map(({ body }) => body)).toEqual(["My lamp is broken", "after the restore"]);
    expect(queue.map(({ id, seenSeq }) => [id, seenSeq])).toEqual([[ANA, 2]]);
    expect(kit.board.drafts.value[ANA]).toBe("Hello Ana");
    expect(said(kit)).toContain("Live updates are back.");
  });

  it("an event after a gap makes the desk read the log again", async () => {
    const kit = await openedKit(ANA);
    kit.service.change(ANA, {
      lastSeq: 5,
      messages: [
        message(2, "customer", "My lamp is broken"),
        message(4, "customer", "one"),
        message(5, "customer", "two"),
      ],
    });
    const event = {
      type: "message.created" as const,
      seq: 5,
      at: at(5),
      message: message(5, "customer", "two"),
    };
    kit.service.push({ type: "conversation.event", conversationId: ANA, event });
    await until(() => kit.board.board.value.opened?.messages.length === 3);
    expect(kit.board.board.value.opened?.messages.map(({ seq }) => seq)).toEqual([2, 4, 5]);
  });

  it("the answer for a conversation that was left meanwhile is not shown in the next one", async () => {
    const kit = await signedInKit();
    kit.service.state.conversations.push(waiting({ id: "cnv_jo", lastSeq: 7 }));
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    kit.service.script(`GET /conversations/${ANA}`, async () => {
      await held;
      return Response.json(waiting());
    });
    kit.board.open(ANA);
    kit.board.open("cnv_jo");
    await until(() => kit.board.board.value.opened?.id === "cnv_jo");
    release();
    await settled();
    expect(kit.board.board.value.opened?.id).toBe("cnv_jo");
  });

  it("a queue and a conversation that can't be read say so, and can be read again", async () => {
    const kit = await signedInKit();
    kit.service.script(`GET /conversations/${ANA}`, () => problem("unavailable"));
    kit.board.open(ANA);
    await until(() => kit.board.openedReading.value === "unavailable");
    kit.board.readAgain();
    await until(() => kit.board.openedReading.value === "ready");
    expect(kit.board.board.value.opened?.id).toBe(ANA);
  });

  it("DESK28 each conversation keeps its own draft", async () => {
    const kit = await takenKit(ANA);
    kit.service.state.conversations.push(waiting({ id: "cnv_jo" }));
    kit.board.setDraft("for Ana");
    kit.board.open("cnv_jo");
    kit.board.setDraft("for Jo");
    expect(kit.board.drafts.value).toEqual({ [ANA]: "for Ana", cnv_jo: "for Jo" });
  });

  it("announcements are removed again, so that nobody finds them later", async () => {
    const kit = await takenKit(ANA);
    expect(said(kit)).not.toEqual([]);
    kit.timers.advance(7000);
    expect(said(kit)).toEqual([]);
  });
});
