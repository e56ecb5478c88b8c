import { signal } from "@preact/signals";
import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { createScriptedBff, problem } from "../app/testing/scripted-bff.ts";
import { createMapStorage, startChat } from "../app/testing/start-chat.ts";
import { listenTo, startPanel } from "./testing-panel.tsx";

/** A panel with a conversation, whose network can be disconnected. */
async function startOnNetwork(more: Parameters<typeof startChat>[2] = {}) {
  const network = signal(true);
  const bff = createScriptedBff();
  const fetch: typeof bff.fetch = (path, init) =>
    network.value ? bff.fetch(path, init) : Promise.reject(new TypeError("Failed to fetch"));
  const started = startChat(bff, createMapStorage(), { fetch, isOnline: () => network.value, ...more });
  const panel = startPanel({}, started);
  await panel.open();
  await panel.say("Hello");
  const pass = (ms: number) => act(() => started.time.advance(ms));
  const cut = async () => {
    network.value = false;
    await act(() => started.chat.goOffline());
    await panel.rest();
  };
  const mend = async () => {
    network.value = true;
    await act(() => started.chat.wake());
    await panel.rest();
  };
  return { ...panel, cut, mend, pass };
}

describe("LINE1 the status of the connection", () => {
  it("LINE1 a loss is shown only after 400 ms, and its notice disappears with it", async () => {
    const { bff, pass, rest, text } = await startOnNetwork();
    bff.script("GET /api/conversation/events", () => new Promise<Response>(() => undefined));
    bff.cutStreams();
    await rest();
    await pass(390);
    expect(text()).not.toContain("Reconnecting");
    await pass(20);
    expect(text()).toContain("Reconnecting…");
    await pass(60_000);
    expect(text()).not.toMatch(/Reconnecting|Connecting|Catching|offline/);
  });

  it("OUT1 without a network the panel counts the waiting messages, marks each one, and claims no success", async () => {
    const { cut, mend, pass, say, text, log } = await startOnNetwork();
    await cut();
    await pass(500);
    expect(text()).toContain("offline");
    await say("one");
    expect(text()).toContain("You're offline. 1 message is waiting to send.");
    await say("two");
    expect(text()).toContain("You're offline. 2 messages are waiting to send.");
    expect(log().match(/Waiting to send/g)).toHaveLength(2);
    expect(text()).not.toContain("Retry");
    await mend();
    // As long as an announcement stays.
    await pass(4_000);
    expect(log()).not.toContain("Waiting to send");
    expect(text()).not.toContain("offline");
  });

  it("LINE1 only a device without a network is called offline; otherwise support can't be reached", async () => {
    const { bff, pass, text } = await startOnNetwork({ isOnline: () => true });
    bff.script(
      "GET /api/conversation/events",
      ...Array.from({ length: 9 }, () => () => Promise.reject(new TypeError())),
    );
    bff.cutStreams();
    for (const ms of [500, 500, 500]) await pass(ms);
    expect(text()).toContain("We can't reach support");
    expect(text()).not.toContain("offline");
  });

  it("LINE1 a panel that opens without a network says so, and does not mention support", async () => {
    const fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    const started = startChat(createScriptedBff(), createMapStorage(), { fetch, isOnline: () => false });
    const panel = startPanel({}, started);
    await panel.open();
    await act(() => started.time.advance(1_000));
    expect(panel.text()).toContain("You're offline.");
    expect(panel.text()).not.toContain("We can't reach support");
  });

  it("LINE1 once support is back, an unconfirmed request no longer says that support can't be reached", async () => {
    const panel = await startOnNetwork();
    const doubt = () => panel.root.querySelector("[data-tone=doubt] p")?.textContent;
    await panel.cut();
    await panel.click("button", "Talk to a person");
    const unconfirmed = "We couldn't confirm your request for a person.";
    expect(doubt()).toBe(`${unconfirmed} We couldn't reach support.`);
    await panel.mend();
    await panel.pass(3_000);
    expect(doubt()).toBe(unconfirmed);
  });

  it("LINE1 a limit that refuses to fetch the running conversation again is called a limit, not an outage", async () => {
    const panel = await startOnNetwork();
    const doubt = () => panel.root.querySelector("[data-tone=doubt] p")?.textContent;
    panel.bff.script("POST /api/session", () => problem("rate_limited", 7));
    await act(async () => void (await panel.chat.session.refresh().catch(() => undefined)));
    expect(doubt()).toBe("Too many requests. Wait a moment, then try again.");
    expect(panel.text()).not.toContain("reach support");
    panel.bff.say("Still here");
    await panel.rest();
    expect(panel.log()).toContain("Still here");
    await panel.click("button", "Retry");
    expect(doubt()).toBeUndefined();
  });

  it("LINE1 a limit that refuses a new visitor's session is shown and announced as one", async () => {
    const panel = startPanel();
    panel.bff.script("POST /api/session", () => problem("rate_limited", 7));
    await panel.open();
    expect(panel.get("alert").textContent).toBe("Too many requests. Wait a moment, then try again.");
    expect(panel.text()).not.toContain("reach support");
    // The strip below says the rest.
    expect(panel.root.querySelector("[data-tone=problem]")?.textContent).toBe("Too many requests.");
  });

  it("LINE1 a limit's sentence gives way while the device is offline, in the strip as in the header", async () => {
    const started = startChat();
    const panel = startPanel({}, started);
    panel.bff.script("POST /api/session", () => problem("rate_limited", 60));
    await panel.open();
    await act(() => started.chat.goOffline());
    await act(() => started.time.advance(500));
    expect(panel.root.querySelector("[data-tone=doubt] p")?.textContent).toBe("You're offline.");
    expect(panel.text()).toContain("Support You're offline ");
  });

  it("SAY1 a screen reader hears once, politely, that a message waits here and is not confirmed", async () => {
    const { cut, mend, pass, say, get } = await startOnNetwork();
    const status = () => get("status").textContent ?? "";
    const kept = () => status().match(/Not confirmed\. Waiting to send\./g)?.length ?? 0;
    await cut();
    await say("one");
    expect([kept(), get("alert").textContent]).toEqual([1, ""]);
    // Tried in vain meanwhile, it is not said again.
    await pass(60_000);
    expect(kept()).toBe(0);
    await say("two");
    expect(kept()).toBe(1);
    expect(status()).not.toContain("sent");
    await mend();
    await pass(500);
    expect(status()).toContain("Message sent.");
  });

  it("SAY1 a screen reader hears once that the connection is lost, and who answers once it is back", async () => {
    const { cut, mend, pass, get, click } = await startOnNetwork();
    const heard = listenTo(get("status"));
    await cut();
    await pass(390);
    expect(heard).toEqual([]);
    await pass(60_000);
    expect(heard).toEqual(["You're offline"]);
    await mend();
    await pass(500);
    expect(heard).toEqual(["You're offline", "You're chatting with our AI agent"]);
    // What an event says already is not said twice.
    await click("button", "Talk to a person");
    expect(heard.slice(2)).toEqual(["We've asked a teammate to join."]);
    expect(get("alert").textContent).toBe("");
  });

  it("SAY1 a screen reader hears once that the conversation has ended during a lost connection", async () => {
    const { bff, cut, mend, pass, get } = await startOnNetwork();
    const heard = listenTo(get("status"));
    await cut();
    await pass(3_000);
    bff.end();
    await mend();
    await pass(3_000);
    expect(heard).toEqual(["You're offline", "The conversation has ended."]);
  });

  it("SAY1 a logout during a lost connection does not announce that it is back", async () => {
    const { chat, cut, mend, pass, get, open } = await startOnNetwork();
    const heard = listenTo(get("status"));
    await cut();
    await pass(3_000);
    await act(() => void chat.identity.logout());
    await pass(3_000);
    expect(heard).toEqual(["You're offline"]);
    await mend();
    await open();
    await pass(3_000);
    expect(heard).toEqual(["You're offline", "You're chatting with our AI agent"]);
  });

  it("OUT1 the 21st message stays in the box, and the panel says why", async () => {
    const { cut, say, box, get, chat } = await startOnNetwork();
    await cut();
    for (let at = 1; at <= 20; at += 1) await say(`${at}`);
    await say("one too many");
    expect(box().value).toBe("one too many");
    expect(chat.conversation.log.value.pending).toHaveLength(20);
    expect(get("alert").textContent).toContain("20 messages are waiting to send, and no more can wait.");
    expect(get("button", "Send").getAttribute("aria-disabled")).toBe("true");
  });

  it("OUT2 after a reload while support is down, waiting messages are in the log, or their number is shown", async () => {
    const tabStorage = createMapStorage();
    const reload = async (isVouched = false) => {
      const bff = createScriptedBff();
      const fetch: typeof bff.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
      const started = startChat(bff, createMapStorage(), { fetch, tabStorage });
      if (isVouched) started.chat.identity.identify(1);
      const panel = startPanel({}, started);
      await panel.open();
      await act(() => started.time.advance(11_000));
      return panel;
    };
    const first = await reload();
    await first.say("Is anybody there?");
    first.chat.pause();
    const again = await reload();
    expect(again.log()).toMatch(/Is anybody there\?.*Waiting to send/);
    expect(again.text()).not.toContain("is waiting to send.");
    again.chat.pause();
    const named = await reload(true);
    expect(named.text()).not.toContain("Is anybody there?");
    expect(named.text()).toContain("1 message is waiting to send.");
  });

  it("OUT2 without storage the panel warns that a reload loses waiting messages", async () => {
    const { cut, mend, say, text } = await startOnNetwork({ tabStorage: undefined });
    expect(text()).not.toContain("will be lost if you leave this page");
    await cut();
    await say("the only copy");
    expect(text()).toContain("will be lost if you leave this page");
    await mend();
    expect(text()).not.toContain("will be lost if you leave this page");
  });
});
