import { render } from "preact";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, everything, one } from "../testing/by-role.ts";
import { openedKit, settled, until } from "../testing/desk-kit.ts";
import { ANA, at, waiting } from "../testing/samples.ts";
import { DeskApp } from "./desk-app.tsx";

const SHOW = "Show the message from";

afterEach(() => {
  const root = document.getElementById("desk");
  if (root) render(null, root);
});

async function show() {
  const kit = await openedKit(ANA);
  document.body.innerHTML = "<div id='desk'></div>";
  const root = document.getElementById("desk");
  if (root) render(<DeskApp desk={kit.desk} />, root);
  await until(() => everything().includes("My lamp is broken"));
  let { lastSeq } = waiting();
  const send = async (...given: { text: string; seq?: number; generated?: { by: string } }[]) => {
    lastSeq += 1;
    const generated = given.find((one) => one.generated)?.generated;
    const sentences = given.map(({ text, seq }) => (seq === undefined ? { text } : { text, seq }));
    const summary = { handoffId: "hnd_1", sentences, ...(generated ? { generated } : {}) };
    const event = { type: "summary.sent", seq: lastSeq, at: at(9), summary };
    kit.service.push({ type: "conversation.event", conversationId: ANA, event } as never);
    await settled();
  };
  const card = () => document.querySelector("details:has(> summary)");
  return { send, card };
}

describe("HAND6 the customer's summary at the desk", () => {
  it("is above the log: a sentence links to its message, the customer's own words are marked", async () => {
    const { send, card } = await show();
    expect(everything()).not.toContain("Summary by the customer");
    await send({ text: "My lamp is broken", seq: 2 }, { text: "It is urgent." });
    await until(() => everything().includes("Summary by the customer"));
    const items = [...(card()?.querySelectorAll("li") ?? [])].map((item) => item.textContent);
    expect(items).toHaveLength(2);
    expect(items[1]).toBe("It is urgent. Customer's own words");
    expect(items[0]).not.toContain("Customer's own words");
    const links = all("button").filter((button) => button.getAttribute("aria-label")?.startsWith(SHOW));
    expect(links).toHaveLength(1);
    const scrolled = vi.fn();
    const message = document.querySelector<HTMLElement>("[data-seq='2']");
    if (message) message.scrollIntoView = scrolled;
    links[0]?.click();
    expect(scrolled).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(message);
    expect(message?.textContent).toContain("My lamp is broken");
  });

  it("AGENT9 says where a model wrote some of it", async () => {
    const { send, card } = await show();
    await send({ text: "The first." });
    await until(() => card()?.textContent?.includes("The first.") ?? false);
    expect(card()?.querySelector("[data-generated]")).toBeNull();
    await send({ text: "Lamp broken.", seq: 2, generated: { by: "AI assistant" } });
    await until(() => card()?.textContent?.includes("Lamp broken.") ?? false);
    expect(card()?.querySelector("[data-generated]")?.textContent).toContain("Written by the AI agent");
  });

  it("is the newest one, and the log says where each was sent", async () => {
    const { send, card } = await show();
    await send({ text: "The first." });
    await send({ text: "The second." });
    await until(() => card()?.textContent?.includes("The second.") ?? false);
    expect(card()?.textContent).not.toContain("The first.");
    expect(one("log").textContent?.match(/Summary sent by the customer/g)).toHaveLength(2);
  });

  it("a sentence whose place the log does not have is shown without a link", async () => {
    const { send, card } = await show();
    await send({ text: "From nowhere.", seq: 99 });
    await until(() => card()?.textContent?.includes("From nowhere.") ?? false);
    expect(card()?.querySelector("button")).toBeNull();
  });

  it("is shown as text", async () => {
    const { send, card } = await show();
    await send({ text: "<img src=x onerror=alert(1)> **no**" });
    await until(() => card()?.textContent?.includes("<img src=x") ?? false);
    expect(card()?.querySelector("img, strong")).toBeNull();
  });
});
