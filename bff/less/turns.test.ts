import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import type { LoggedEvent } from "../../shared/event.ts";
import { createSqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { createTestBff, dataOf, problemOf, readBlocks } from "../testing/test-bff.ts";
import { createTestClock, settle } from "../testing/test-clock.ts";
import { completed, delta, type TurnLine, withTurnLines } from "../testing/turn-lines.ts";
import { createFeeds, type Feeds } from "./feeds.ts";

const HELLO = { clientMessageId: "k1", body: "Where is my parcel?" };

/** A BFF with a service that has turns and no events, and one customer's session. */
async function open(change: (store: Store) => Store = (store) => store) {
  const service = createFakeService({ kind: "turns" });
  const lines = withTurnLines(service);
  const clock = createTestClock();
  const store = change(createSqliteStore(":memory:", { clock }));
  const bff = createTestBff({ service, clock, store });
  const { token, customer } = await bff.startSession();
  const line = (index: number): TurnLine => {
    const found = lines[index];
    if (!found) throw new Error(`no turn ${index}`);
    return found;
  };
  const send = (message: { clientMessageId: string; body: string }) =>
    bff.post("/api/conversation/messages", message, token);
  /** The first message of a conversation, whose answer has begun. */
  const begin = async () => {
    const answer = bff.post("/api/conversation", HELLO, token);
    await settle();
    line(0).send(delta("It "));
    await settle();
    return answer;
  };
  const snapshot = async () => {
    const answer = await bff.post("/api/session", {}, token);
    return ((await answer.json()) as { conversation: Snapshot }).conversation;
  };
  const events = async (count: number, lastEventId = "") => {
    const answer = await bff.request("GET", "/api/conversation/events", {
      token,
      headers: { "last-event-id": lastEventId },
    });
    return (await readBlocks(answer, count)).map(dataOf) as (LoggedEvent & Record<string, unknown>)[];
  };
  return {
    service,
    clock,
    bff,
    token,
    customer: customer.externalId,
    line,
    lines,
    send,
    begin,
    snapshot,
    events,
  };
}

interface Snapshot {
  id: string;
  epoch: string;
  lastSeq: number;
  messages: { id: string; seq: number; role: string; body: string; incomplete?: boolean; notice?: string }[];
  actions?: object[];
  suggestion?: object;
  handoff?: object;
}
const said = ({ messages }: Snapshot) =>
  messages.map(({ role, body, incomplete, notice }) => [
    role,
    notice ?? body,
    ...(incomplete ? ["cut"] : []),
  ]);

describe("turns without events: quick replies", () => {
  const choices = [
    { id: "1", label: "Returns", send: "How do I return something?" },
    { id: "2", choice: "handoff" },
  ];

  it("belong to the message that completes after them, live and in the snapshot, with only the known fields", async () => {
    const { begin, line, events, snapshot } = await open();
    await begin();
    line(0).send({ type: "choices", choices: choices.map((choice) => ({ ...choice, secret: "canary" })) });
    line(0).send(completed("Which one?"));
    line(0).end();
    await settle();
    const [, , answer] = await events(3);
    expect(answer?.["message"]).toMatchObject({ body: "Which one?", choices });
    const { messages } = await snapshot();
    expect(messages.at(-1)).toMatchObject({ body: "Which one?", choices });
    expect(JSON.stringify([answer, messages])).not.toContain("canary");
  });

  it.each([
    ["more than six", Array.from({ length: 7 }, (_, index) => ({ ...choices[0], id: `${index}` }))],
    ["one without a label", [{ id: "1", send: "x" }]],
    ["one that does nothing", [{ id: "1", label: "x" }]],
    ["one that does something unknown", [{ id: "1", label: "x", choice: "refund" }]],
  ])("%s: the list is left out, and the answer stays", async (_, faulty) => {
    const { begin, line, snapshot } = await open();
    await begin();
    line(0).send({ type: "choices", choices: faulty }, completed("Which one?"));
    line(0).end();
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last?.body).toBe("Which one?");
    expect(last).not.toHaveProperty("choices");
  });

  it("are left out of an incomplete answer", async () => {
    const { begin, line, snapshot } = await open();
    await begin();
    line(0).send({ type: "choices", choices });
    line(0).cut();
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last).toMatchObject({ body: "It ", incomplete: true });
    expect(last).not.toHaveProperty("choices");
  });
});

