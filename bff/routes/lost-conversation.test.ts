import { describe, expect, it } from "vitest";
import { createFakeService, json } from "../../service/testing/fake/fake-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, whileTimePasses } from "../testing/test-clock.ts";

const MESSAGE = { clientMessageId: "k1", body: "Where is my parcel?" };
const gone = () => json({ error: "no such conversation" }, 404);

function open(capabilities?: readonly string[]) {
  const service = createFakeService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  /** Reads as a panel does that reads again, with the time that the second read takes. */
  const look = (token: string) => whileTimePasses(clock, bff.post("/api/session", {}, token));
  return {
    service,
    bff,
    look,
    starts: () => service.calls("conversations").length,
    /** The id of the conversation that began as the nth. */
    nth: (n: number) => [...service.conversations.keys()][n - 1] ?? expect.fail(`no conversation ${n}`),
  };
}

describe("an erased conversation", () => {
  it("gets no more messages: retrying the one that started it starts another", async () => {
    const { bff, nth } = open();
    const { token } = await bff.startSession();
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    expect((await bff.request("DELETE", "/api/conversation/content", { token })).status).toBe(200);
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: nth(2) },
    });
  });
});

describe("a turn's 404", () => {
  it("proves nothing if the transcript exists: not confirmed, and no other conversation starts", async () => {
    const { service, bff, starts } = open();
    const { token, id } = await bff.startConversation();
    service.answer("turns", gone);
    for (const path of ["/api/conversation/messages", "/api/conversation", "/api/conversation"]) {
      expect(await problemOf(await bff.post(path, MESSAGE, token))).toBe("502 not_confirmed");
    }
    expect(starts()).toBe(1);
    service.mend("turns");
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id },
    });
  });

  it.each([
    ["500", () => json({}, 500)],
    ["a page", () => new Response("<h1>404</h1>", { status: 404, headers: { "content-type": "text/html" } })],
  ])("proves nothing if the transcript's answer is %s", async (_, answer) => {
    const { service, bff, starts } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", gone);
    service.answer("messages", answer);
    expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
    expect(starts()).toBe(1);
  });

  it("together with the transcript's, sends the message to another conversation", async () => {
    const { service, bff, starts, nth } = open();
    const { token, id } = await bff.startConversation();
    service.answer("messages", gone);
    service.answer("turns", ({ path }, real) => (path.includes(id) ? gone() : real()));
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: nth(2) },
    });
    expect(starts()).toBe(2);
  });
});

describe("OPS4 a conversation that a restored service does not have", () => {
  it("is reported as lost, and the message that started it starts the next one", async () => {
    const { service, bff, look, nth } = open();
    const { token } = await bff.startSession();
    const first = await (await bff.post("/api/conversation", MESSAGE, token)).json();
    service.answer("messages", ({ path }, real) => (path.includes(first.conversation.id) ? gone() : real()));
    service.answer("turns", ({ path }, real) => (path.includes(first.conversation.id) ? gone() : real()));
    expect(await (await look(token)).json()).toMatchObject({ conversation: null, isLost: true });
    expect(await problemOf(await bff.post("/api/conversation/messages", MESSAGE, token))).toBe(
      "409 no_conversation",
    );
    expect(await (await look(token)).json()).toMatchObject({ conversation: null, isLost: true });
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: nth(2) },
    });
  });

  it("is reported as lost only if its customer did not erase it", async () => {
    const { bff, look } = open();
    const { token } = await bff.startConversation();
    await bff.request("DELETE", "/api/conversation/content", { token });
    expect(await (await look(token)).json()).not.toHaveProperty("isLost");
  });
});

describe("a conversation that was erased with its customer by an operator", () => {
  it.each(["a read", "a message"])("is not reported as lost after %s", async (first) => {
    const { service, bff, look } = open();
    const { token, customer } = await bff.startSession();
    await bff.post("/api/conversation", MESSAGE, token);
    await look(token);
    await service.eraseCustomer(customer.externalId);
    if (first === "a message") {
      const next = { ...MESSAGE, clientMessageId: "k2" };
      expect(await problemOf(await bff.post("/api/conversation/messages", next, token))).toBe(
        "409 no_conversation",
      );
    }
    const resumed = await (await look(token)).json();
    expect(resumed).toMatchObject({ conversation: null });
    expect(resumed).not.toHaveProperty("isLost");
  });
});

describe("LESS7 an end's 404", () => {
  const end = (bff: ReturnType<typeof open>["bff"], token: string) =>
    bff.request("DELETE", "/api/conversation", { token });

  it("proves no loss while the transcript exists: the conversation goes on", async () => {
    const { service, bff, look } = open();
    const { token, id } = await bff.startConversation();
    service.answer("endConversation", gone);
    expect(await problemOf(await end(bff, token))).toBe("502 support_refused");
    expect(await (await look(token)).json()).toMatchObject({
      conversation: { id, status: "open" },
    });
  });

  it("together with the transcript's, lets the next message start another conversation", async () => {
    const { service, bff, nth } = open();
    const { token } = await bff.startConversation();
    service.answer("endConversation", gone);
    service.answer("messages", gone);
    expect(await problemOf(await end(bff, token))).toBe("409 no_conversation");
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: nth(2) },
    });
  });
});

