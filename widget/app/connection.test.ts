// @vitest-environment node
import { describe, expect, it, onTestFinished } from "vitest";
import { settle } from "./testing/manual-time.ts";
import { createScriptedBff, problem } from "./testing/scripted-bff.ts";
import { createMapStorage, startChat, startConversation } from "./testing/start-chat.ts";
import { bodies, fail, times, waiting } from "./testing/start-network.ts";

describe("LINE1 the connection", () => {
  it("is restored at once when another call was verifiably answered", async () => {
    const { bff, chat } = await startConversation();
    bff.cutStreams();
    await settle();
    expect(chat.connection.state.value).toBe("reconnecting");
    chat.outbox.send("is anybody there?");
    await settle();
    expect(bff.openStreams()).toBe(1);
  });

  it("is not restored while the server requested a delay", async () => {
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

  it("is called live after a loss only when the missed events have arrived", async () => {
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

  it("is called live after the back-forward cache only when the missed events have arrived", async () => {
    const { bff, chat, time } = await startConversation();
    chat.pause();
    bff.say("missed");
    chat.wake();
    const seen = [chat.connection.state.value];
    onTestFinished(chat.connection.state.subscribe((state) => void seen.push(state)));
    await settle();
    expect(chat.connection.state.value).toBe("catching_up");
    await time.advance(500);
    expect(chat.connection.state.value).toBe("live");
    expect(seen, "which the page hears as offline").not.toContain("reconnecting");
    expect(bodies(chat)).toEqual(["Hello", "missed"]);
  });

  it.each([0, 0.5, 0.999])(
    "is live within 3 s of the server's return, however long it was away (jitter %s)",
    async (random) => {
      const network = { isThere: true };
      const bff = createScriptedBff();
      const fetch: typeof bff.fetch = (path, init) => (network.isThere ? bff.fetch(path, init) : fail());
      for (const awayMs of [5_000, 20_000, 75_000]) {
        const { chat, time } = startChat(bff, createMapStorage(), { fetch, random: () => random });
        chat.open();
        chat.outbox.send("Hello");
        await settle();
        network.isThere = false;
        bff.cutStreams();
        await time.advance(awayMs);
        expect(chat.connection.state.value).toBe("unreachable");
        network.isThere = true;
        await time.advance(3_000);
        expect([awayMs, chat.connection.state.value]).toEqual([awayMs, "live"]);
        chat.pause();
      }
    },
  );

  it.each([5_000, 75_000])(
    "a panel that opened without a server is there within 3 s of its return (%s ms)",
    async (awayMs) => {
      const network = { isThere: false };
      const bff = createScriptedBff();
      const fetch: typeof bff.fetch = (path, init) => (network.isThere ? bff.fetch(path, init) : fail());
      const { chat, time } = startChat(bff, createMapStorage(), { fetch });
      chat.open();
      await time.advance(awayMs);
      expect(chat.session.state.value.kind).toBe("failed");
      network.isThere = true;
      await time.advance(3_000);
      expect(chat.session.state.value.kind).toBe("ready");
    },
  );

  it("a message that waits is sent when the stream is back, not at its own next attempt", async () => {
    const { bff, chat, time } = await startConversation();
    bff.script("GET /api/conversation/events", ...times(2));
    bff.script("POST /api/conversation/messages", ...times(2));
    bff.cutStreams();
    chat.outbox.send("one");
    // The stream is back after 1.75 s; the message's own third attempt would come after 3.75 s.
    await time.advance(2_000);
    expect(waiting(chat)).toEqual([]);
  });

  it("that is only answered with a network's login page is not back: no attempt of a waiting message is spent", async () => {
    const { bff, chat, time } = await startConversation();
    const page = () => new Response("<h1>Log in</h1>", { headers: { "content-type": "text/html" } });
    bff.script("GET /api/conversation/events", ...times(9).map(() => page));
    bff.script("POST /api/conversation/messages", ...times(9));
    bff.cutStreams();
    chat.outbox.send("one");
    await time.advance(3_000);
    // At once and after 0.75 s; the third attempt comes after 3.75 s.
    expect(bff.calls("POST /api/conversation/messages")).toHaveLength(2);
    expect(waiting(chat)).toEqual(["one: queued"]);
  });

  it("is idle, connecting, live; unreachable if nothing answers, and offline only if the device says so", async () => {
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
    expect(chat.connection.state.value).toBe("unreachable");
    chat.goOffline();
    expect(chat.connection.state.value).toBe("offline");
    chat.wake();
    await settle();
    expect(chat.connection.state.value).toBe("unreachable");
  });
});