describe("LONG3 the log of a service without events", () => {
  it.each([
    ["", false, 11],
    [", and half as many again with a person", true, 16],
  ])(
    "takes messages up to its bound%s; a repeated one is confirmed, and the next conversation takes the rest",
    async (_, hasPerson, most) => {
      const { begin, bff, token, line, lines, send, snapshot, service } = await open();
      await begin();
      line(0).send(completed("It is on its way."));
      line(0).end();
      await settle();
      if (hasPerson) await bff.post("/api/conversation/handoff", {}, token);
      let count = 0;
      const sendLong = async () => {
        count += 1;
        const taken = send({ clientMessageId: `long-${count}`, body: "?".repeat(5000) });
        await settle();
        lines[count]?.send(completed("!".repeat(20_000)));
        lines[count]?.end();
        await settle();
        return taken;
      };
      const statuses: number[] = [];
      while (statuses.at(-1) !== 409) statuses.push((await sendLong()).status);
      expect(statuses).toEqual([...Array(most).fill(201), 409]);
      expect((await send({ clientMessageId: "long-1", body: "?".repeat(5000) })).status).toBe(201);
      service.answer("conversations", () => json({ conversation: { id: "conv-2", status: "open" } }, 201));
      const started = bff.post("/api/conversation", { clientMessageId: "next", body: "More" }, token);
      await settle();
      lines.at(-1)?.send(completed("Here."));
      expect((await started).status).toBe(201);
      expect((await snapshot()).id).toBe("conv-2");
    },
  );
});

describe("turns without events: a message", () => {
  it("is confirmed by the first event of the answer, and not before", async () => {
    const { bff, token, line, snapshot, service } = await open();
    let isAnswered = false;
    const answer = bff.post("/api/conversation", HELLO, token).finally(() => {
      isAnswered = true;
    });
    await settle();
    expect(line(0).accept).toBe("application/x-ndjson");
    line(0).send({ type: "usage", tokens: 1 }, { type: "response.mood", mood: "sunny" });
    await settle();
    expect([isAnswered, (await snapshot()).messages]).toEqual([false, []]);
    line(0).send(delta("It "));
    const taken = await answer;
    expect(taken.status).toBe(201);
    expect(await taken.json()).toMatchObject({
      conversation: { id: [...service.conversations.keys()][0], status: "open" },
      message: { seq: 2, clientMessageId: "k1", role: "customer", body: HELLO.body },
    });
  });

  it.each([
    ["a stream that ends without a word", (line: TurnLine) => line.end()],
    ["a stream that is cut", (line: TurnLine) => line.cut()],
    [
      "an error for a first word",
      (line: TurnLine) => {
        line.send({ type: "error", code: "x", message: "canary" });
        line.end();
      },
    ],
    [
      "half a line",
      (line: TurnLine) => {
        line.write('{"type":"response.del');
        line.end();
      },
    ],
    [
      "a page",
      (line: TurnLine) => {
        line.write("<p>Message sent</p>\n");
        line.end();
      },
    ],
    ["a line without an end", (line: TurnLine) => line.write("x".repeat(256 * 1024 + 1))],
    ["bytes that are no text", (line: TurnLine) => line.write(new Uint8Array([0xff, 0x0a]))],
  ])("%s confirms nothing, and the same key may be tried again", async (_, fault) => {
    const { begin, line, send, snapshot, bff } = await open();
    await begin();
    line(0).send(completed("It is on its way."));
    line(0).end();
    await settle();
    const second = { clientMessageId: "k2", body: "Since when?" };
    const lost = send(second);
    await settle();
    fault(line(1));
    expect(await problemOf(await lost)).toBe("502 not_confirmed");
    expect((await snapshot()).messages).toHaveLength(2);
    const again = send(second);
    await settle();
    line(2).send(completed("Since Monday."));
    expect((await again).status).toBe(201);
    expect(line(2).clientMessageId).toBe("k2");
    expect(bff.answered.join("")).not.toContain("canary");
  });

  it.each([
    ["202", () => new Response("", { status: 202, headers: { "content-type": "application/x-ndjson" } })],
    ["an HTML page", () => new Response("<p>Sent", { headers: { "content-type": "text/html" } })],
    ["JSON that is nothing", () => json({}, 201)],
    ["JSON of another key", () => json({ message: { id: "m", seq: 1, clientMessageId: "other" } }, 201)],
  ])("%s instead of a stream confirms nothing", async (_, answer) => {
    const { bff, token, service } = await open();
    service.answer("turns", answer);
    expect(await problemOf(await bff.post("/api/conversation", HELLO, token))).toBe("502 not_confirmed");
  });

  it("may be confirmed by JSON if no answer streams", async () => {
    const { bff, token, service, snapshot } = await open();
    service.answer("turns", () => json({ message: { id: "m", seq: 7, clientMessageId: "k1" } }, 201));
    expect((await bff.post("/api/conversation", HELLO, token)).status).toBe(201);
    expect(said(await snapshot())).toEqual([["customer", HELLO.body]]);
  });

  it("is confirmed from the log by its key, and not sent again", async () => {
    const { begin, line, send, lines } = await open();
    const first = (await (await begin()).json()) as { message: object };
    expect(await (await send(HELLO)).json()).toEqual({ message: first.message });
    line(0).end();
    await settle();
    expect(await (await send(HELLO)).json()).toEqual({ message: first.message });
    expect(await problemOf(await send({ ...HELLO, body: "Another" }))).toBe("422 key_reused");
    expect(lines).toHaveLength(1);
  });

  it("LESS5 a late confirmation is a timeout, and the answer still reaches the log", async () => {
    const { bff, token, clock, line, lines, snapshot } = await open();
    const late = bff.post("/api/conversation", HELLO, token);
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await late)).toBe("504 support_timeout");
    const again = bff.post("/api/conversation", HELLO, token);
    await settle();
    line(0).send(completed("Here."));
    expect((await again).status).toBe(201);
    await settle();
    expect(lines).toHaveLength(1);
    expect(said(await snapshot())).toEqual([
      ["customer", HELLO.body],
      ["agent", "Here."],
    ]);
  });

  it("LESS5 waits for the end of the running turn, one at a time", async () => {
    const { begin, line, lines, send, clock } = await open();
    await begin();
    const second = send({ clientMessageId: "k2", body: "And?" });
    await settle();
    expect(lines).toHaveLength(1);
    line(0).end();
    await settle();
    line(1).send(delta("And "));
    expect((await second).status).toBe(201);
    const third = send({ clientMessageId: "k3", body: "Well?" });
    await settle();
    await clock.advance(8001);
    expect(await problemOf(await third)).toBe("409 in_flight");
  });
});