it("MSG7 a temporary 404 empties no screen: the log is back on the second read", async () => {
  const { service, bff, look } = open();
  const { token, id } = await bff.startConversation();
  let asked = 0;
  service.answer("messages", (_, real) => {
    asked += 1;
    return asked === 1 ? gone() : real();
  });
  expect(await (await look(token)).json()).toMatchObject({ conversation: { id } });
  expect(asked).toBe(2);
});

it("a missing transcript never starts another conversation, after a start or a read", async () => {
  const { service, bff, look, starts } = open();
  service.answer("messages", gone);
  const { token } = await bff.startConversation();
  for (const clientMessageId of ["k1", "k2", "k3"]) {
    const resumed = await (await look(token)).json();
    expect(resumed).toMatchObject({ conversation: null });
    expect((await bff.post("/api/conversation", { ...MESSAGE, clientMessageId }, token)).status).toBe(201);
  }
  expect(starts()).toBe(1);
});

describe.each([
  ["a whole service", undefined],
  ["turns and events without a transcript", ["turns", "events"]],
  ["turns alone", ["turns"]],
])("%s that always answers 404", (_, capabilities) => {
  it("one message starts one more conversation, however often it is retried, and is sent there once it works", async () => {
    const { service, bff, look, starts, nth } = open(capabilities);
    const { token } = await bff.startSession();
    service.answer("turns", gone);
    service.answer("messages", gone);
    for (let time = 1; time <= 4; time += 1) {
      expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
      // The transcript is missing as well.
      await look(token);
    }
    expect(starts()).toBe(1);

    // The next message has its own start.
    const next = { ...MESSAGE, clientMessageId: "k2" };
    for (let time = 1; time <= 3; time += 1) {
      expect(await problemOf(await bff.post("/api/conversation", next, token))).toBe("502 not_confirmed");
    }
    expect(starts()).toBe(2);

    service.mend("turns");
    expect(await (await bff.post("/api/conversation", next, token)).json()).toMatchObject({
      conversation: { id: nth(2) },
      message: { clientMessageId: "k2" },
    });
    expect(starts()).toBe(2);
  });
});

it("after an end in the service the same message may start the next conversation", async () => {
  const { service, bff, starts, nth } = open();
  const { token } = await bff.startSession();
  service.answer("turns", () => json({}));
  await bff.post("/api/conversation", MESSAGE, token);
  const first = nth(1);
  const ended = { type: "urn:parley:problem:conversation_ended", code: "conversation_ended" };
  service.answer("turns", ({ path }, real) => (path.includes(first) ? json(ended, 409) : real()));
  expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
  expect(starts()).toBe(2);
});

it("after the customer's own end the same message may start the next conversation", async () => {
  const { service, bff, starts } = open();
  const { token } = await bff.startSession();
  service.answer("turns", () => json({}));
  await bff.post("/api/conversation", MESSAGE, token);
  expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
  service.mend("turns");
  expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
  expect(starts()).toBe(2);
});

describe("TRUTH4 a late answer applies to the conversation of its request", () => {
  const over = () =>
    new Response(
      JSON.stringify({ type: "urn:parley:problem:conversation_ended", code: "conversation_ended" }),
      {
        status: 409,
        headers: { "content-type": "application/problem+json" },
      },
    );
  const ended = (id: string) =>
    json({ conversation: { id, status: "ended" }, messages: [], lastSeq: 2, epoch: "epoch-old" });

  it.each<[string, "turns" | "messages" | "attachments", (id: string) => Response]>([
    ["a message's refusal: it ended", "turns", over],
    ["a transcript that says: it ended", "messages", ended],
    ["a file's refusal: it ended", "attachments", over],
    ["a file's refusal: it is gone", "attachments", gone],
  ])("%s; the next one continues", async (_, operation, late) => {
    const { service, bff, starts, nth } = open();
    const { token, id } = await bff.startConversation();
    let answer = (): void => undefined;
    let isAsked = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    service.answer(operation, async () => {
      isAsked();
      await answering;
      return late(id);
    });
    const slow =
      operation === "attachments"
        ? bff.request("POST", "/api/conversation/attachments", {
            token,
            headers: { "idempotency-key": "file-1", "x-file-name": "a.pdf" },
            body: "%PDF-1.7 a file",
          })
        : operation === "turns"
          ? bff.post("/api/conversation/messages", MESSAGE, token)
          : bff.post("/api/session", {}, token);
    await asked;
    service.mend("turns");
    service.answer("messages", gone);
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    const next = await bff.post("/api/conversation", { clientMessageId: "k2", body: "Another thing" }, token);
    expect((await next.json()).conversation.id).toBe(nth(2));
    answer();
    await slow;
    const on = { clientMessageId: "k3", body: "Is anybody there?" };
    expect((await bff.post("/api/conversation/messages", on, token)).status).toBe(201);
    expect(starts()).toBe(2);
  });
});
