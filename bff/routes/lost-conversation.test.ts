import { describe, expect, it } from "vitest";
import { createScriptedService, json } from "../testing/scripted-service.ts";
import { createTestBff, problemOf } from "../testing/test-bff.ts";
import { createTestClock, whileTimePasses } from "../testing/test-clock.ts";

const MESSAGE = { clientMessageId: "k1", body: "Where is my parcel?" };
const gone = () => json({ error: "no such conversation" }, 404);

/** A service whose conversations are `conv-1`, `conv-2` and so on. */
function open(capabilities?: readonly string[]) {
  const service = createScriptedService();
  if (capabilities) service.answer("capabilities", () => json({ capabilities }));
  service.answer("conversations", () =>
    json({ conversation: { id: `conv-${service.calls("conversations").length}` } }, 201),
  );
  const clock = createTestClock();
  const bff = createTestBff({ service, clock });
  /** What a panel does that looks again, with the time that the second look takes. */
  const look = (token: string) => whileTimePasses(clock, bff.post("/api/session", {}, token));
  return { service, bff, look, starts: () => service.calls("conversations").length };
}
const taken = (clientMessageId: string) => () => json({ message: { id: "m", seq: 2, clientMessageId } }, 201);

describe("an erased conversation", () => {
  it("gets no message again: one that started it starts another", async () => {
    const { service, bff } = open(["turns", "events", "messages", "erase"]);
    const { token } = await bff.startSession();
    service.answer("turns", taken("k1"));
    expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
    expect((await bff.request("DELETE", "/api/conversation/content", { token })).status).toBe(200);
    service.answer("turns", ({ path }) => (path.includes("conv-1/") ? gone() : taken("k1")()));
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: "conv-2" },
    });
  });
});

describe("a turn's 404", () => {
  it("says nothing where the transcript is there: not confirmed, and no other conversation starts", async () => {
    const { service, bff, starts } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", gone);
    for (const path of ["/api/conversation/messages", "/api/conversation", "/api/conversation"]) {
      expect(await problemOf(await bff.post(path, MESSAGE, token))).toBe("502 not_confirmed");
    }
    expect(starts()).toBe(1);
    service.answer("turns", taken("k1"));
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: "conv-1" },
    });
  });

  it.each([
    ["500", () => json({}, 500)],
    ["a page", () => new Response("<h1>404</h1>", { status: 404, headers: { "content-type": "text/html" } })],
  ])("says nothing where the transcript's answer is %s", async (_, answer) => {
    const { service, bff, starts } = open();
    const { token } = await bff.startConversation();
    service.answer("turns", gone);
    service.answer("messages", answer);
    expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
    expect(starts()).toBe(1);
  });

  it("with the transcript's, the message goes to another conversation", async () => {
    const { service, bff, starts } = open();
    const { token } = await bff.startConversation();
    service.answer("messages", gone);
    service.answer("turns", ({ path }) => (path.includes("conv-1/") ? gone() : taken("k1")()));
    expect(await (await bff.post("/api/conversation", MESSAGE, token)).json()).toMatchObject({
      conversation: { id: "conv-2" },
    });
    expect(starts()).toBe(2);
  });
});

it("MSG7 a moment's 404 empties nobody's screen: the log is there again at the second look", async () => {
  const { service, bff, look } = open();
  const { token } = await bff.startConversation();
  let asked = 0;
  service.answer("messages", () => {
    asked += 1;
    return asked === 1 ? gone() : json({ messages: [], lastSeq: 0 });
  });
  expect(await (await look(token)).json()).toMatchObject({ conversation: { id: "conv-1" } });
  expect(asked).toBe(2);
});

it("a transcript that is not there by its 404 alone starts no other conversation, behind a start or a look", async () => {
  const { service, bff, look, starts } = open();
  service.answer("messages", gone);
  const { token } = await bff.startConversation();
  for (const clientMessageId of ["k1", "k2", "k3"]) {
    service.answer("turns", taken(clientMessageId));
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
])("%s that answers 404 for ever", (_, capabilities) => {
  it("one message starts one more conversation, however often it is retried, and goes there once it can", async () => {
    const { service, bff, look, starts } = open(capabilities);
    const { token } = await bff.startSession();
    service.answer("turns", gone);
    service.answer("messages", gone);
    for (let time = 1; time <= 4; time += 1) {
      expect(await problemOf(await bff.post("/api/conversation", MESSAGE, token))).toBe("502 not_confirmed");
      // The transcript is not there either.
      await look(token);
    }
    expect(starts()).toBe(1);

    // The next message has one start of its own.
    const next = { ...MESSAGE, clientMessageId: "k2" };
    for (let time = 1; time <= 3; time += 1) {
      expect(await problemOf(await bff.post("/api/conversation", next, token))).toBe("502 not_confirmed");
    }
    expect(starts()).toBe(2);

    service.answer("turns", taken("k2"));
    expect(await (await bff.post("/api/conversation", next, token)).json()).toMatchObject({
      conversation: { id: "conv-2" },
      message: { clientMessageId: "k2" },
    });
    expect(starts()).toBe(2);
  });
});

it("after an end on the service's side the same message may start the next conversation", async () => {
  const { service, bff, starts } = open();
  const { token } = await bff.startSession();
  service.answer("turns", () => json({}));
  await bff.post("/api/conversation", MESSAGE, token);
  const ended = { type: "urn:parley:problem:conversation_ended", code: "conversation_ended" };
  service.answer("turns", ({ path }) => (path.includes("conv-1/") ? json(ended, 409) : taken("k1")()));
  expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
  expect(starts()).toBe(2);
});

it("after the customer's own end the same message may start the next conversation", async () => {
  const { service, bff, starts } = open();
  const { token } = await bff.startSession();
  service.answer("turns", () => json({}));
  await bff.post("/api/conversation", MESSAGE, token);
  expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
  service.answer("turns", taken("k1"));
  expect((await bff.post("/api/conversation", MESSAGE, token)).status).toBe(201);
  expect(starts()).toBe(2);
});

describe("TRUTH4 what is late is said of the conversation that was asked for", () => {
  const over = () =>
    new Response(
      JSON.stringify({ type: "urn:parley:problem:conversation_ended", code: "conversation_ended" }),
      {
        status: 409,
        headers: { "content-type": "application/problem+json" },
      },
    );
  const ended = () =>
    json({ conversation: { id: "conv-1", status: "ended" }, messages: [], lastSeq: 2, epoch: "epoch-old" });

  it.each<[string, "turns" | "messages" | "attachments", () => Response]>([
    ["a message's refusal: it ended", "turns", over],
    ["a transcript that says: it ended", "messages", ended],
    ["a file's refusal: it ended", "attachments", over],
    ["a file's refusal: it is gone", "attachments", gone],
  ])("%s; the next one goes on", async (_, operation, late) => {
    const { service, bff, starts } = open(["turns", "events", "messages", "idempotency", "attachments"]);
    const { token } = await bff.startConversation();
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
      return late();
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
    service.answer("turns", (call) =>
      taken(String((call.body as { clientMessageId: string }).clientMessageId))(),
    );
    service.answer("messages", () => gone());
    expect((await bff.request("DELETE", "/api/conversation", { token })).status).toBe(200);
    const next = await bff.post("/api/conversation", { clientMessageId: "k2", body: "Another thing" }, token);
    expect((await next.json()).conversation.id).toBe("conv-2");
    answer();
    await slow;
    const on = { clientMessageId: "k3", body: "Is anybody there?" };
    expect((await bff.post("/api/conversation/messages", on, token)).status).toBe(201);
    expect(starts()).toBe(2);
  });
});
