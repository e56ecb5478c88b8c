import { act } from "preact/test-utils";
import { describe, expect, it } from "vitest";
import { problem } from "../../app/testing/scripted-bff.ts";
import { startChat } from "../../app/testing/start-chat.ts";
import { startPanel } from "../testing-panel.tsx";

const EARLIER = "GET /api/conversation/messages";
const EVENTS = "GET /api/conversation/events";
const VIEW_PX = 400;
const MESSAGE_PX = 40;

/** A panel with the newest 10 entries of a log of 35, in a view of 400 px; each message is 40 px high. */
async function openLong() {
  const first = startChat();
  first.chat.open();
  first.chat.outbox.send("Hello");
  await first.settle();
  for (let at = 0; at < 33; at += 1) first.bff.say(`Answer ${at}`);
  first.bff.state.page = 10;
  const panel = startPanel({}, startChat(first.bff, first.storage));
  await panel.open();
  await panel.rest();
  const log = panel.get("log");
  const articles = () => log.querySelectorAll('[role="article"]').length;
  Object.defineProperty(log, "clientHeight", { get: () => VIEW_PX });
  Object.defineProperty(log, "scrollHeight", { get: () => VIEW_PX * 2 + articles() * MESSAGE_PX });
  const scrollTo = async (top: number) => {
    await act(() => {
      log.scrollTop = top;
      log.dispatchEvent(new Event("scroll"));
    });
    await panel.rest();
  };
  return { ...panel, log, articles, scrollTo };
}

describe("a reader who scrolls up", () => {
  it("earlier messages load before the top is reached, and the scroll position stays", async () => {
    const { bff, log, articles, scrollTo } = await openLong();
    await scrollTo(VIEW_PX * 2);
    expect(bff.calls(EARLIER)).toHaveLength(0);
    expect(articles()).toBe(10);
    await scrollTo(VIEW_PX / 2);
    expect(bff.calls(EARLIER)).toHaveLength(1);
    expect(articles()).toBe(20);
    expect(log.scrollTop).toBe(VIEW_PX / 2 + 10 * MESSAGE_PX);
  });

  it("earlier messages leave the focus on the message where the reader is (SAY2)", async () => {
    const { articles, log, scrollTo } = await openLong();
    await scrollTo(VIEW_PX * 2);
    const first = log.querySelector<HTMLElement>('[role="article"]');
    first?.focus();
    await scrollTo(0);
    expect(articles()).toBe(20);
    expect(document.activeElement).toBe(first);
  });

  it("LONG1 a page that can't be read is tried again a while later, without further scrolling", async () => {
    const { bff, articles, scrollTo, time, rest } = await openLong();
    await scrollTo(VIEW_PX * 2);
    bff.script(EARLIER, () => problem("support_unreachable"));
    for (const top of [90, 40, 0]) await scrollTo(top);
    expect(bff.calls(EARLIER)).toHaveLength(1);
    expect(articles()).toBe(10);
    await act(() => time.advance(5000));
    await rest();
    expect(articles()).toBe(20);
  });

  it("LONG1 a page that was lost with the connection is read once that is back", async () => {
    const { bff, articles, scrollTo, time, rest } = await openLong();
    await scrollTo(VIEW_PX * 2);
    bff.cutStreams();
    await rest();
    bff.script(EARLIER, () => Promise.reject(new TypeError("Failed to fetch")));
    await scrollTo(0);
    expect(articles()).toBe(10);
    for (const ms of [1000, 5000]) await act(() => time.advance(ms));
    await rest();
    expect(articles()).toBe(20);
  });

  it("LONG1 earlier messages load although a proxy lets no stream through", async () => {
    const { bff, articles, scrollTo, time } = await openLong();
    await scrollTo(VIEW_PX * 2);
    bff.script(EVENTS, ...Array.from({ length: 9 }, () => () => Promise.reject(new TypeError("aborted"))));
    bff.cutStreams();
    await act(() => time.advance(1000));
    await scrollTo(0);
    expect(bff.openStreams()).toBe(0);
    expect(articles()).toBe(20);
  });
});