describe("turns without events: the answer", () => {
  it("reaches followers live, is complete in the log, and resumes at any position", async () => {
    const { begin, line, snapshot, events } = await open();
    await begin();
    const followed = events(5);
    await settle();
    line(0).send(delta("is "), { type: "citation", citationId: "c1", title: "Shipping" });
    line(0).send(completed("It is on its way."));
    line(0).end();
    const seen = await followed;
    expect(seen.map(({ type }) => type)).toEqual([
      "conversation.started",
      "message.created",
      "response.snapshot",
      "response.delta",
      "message.created",
    ]);
    expect(seen[2]).toMatchObject({ text: "It " });
    expect(seen[4]).toMatchObject({
      seq: 3,
      message: { role: "agent", body: "It is on its way.", citations: [{ title: "Shipping" }] },
    });
    expect((seen[4] as unknown as { message: { id: string } }).message.id).toBe(seen[2]?.["messageId"]);
    const { epoch, lastSeq } = await snapshot();
    expect(lastSeq).toBe(3);
    expect((await events(1, `${epoch}:2`))[0]).toEqual(seen[4]);
    expect((await events(1, `${epoch}:9`))[0]).toMatchObject({ type: "reset" });
    expect((await events(1, "other:2"))[0]).toMatchObject({ type: "reset" });
  });

  it.each([
    ["cut", (line: TurnLine) => line.cut()],
    ["ended before it was whole", (line: TurnLine) => line.end()],
  ])("that is %s is stored as far as it arrived, and marked as incomplete", async (_, leave) => {
    const { begin, line, snapshot } = await open();
    await begin();
    line(0).send(delta("is on"));
    leave(line(0));
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It is on", "cut"]);
  });

  it("is ended when it falls silent, and the next message is sent", async () => {
    const { begin, line, snapshot, clock, send } = await open();
    await begin();
    await clock.advance(20_001);
    expect(line(0).isCancelled).toBe(true);
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It ", "cut"]);
    const next = send({ clientMessageId: "k2", body: "Hello?" });
    await settle();
    line(1).send(delta("Yes"));
    expect((await next).status).toBe(201);
  });

  it("LESS4 is ended after a minute", async () => {
    const { begin, line, clock, snapshot } = await open();
    await begin();
    for (let second = 0; second < 60; second += 10) {
      line(0).send(delta("x"));
      await clock.advance(10_000);
    }
    await clock.advance(1);
    expect(line(0).isCancelled).toBe(true);
    expect(said(await snapshot()).at(-1)?.[2]).toBe("cut");
  });

  it("LESS4 continues when the browser leaves", async () => {
    const { bff, token, begin, line, snapshot } = await open();
    await begin();
    const stream = await bff.request("GET", "/api/conversation/events", { token });
    await stream.body?.cancel();
    line(0).send(completed("It is here."));
    line(0).end();
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "It is here."]);
  });

  it("is cut at the limit and marked as cut", async () => {
    const { begin, line, snapshot } = await open();
    await begin();
    line(0).send(completed("😀".repeat(20_001)));
    await settle();
    const last = (await snapshot()).messages.at(-1);
    expect(last?.body).toBe("😀".repeat(20_000));
    expect(last?.incomplete).toBe(true);
  });

  it("that fails becomes a notice without the service's text", async () => {
    const { begin, line, snapshot, bff } = await open();
    await begin();
    line(0).send({ type: "error", code: "overloaded", message: "canary" });
    line(0).end();
    await settle();
    expect(said(await snapshot()).slice(1)).toEqual([
      ["agent", "It ", "cut"],
      ["system", "agent_failed"],
    ]);
    expect(bff.answered.join("") + bff.lines.join("")).not.toContain("canary");
  });

  it("repeated ids of the service become separate messages", async () => {
    const { begin, line, send, snapshot } = await open();
    await begin();
    line(0).send(completed("One"));
    line(0).end();
    await settle();
    const next = send({ clientMessageId: "k2", body: "And?" });
    await settle();
    line(1).send(completed("Two"));
    await next;
    await settle();
    expect(said(await snapshot()).map(([, body]) => body)).toEqual([HELLO.body, "One", "And?", "Two"]);
    expect(new Set((await snapshot()).messages.map(({ id }) => id)).size).toBe(4);
  });
});

