// @vitest-environment node
import { describe, expect, it } from "vitest";
import { TIMEOUT_MS } from "./bff-client.ts";
import { settle } from "./testing/manual-time.ts";
import { FAULTS, isSilence, problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation, types } from "./testing/start-chat.ts";
import { bodies, waiting } from "./testing/start-network.ts";

const MESSAGES = "POST /api/conversation/messages";
const START = "POST /api/conversation";
const never = () => new Promise<Response>(() => undefined);

describe("says that a message was sent only if the service verifiably said so", () => {
  for (const [route, prepare] of [
    [START, () => startChat()],
    [MESSAGES, startConversation],
  ] as const) {
    for (const [name, fault] of Object.entries(FAULTS)) {
      it(`${route}, ${name}: not confirmed, the text stays, Retry has the same key`, async () => {
        const { bff, chat, time, happenings } = await prepare();
        chat.open();
        happenings.length = 0;
        bff.script(route, ...Array.from({ length: isSilence(name) ? 4 : 1 }, () => fault));
        chat.outbox.send("Is it there?");
        await settle();
        if (isSilence(name)) await time.advance(16_000);
        expect(waiting(chat)).toEqual(["Is it there?: not_confirmed"]);
        expect(types(happenings)).toEqual(["message.not_confirmed"]);
        chat.outbox.retry(chat.conversation.log.value.pending[0]?.clientMessageId ?? "");
        await settle();
        expect(waiting(chat)).toEqual([]);
        expect(bodies(chat).filter((body) => body === "Is it there?")).toHaveLength(1);
        const keys = bff.calls(route).map((request) => request.body.clientMessageId);
        expect(keys.at(-1)).toBe(keys.at(-2));
        expect(types(happenings).filter((type) => type === "message.sent")).toHaveLength(1);
      });
    }
  }

  it("the same message with a true answer is confirmed at once (control)", async () => {
    const { chat, happenings } = await startConversation();
    happenings.length = 0;
    chat.outbox.send("Is it there?");
    await settle();
    expect(types(happenings)).toEqual(["message.sent"]);
  });

  it("an HTML page, as of a network's login, is no answer of support, whatever its status", async () => {
    const { bff, chat } = await startConversation();
    const page = (status: number) => () =>
      new Response("<h1>Log in</h1>", { status, headers: { "content-type": "Text/HTML; charset=utf-8" } });
    for (const status of [200, 403, 511]) {
      bff.script(MESSAGES, page(status));
      chat.outbox.send(`${status}`);
      await settle();
    }
    const codes = chat.conversation.log.value.pending.map(({ body, status, code }) => [body, status, code]);
    expect(codes).toEqual(
      ["200", "403", "511"].map((body) => [body, "not_confirmed", "support_unreachable"]),
    );
  });

  it("a 413 of a proxy says that the message is too long, as does the BFF's own, and stops no other message", async () => {
    const { bff, chat } = await startConversation();
    const page = new Response("<h1>413</h1>", { status: 413, headers: { "content-type": "text/html" } });
    bff.script(MESSAGES, () => page);
    chat.outbox.send("long");
    chat.outbox.send("short");
    await settle();
    expect(chat.conversation.log.value.pending).toMatchObject([
      { body: "long", status: "not_confirmed", code: "body_too_large" },
    ]);
    expect(bodies(chat)).toContain("short");
  });

  it("OUT1 no answer in 10 s aborts the request; after four attempts with one key in 60 s it is unconfirmed", async () => {
    const { bff, chat, time } = await startConversation();
    const stopped: AbortSignal[] = [];
    const hang = (_request: unknown, signal: AbortSignal) => {
      stopped.push(signal);
      return never();
    };
    bff.script(MESSAGES, hang, hang, hang, hang);
    chat.outbox.send("Is it there?");
    await time.advance(TIMEOUT_MS);
    expect(stopped[0]?.aborted).toBe(true);
    expect(waiting(chat)).toEqual(["Is it there?: queued"]);
    await time.advance(60_000 - TIMEOUT_MS);
    expect(chat.conversation.log.value.pending[0]).toMatchObject({
      status: "not_confirmed",
      code: "support_timeout",
    });
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
    chat.outbox.send("Is it there?");
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "Is it there?"]);
    expect(chat.conversation.log.value.pending).toEqual([]);
    expect(types(happenings).filter((type) => type === "message.sent")).toHaveLength(2);
  });

  it("two unconfirmed messages stay in order, and so do the messages after them", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, FAULTS["503 HTML"] ?? never);
    chat.outbox.send("first");
    chat.outbox.send("second");
    await settle();
    expect(waiting(chat)).toEqual(["first: not_confirmed", "second: not_confirmed"]);
    for (const { clientMessageId } of chat.conversation.log.value.pending) chat.outbox.retry(clientMessageId);
    await settle();
    expect(bodies(chat)).toEqual(["Hello", "first", "second"]);
  });

  it("a fault of one message does not delay the next", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("bad_request"));
    chat.outbox.send("first");
    chat.outbox.send("second");
    await settle();
    expect(waiting(chat)).toEqual(["first: not_confirmed"]);
    expect(bodies(chat)).toEqual(["Hello", "second"]);
  });

  it("the seconds to wait are stored with the unconfirmed message", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("rate_limited", 7));
    chat.outbox.send("first");
    await settle();
    expect(chat.conversation.log.value.pending[0]).toMatchObject({ code: "rate_limited", retryAfter: 7 });
  });

  it("refuses an empty or too long text, and removes pasted control characters", async () => {
    const { bff, chat } = await startConversation();
    expect(chat.outbox.send("  \n ")).toBe("refused");
    expect(chat.outbox.send("😀".repeat(5001))).toBe("refused");
    expect(chat.outbox.send("😀".repeat(5000))).toBe("sending");
    expect(chat.outbox.send("a\u0000b\u009f\tc\r\nd\ud800")).toBe("sending");
    await settle();
    expect(bff.calls(MESSAGES).at(-1)?.body.body).toBe("ab\tc\nd\ufffd");
  });

  it("a discarded message is gone, and nothing is sent again", async () => {
    const { bff, chat } = await startConversation();
    bff.script(MESSAGES, () => problem("internal"));
    chat.outbox.send("first");
    await settle();
    const key = chat.conversation.log.value.pending[0]?.clientMessageId ?? "";
    chat.outbox.discard(key);
    chat.outbox.retry(key);
    await settle();
    expect(chat.conversation.log.value.pending).toEqual([]);
    expect(bff.calls(MESSAGES)).toHaveLength(1);
  });
});
