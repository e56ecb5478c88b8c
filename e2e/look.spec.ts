import { expect, type Locator, type Page, test } from "@playwright/test";
import type { Message } from "../shared/message.ts";
import { violationsOf } from "./kit/axe.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";
import { pull } from "./kit/pull.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(async () => {
  await stage.close();
});

const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1} of a long answer.`).join("\n\n");

const message = (seq: number, role: Message["role"], body: string): Message => ({
  id: `m${seq}`,
  seq,
  role,
  body,
  at: "2026-11-20T10:00:00.000Z",
  ...(role === "customer" ? { clientMessageId: `k${seq}` } : {}),
});

/** A conversation with everything that a message may contain. */
const RICH = [
  message(2, "customer", "Hello 👋"),
  message(3, "agent", "1. one\n   - below\n\n| Size | Price |\n|---|--:|\n| S | 4 |\n\n```\nnpm start\n```"),
  message(4, "customer", "🎉"),
  message(5, "human", `שלום\n\n${"long".repeat(60)}`),
  message(6, "customer", "Thanks"),
];

/** How far the log is scrolled, and whether that is its end. */
const scrollOf = (log: Locator) =>
  log.evaluate((box) => ({
    top: box.scrollTop,
    isAtEnd: box.scrollHeight - box.scrollTop - box.clientHeight < 2,
  }));

const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? Number.NaN;

test("LOOK2 a long answer is shown from its beginning, and a reader's scroll position is never moved", async ({
  page,
}) => {
  stage.set([]);
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  // Pieces sent before the stream is open would be lost.
  const stream = page.waitForResponse((answer) => answer.url().endsWith("/api/conversation/events"));
  await panel.say("Tell me all");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  await stream;
  const answer = panel.log.getByRole("article", { name: /^AI agent:/ });

  // It grows piece by piece: followed until its beginning is at the top, and then held there.
  for (const piece of LONG.match(/[\s\S]{1,200}/g) ?? []) {
    stage.signal({ type: "response.delta", messageId: "m3", delta: piece });
  }
  await expect(answer.getByText("Paragraph 60 of")).toBeAttached();
  await expect.poll(async () => (await topOf(answer)) - (await topOf(panel.log))).toBeLessThan(60);
  expect(await topOf(answer)).toBeGreaterThanOrEqual(await topOf(panel.log));
  await expect(panel.frame.getByText("Paragraph 1 of")).toBeInViewport();
  expect((await scrollOf(panel.log)).isAtEnd).toBe(false);
  const held = await scrollOf(panel.log);
  stage.say({ id: "m3", role: "agent", body: LONG });
  await expect(panel.log.locator('[data-state="answer"]')).toHaveCount(0);
  expect(await scrollOf(panel.log)).toEqual(held);
  // Its end is not reported as new while its beginning is being read.
  await expect(panel.button("New messages")).toHaveCount(0);
  await expect(panel.button("Go to the newest message")).toBeVisible();

  // Later messages do not move the log either; the button says so, and leads there.
  stage.say({ role: "human", body: "Are you still there?", author: { name: "Maya" } });
  await expect(panel.button("New messages")).toBeVisible();
  expect(await scrollOf(panel.log)).toEqual(held);
  await panel.button("New messages").click();
  await expect(panel.log).toBeFocused();
  await expect(panel.log.getByText("Are you still there?")).toBeInViewport();
  await expect(panel.log.getByText("New", { exact: true })).toBeVisible();
  expect((await scrollOf(panel.log)).isAtEnd).toBe(true);

  // At the end of the log, short messages are followed.
  stage.say({ role: "human", body: "Hello?", author: { name: "Maya" } });
  await expect(panel.log.getByText("Hello?")).toBeInViewport();
  await expect(panel.button("New messages")).toHaveCount(0);
});

test("LESS4 an answer that was cut off has no sign that it is being written", async ({ page }) => {
  stage.set([]);
  const piece = { type: "response.snapshot", messageId: "m3", text: "Returns are free" };
  let streams = 0;
  await page.route("**/api/conversation/events", (route) => {
    streams += 1;
    // The first one ends after the piece.
    if (streams > 1) return route.fallback();
    return route.fulfill({ contentType: "text/event-stream", body: `data: ${JSON.stringify(piece)}\n\n` });
  });
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  await panel.say("Hello");
  await expect(panel.log.getByText("This answer was cut off.")).toBeVisible();
  const words = panel.log.getByText(piece.text);
  const sign = () => words.evaluate((element) => getComputedStyle(element, "::after").content);
  expect(await sign()).toBe("none");
  // Control: somebody goes on with it.
  stage.signal({ type: "response.snapshot", messageId: "m3", text: `${piece.text} within` });
  await expect(panel.log.getByText("within")).toBeVisible();
  expect(await sign()).toBe('""');
});

test("LOOK4 LOOK6 on a desktop: a double click on the launcher does nothing in the panel, keys scroll the log, axe finds nothing", async ({
  browser,
}) => {
  stage.set(RICH);
  for (const [colorScheme, color] of [
    ["light", "#ffd400"],
    ["dark", "#3b2fd6"],
  ] as const) {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    await page.goto(stage.page({ color, suggestions: "Where is my order?" }));
    const panel = panelOn(page);
    const box = await panel.launcher.boundingBox();
    if (!box) throw new Error("no launcher");
    // With the panel loaded, the second press hits it.
    await panel.open();
    await panel.button("Close chat").click();
    await expect(panel.launcher).toBeFocused();
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await expect(panel.log.getByRole("article").filter({ hasText: "Thanks" })).toBeInViewport();
    await expect(panel.frame.getByRole("alertdialog")).toHaveCount(0);
    expect(await violationsOf(page)).toEqual([]);

    // There is nothing to press in the launcher's place.
    const place = await panel.composer.evaluate(() => {
      const under = document.elementFromPoint(innerWidth - 28, innerHeight - 28);
      return under?.closest("button, a")?.textContent ?? "nothing";
    });
    expect(place).toBe("nothing");

    await panel.log.focus();
    await page.keyboard.press("End");
    await expect(
      panel.log.getByRole("article", { name: /^You:/ }).filter({ hasText: "Thanks" }),
    ).toBeFocused();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowUp");
    const rich = panel.log.getByRole("article").filter({ hasText: "npm start" });
    await expect(rich).toBeFocused();
    // With room for its focus ring, which the log would cut off.
    const [inner, outer] = await Promise.all([rich.boundingBox(), panel.log.boundingBox()]);
    expect((inner?.y ?? 0) - (outer?.y ?? 0)).toBeGreaterThan(3);
    await expect(rich.getByRole("cell", { name: "4" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel.composer).toBeFocused();
    await context.close();
  }
});

test("on a phone the panel fills the screen, nothing zooms, targets fit fingers; on paper the log is complete", async ({
  browser,
}) => {
  stage.set([]);
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto(stage.page({ suggestions: "Where is my order?\nCan I return it?" }));
  const panel = panelOn(page);
  await panel.launcher.tap();
  await expect(panel.button("Where is my order?")).toBeVisible();
  await expect.poll(() => page.locator("iframe").boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
  expect(await panel.composer.evaluate((box) => parseFloat(getComputedStyle(box).fontSize))).toBe(16);
  for (const name of ["Where is my order?", "Can I return it?", "Send", "Talk to a person", "Close chat"]) {
    const size = await panel.button(name).boundingBox();
    expect(Math.min(size?.width ?? 0, size?.height ?? 0), name).toBeGreaterThanOrEqual(44);
  }
  await panel.button("Where is my order?").tap();
  await expect(panel.log.getByText("Sent")).toBeVisible();

  stage.set(
    Array.from({ length: 80 }, (_, at) => message(at + 2, at % 2 ? "agent" : "customer", `Line ${at}`)),
  );
  const paper = await context.newPage();
  await paper.goto(stage.frame);
  await expect(paper.getByText("Line 79")).toBeInViewport();
  await paper.emulateMedia({ media: "print", colorScheme: "dark" });
  const printed = await paper.evaluate(() => document.documentElement.scrollHeight);
  expect(printed).toBeGreaterThan(2 * viewport.height);
  for (const name of ["Message", "Send", "Close chat"]) {
    await expect(paper.getByLabel(name, { exact: true }).first()).toBeHidden();
  }
  await expect(paper.getByText("You:").first()).toBeVisible();
  await context.close();
});

test("LOOK15 the first screen is filled, with suggestions and without, and nothing of it is cut off in a low window", async ({
  page,
}) => {
  stage.set([]);
  for (const suggestions of ["", "Where is my order?\nDo you repair old lamps?\nCan I return a lamp?"]) {
    await page.setViewportSize({ width: 1000, height: 760 });
    await page.goto(stage.page({ suggestions }));
    const panel = panelOn(page);
    await panel.open();
    for (const [width, height] of [
      [1000, 760],
      [390, 844],
      [360, 560],
      [460, 420],
      [320, 256],
    ] as const) {
      await page.setViewportSize({ width, height });
      const name = `${width} x ${height} ${suggestions}`;
      const room = () =>
        panel.frame.getByRole("dialog").evaluate((section) => {
          const note = section.querySelector("[role=log] p")?.getBoundingClientRect().bottom ?? 0;
          const next = section.querySelector("ul") ?? section.querySelector("textarea");
          return ((next?.getBoundingClientRect().top ?? 0) - note) / section.clientHeight;
        });
      await expect.poll(room, name).toBeLessThan(1 / 6);
      for (const control of [panel.composer, panel.button("Talk to a person"), panel.button("Close chat")])
        await expect(control, name).toBeInViewport({ ratio: 1 });
      if (suggestions) await expect(panel.button("Where is my order?"), name).toBeInViewport({ ratio: 1 });
    }
  }
});

for (const reducedMotion of ["no-preference", "reduce"] as const)
  test(`LOOK14 the panel comes and goes with a motion (${reducedMotion}), and a closed one is out of reach at once`, async ({
    browser,
  }) => {
    stage.set(RICH);
    const context = await browser.newContext({ reducedMotion });
    const page = await context.newPage();
    await page.goto(stage.page());
    const panel = panelOn(page);
    const chat = page.locator('iframe[title="Chat"]');
    await expect(panel.launcher).toBeVisible();
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      document.querySelector("parley-chat")?.shadowRoot?.addEventListener("animationstart", (event) => {
        if (event instanceof AnimationEvent) seen.push(event.animationName);
      });
    });
    // Loaded by the first touch and never open: nothing moves.
    await panel.launcher.hover();
    await expect(page.locator("parley-chat iframe[inert]")).toBeAttached();
    const streaming = page.waitForResponse((answer) => answer.url().endsWith("/events"));
    await panel.open();
    await streaming;
    await expect(panel.log.getByRole("article").filter({ hasText: "Thanks" })).toBeInViewport();
    const isInert = await page.evaluate(async () => {
      await window.Parley.close();
      return document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe")?.inert;
    });
    expect(isInert).toBe(true);
    await expect(chat).toBeHidden();
    expect(await chat.ariaSnapshot().catch(() => "")).toBe("");
    // Other rules for the closed frame, as the preview of a message brings them, play nothing again.
    stage.say({ role: "human", body: "Still there?", author: { name: "Maya" } });
    await expect(panel.frame.locator(".teaser__teaser")).toBeVisible();
    await panel.open();
    // A motion is reported with the frame that begins it.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await expect
      .poll(() => page.evaluate("window.seen"))
      .toEqual(reducedMotion === "reduce" ? [] : ["parley-in", "parley-out", "parley-in"]);
    await context.close();
  });

/**
 * Requests closing as the phone's back button does. A focused element might handle Escape itself, so nothing has the
 * focus.
 */
async function requestClose(page: Page): Promise<void> {
  await frameOf(page).evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press("Escape");
}

/** The position of the frame and of the visible area, and how far the text box is above its lower edge. */
const placesOn = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
    const { y = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
    const { offsetTop, height: visible = 0, scale = 0 } = visualViewport ?? {};
    const rounded = [y, height, offsetTop, visible].map((value) => Math.round(value ?? 0));
    return { frame: rounded.slice(0, 2), visible: rounded.slice(2), width, scale };
  });

test("LOOK9 PAGE6 with real touches, close requests, history and viewport: the panel stays in the visible area, and closes", async ({
  browser,
}) => {
  stage.set([]);
  const context = await browser.newContext({
    viewport: { width: 360, height: 660 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await page.goto(stage.page({ title: "The page before" }));
  await page.goto(stage.page());
  const entries = await page.evaluate(() => history.length);
  const panel = panelOn(page);
  const isOpen = () => page.evaluate("Parley.isOpen");
  await panel.launcher.tap();
  await expect(panel.composer).toBeFocused();

  // The visible area is smaller than the layout, as with a keyboard; then its lower part is visible.
  const isFrameWhatIsVisible = async () => {
    const { frame, visible, width } = await placesOn(page);
    return width === 360 && frame.join() === visible.join() && visible;
  };
  await cdp.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1.09 });
  await expect.poll(isFrameWhatIsVisible).toEqual([0, 606]);
  await page.evaluate(() => {
    const below = document.body.appendChild(document.createElement("p"));
    below.style.cssText = "position: fixed; bottom: 0; margin: 0; height: 1px";
    below.scrollIntoView();
    below.remove();
  });
  await expect.poll(isFrameWhatIsVisible).toEqual([54, 606]);
  const box = await panel.composer.evaluate((area) => area.getBoundingClientRect().bottom);
  expect(box).toBeLessThan(606);
  // Zooming with two fingers also shows less, but does not shrink the panel.
  await cdp.send("Input.synthesizePinchGesture", {
    x: 180,
    y: 300,
    scaleFactor: 2,
    gestureSourceType: "mouse",
  });
  await expect.poll(async () => (await placesOn(page)).scale).toBeGreaterThan(2);
  await expect.poll(async () => (await placesOn(page)).frame).toEqual([0, 660]);
  await cdp.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
  // A keyboard that shrinks the window.
  await page.setViewportSize({ width: 360, height: 330 });
  await expect.poll(isFrameWhatIsVisible).toEqual([0, 330]);
  await expect(panel.composer).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 660 });
  await expect.poll(isFrameWhatIsVisible).toEqual([0, 660]);

  // A short drag at the header, one upwards and one with two fingers have other meanings.
  await pull(cdp, [180], 30, 50);
  await pull(cdp, [180], 40, -30);
  await pull(cdp, [120, 240], 30, 200);
  expect(await isOpen()).toBe(true);
  await pull(cdp, [180], 30, 150);
  await expect(panel.launcher).toBeFocused();
  expect(await isOpen()).toBe(false);

  await panel.launcher.tap();
  await panel.say("Hello");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  await panel.button("End conversation").tap();
  const question = panel.frame.getByRole("alertdialog");
  await expect(question).toBeVisible();
  await requestClose(page);
  await expect(question).toBeHidden();
  expect(await isOpen()).toBe(true);
  await requestClose(page);
  await expect(panel.launcher).toBeVisible();
  expect(await isOpen()).toBe(false);

  // We add no entry to the history: one step back is the previous page.
  expect(await page.evaluate(() => history.length)).toBe(entries);
  await panel.launcher.tap();
  await expect.poll(isOpen).toBe(true);
  await page.goBack();
  expect(page.url()).toContain("before");
  await expect(panel.launcher).toBeVisible();

  // Control: a browser without close requests has no such way back.
  await page.addInitScript(() => Reflect.deleteProperty(window, "CloseWatcher"));
  await page.goto(stage.page());
  await panel.launcher.tap();
  await expect(panel.composer).toBeFocused();
  await requestClose(page);
  expect(await isOpen()).toBe(true);
  await context.close();
});
