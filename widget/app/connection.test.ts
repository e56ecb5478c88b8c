// @vitest-environment node
import { describe, expect, it } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { problem } from "./testing/scripted-bff.ts";
import { startChat, startConversation } from "./testing/start-chat.ts";
import { times } from "./testing/start-network.ts";

describe("LINE1 the connection", () => {
  it("is taken up at once when something else was verifiably answered", async () => {
    const { bff, chat } = await startConversation();
    bff.cutStreams();
    await settle();
    expect(chat.connection.state.value).toBe("reconnecting");
    chat.outbox.send("is anybody there?");
    await settle();
    expect(bff.openStreams()).toBe(1);
  });

  it("but not while the server asked to be left alone", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script("GET /api/conversation/events", () => problem("unavailable", 20));
    bff.cutStreams();
    await time.advance(1_000);
    chat.outbox.send("is anybody there?");
    await time.advance(15_000);
    expect(bff.openStreams()).toBe(0);
    await time.advance(10_000);
    expect(bff.openStreams()).toBe(1);
  });

  it("after a loss is called live when what was missed has come", async () => {
    const { bff, chat, time } = await startConversation();
    bff.cutStreams();
    await settle();
    await time.advance(500);
    expect(chat.connection.state.value).toBe("catching_up");
    bff.say("missed");
    await time.advance(200);
    expect(chat.connection.state.value).toBe("catching_up");
    await time.advance(300);
    expect(chat.connection.state.value).toBe("live");
  });

  it("is idle, connecting, live; offline where nothing answers", async () => {
    const { chat, bff, time } = startChat();
    expect(chat.connection.state.value).toBe("idle");
    let release = (): void => undefined;
    bff.script("POST /api/session", async (request, signal) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return bff.answer(request, signal);
    });
    chat.open();
    expect(chat.connection.state.value).toBe("connecting");
    release();
    await settle();
    chat.outbox.send("Hello");
    await settle();
    expect(chat.connection.state.value).toBe("live");
    bff.script("GET /api/conversation/events", ...times(9));
    bff.cutStreams();
    await time.advance(2_000);
    expect(chat.connection.state.value).toBe("offline");
  });
});