describe("turns without events: what the agent requests", () => {
  it("a clarification is a message with the question and its fields", async () => {
    const { begin, line, snapshot } = await open();
    await begin();
    line(0).send({
      type: "clarification.requested",
      question: "Which one?",
      fields: [{ name: "order" }, "e-mail"],
    });
    await settle();
    expect(said(await snapshot()).at(-1)).toEqual(["agent", "Which one?\n\n- order\n- e-mail"]);
  });

  it("LESS6 a suggested person is not asked for", async () => {
    const { begin, line, snapshot, service } = await open();
    await begin();
    line(0).send({ type: "handoff.requested", reason: "Refunds\nneed a person", targetHint: "sales" });
    await settle();
    expect((await snapshot()).suggestion).toEqual({ reason: "Refunds need a person" });
    expect(service.calls("handoffs")).toEqual([]);
  });

  it("LESS6 an action is requested once, answered once, and counts only when the service confirmed it", async () => {
    const { begin, line, snapshot, service, bff, token } = await open();
    await begin();
    const action = {
      type: "action.requested",
      actionId: "act1",
      name: "cancel_order",
      approvalRequired: true,
    };
    line(0).send(action, action, { ...action, actionId: "act2", approvalRequired: false });
    await settle();
    expect((await snapshot()).actions).toMatchObject([{ actionId: "act1", name: "cancel_order" }]);
    const allow = (actionId: string, approved = true) =>
      bff.post("/api/conversation/actions", { actionId, approved }, token);

    service.answer("actionApprovals", () => json({ action: { id: "act1", approved: false } }));
    expect(await problemOf(await allow("act1"))).toBe("502 not_confirmed");
    expect((await snapshot()).actions?.[0]).not.toHaveProperty("approved");
    service.answer("actionApprovals", () => new Response(null, { status: 204 }));
    expect(await (await allow("act1")).json()).toEqual({ action: { actionId: "act1", approved: true } });
    expect(service.calls("actionApprovals").at(-1)?.path).toBe(
      `/v1/support/conversations/${(await snapshot()).id}/action-approvals`,
    );
    expect((await snapshot()).actions).toMatchObject([{ actionId: "act1", approved: true }]);

    expect((await allow("act1")).status).toBe(200);
    expect(service.calls("actionApprovals")).toHaveLength(2);
    expect(await problemOf(await allow("act1", false))).toBe("422 key_reused");
    expect(await problemOf(await allow("act2"))).toBe("404 not_found");
  });

  it("the end of the conversation ends the answer", async () => {
    const { begin, line, bff, token, snapshot } = await open();
    await begin();
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    expect(line(0).isCancelled).toBe(true);
    const { lastSeq, messages } = await snapshot();
    expect([lastSeq, messages.length]).toEqual([4, 2]);
  });

  it("a shutdown stores the text so far as incomplete", async () => {
    let feeds: Feeds | undefined;
    const { begin, line, bff, customer, service } = await open((store) => {
      feeds = createFeeds({ store, clock: createTestClock() });
      return { ...store, close: () => Promise.resolve() };
    });
    await begin();
    await bff.bff.close();
    expect(line(0).isCancelled).toBe(true);
    const [conversationId = ""] = service.conversations.keys();
    const last = (await feeds?.read({ externalId: customer, conversationId }, 2))?.at(-1);
    expect(last).toMatchObject({ type: "message.created", message: { body: "It ", incomplete: true } });
  });
});
