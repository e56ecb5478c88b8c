import { act } from "preact/test-utils";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { AT, FAULTS, json, problem } from "../../app/testing/scripted-bff.ts";
import { type Answerer, LIST, one, openPast, said } from "./testing-past.tsx";

describe("HIST1 past conversations in the panel", () => {
  it("can be opened again after the browser closed them by itself", async () => {
    const { panel, past, dialog } = await openPast(() => json(200, { conversations: [one("a.b")] }));
    // Chromium does this at the second press of a phone's back button: `cancel` can't be prevented then.
    await act(() => dialog()?.close());
    expect(past.conversations.value).toBeUndefined();
    await act(() => past.open());
    await panel.rest();
    expect(dialog()?.open).toBe(true);
  });

  it("past conversations are listed page by page, with their first words, who answered and their end", async () => {
    const pages = [
      { conversations: [one("b", { isCurrent: true, status: "open" }), one("a")], next: "2" },
      { conversations: [one("z")] },
    ];
    const { text, press, bff } = await openPast(() => json(200, pages.shift()));
    expect(text()).toMatch(/Words of b.*Maria.*Words of a.*Maria.*You ended it/);
    await press("Show more");
    expect(text()).toContain("Words of z");
    expect(text()).not.toContain("Show more");
    expect(bff.calls(LIST).at(-1)?.query).toBe("?after=2");
  });

  it("SAY2 the button for more stays under the focus while its page loads, and the focus stays in the dialog after the last", async () => {
    const held = Promise.withResolvers<void>();
    const answers: Answerer[] = [
      () => json(200, { conversations: [one("b")], next: "1" }),
      () => held.promise.then(() => problem("support_timeout")),
      () => json(200, { conversations: [one("a")] }),
    ];
    const { dialog, press, panel, bff } = await openPast(
      (...call) => answers.shift()?.(...call) ?? json(500, {}),
    );
    const more = [...(dialog()?.querySelectorAll("button") ?? [])].at(-1);
    more?.focus();
    await press("Show more");
    await press("Show more");
    expect([document.activeElement, more?.getAttribute("aria-disabled")]).toEqual([more, "true"]);
    expect(bff.calls(LIST)).toHaveLength(2);
    held.resolve();
    await panel.rest();
    expect([document.activeElement, more?.textContent]).toEqual([more, "Retry"]);
    expect(dialog()?.querySelector('[role="status"] button')).toBeNull();
    await press("Retry");
    expect(more?.isConnected).toBe(false);
    expect(dialog()?.contains(document.activeElement)).toBe(true);
  });

  it("each is listed with the day and time when it began, by the customer's own clock", async () => {
    vi.stubEnv("TZ", "Pacific/Auckland");
    onTestFinished(() => void vi.unstubAllEnvs());
    const { dialog } = await openPast(() =>
      json(200, { conversations: [one("a", { startedAt: "2026-08-14T13:12:00.000Z" })] }),
    );
    const time = dialog()?.querySelector("li time");
    expect(time?.textContent?.replace(/\s/g, " ")).toBe("Aug 15, 2026, 1:12 AM");
    expect(time?.getAttribute("datetime")).toBe("2026-08-14T13:12:00.000Z");
  });

  it.each([
    [{ ended: { at: AT, by: "customer" } }, "You ended it"],
    [{ ended: { at: AT, by: "human" } }, "Ended by the team"],
    [{ ended: { at: AT, by: "system" } }, "Ended automatically"],
    [{ ended: undefined }, "The conversation has ended"],
    [{ ended: undefined, status: "open" }, ""],
  ])("%j is shown as the service reported the end: %s", async (more, words) => {
    const { dialog } = await openPast(() => json(200, { conversations: [one("a", more)] }));
    const facts = dialog()?.querySelector("li time")?.parentElement;
    expect(facts?.textContent).toMatch(new RegExp(`Maria${words}$`));
  });

  it("a past conversation can be read from end to start, with ways back to the list and the current one", async () => {
    const pages = [
      { status: "ended", messages: [said(9, "The **newest** words")], nextBefore: 9 },
      { status: "ended", messages: [said(2, "The oldest words")] },
    ];
    const { text, press, dialog, panel } = await openPast(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, pages.shift()),
    );
    await press("Words of a.b");
    expect(text()).toContain("The newest words");
    expect(text()).toContain("Send a message to start a new one");
    await press("Show more");
    expect(text()).toMatch(/The oldest words.*The newest words/);
    await press("Past conversations");
    expect(text()).toContain("Words of a.b");
    const pressEscape = (init?: KeyboardEventInit) => panel.key("Escape", init, dialog() as HTMLElement);
    await pressEscape({ keyCode: 229 });
    expect(dialog()).not.toBeNull();
    await pressEscape();
    expect(dialog()).toBeNull();
    expect(panel.closed()).toBe(0);
  });

  it.each(Object.keys(FAULTS))("%s shows no conversation, says so, and offers Retry", async (fault) => {
    const fail = FAULTS[fault];
    let isBroken = true;
    const { text, press, dialog } = await openPast((...request) =>
      isBroken && fail ? fail(...request) : json(200, { conversations: [one("a")] }),
    );
    expect(dialog()?.querySelectorAll("li")).toHaveLength(0);
    isBroken = false;
    await press("Retry");
    expect(text()).toContain("Words of a");
  });

  it("hand-offs, ends and files are at their places, and a file is saved from the past conversation", async () => {
    const letter = "%PDF-1.7";
    const file = { id: "att1", name: "letter.pdf", type: "application/pdf", size: letter.length };
    const messages = [said(2, "With a letter"), { ...said(4, "Goodbye"), attachments: [file] }];
    const marks = [
      { seq: 3, at: AT, type: "handoff.accepted", name: "Maria" },
      { seq: 5, at: AT, type: "conversation.ended" },
    ];
    const { bff, text, press, saved } = await openPast(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, { status: "ended", messages, marks }),
    );
    await press("Words of a.b");
    expect(text()).toMatch(/With a letter.*Maria joined.*Goodbye.*letter\.pdf.*The conversation has ended/);
    bff.script(
      "GET /api/conversation/attachments/att1",
      () => new Response(letter, { headers: { "content-type": "application/pdf" } }),
    );
    await press("letter.pdf");
    expect(saved).toEqual(["letter.pdf of 8"]);
    expect(bff.calls("GET /api/conversation/attachments/att1").at(-1)?.query).toBe("?of=a.b");
  });

  it("HIST6 actions are at their places, with their results and without buttons", async () => {
    const asked = (seq: number, more: object) => ({
      actionId: `act_${seq}`,
      name: "shop_refund",
      title: "Refund an order",
      arguments: [{ label: "Order", value: `${1000 + seq}` }],
      seq,
      at: AT,
      ...more,
    });
    const actions = [
      asked(3, { approved: true, result: { status: "completed", text: "Refund 77" } }),
      asked(4, { approved: true, result: { status: "unknown" } }),
      asked(5, {}),
    ];
    const { dialog, text, press } = await openPast(
      () => json(200, { conversations: [one("a.b")] }),
      () => json(200, { status: "ended", messages: [said(2, "May I?"), said(6, "Goodbye")], actions }),
    );
    await press("Words of a.b");
    expect(text()).toMatch(/May I\?.*Order1003Done\.Refund 77.*Order1004We don't know.*Order1005.*Goodbye/);
    const card = dialog()?.querySelector('[role="group"]');
    expect(card?.getAttribute("aria-label")).toBe("Our AI agent asks for your permission: Refund an order");
    expect(dialog()?.querySelectorAll('[role="group"] button')).toHaveLength(0);
  });

  it("HIST2 a logout removes past conversations, and a late answer does not bring them back", async () => {
    const late = Promise.withResolvers<Response>();
    const answers = [() => json(200, { conversations: [one("canary")], next: "2" }), () => late.promise];
    const { panel, press, dialog, past } = await openPast(() => answers.shift()?.() ?? late.promise);
    expect(panel.text()).toContain("canary");
    await press("Show more");
    await act(() => void panel.chat.identity.logout());
    late.resolve(json(200, { conversations: [one("canary")] }));
    await panel.rest();
    expect(dialog()).toBeNull();
    expect(past.conversations.value).toBeUndefined();
    expect(panel.text()).not.toContain("canary");
  });
});
