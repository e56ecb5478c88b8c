import AxeBuilder from "@axe-core/playwright";
import { type CDPSession, expect, type Locator, type Page, test } from "@playwright/test";
import type { Message } from "../shared/message.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";

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

/** A conversation with everything in it that a message may hold. */
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

async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

test("LOOK2 a long answer is read from its beginning, and nobody who reads is moved", async ({ page }) => {
  stage.set([]);
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  await panel.say("Tell me all");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  const answer = panel.log.getByRole("article", { name: /^AI agent:/ });

  // It grows piece by piece: followed until its beginning is at the top, and held there.
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
  // Its end is no news to who reads its beginning.
  await expect(panel.button("New messages")).toHaveCount(0);
  await expect(panel.button("Go to the newest message")).toBeVisible();

  // What comes then moves nothing either; the button says so, and leads there.
  stage.say({ role: "human", body: "Are you still there?", author: { name: "Maya" } });
  await expect(panel.button("New messages")).toBeVisible();
  expect(await scrollOf(panel.log)).toEqual(held);
  await panel.button("New messages").click();
  await expect(panel.log).toBeFocused();
  await expect(panel.log.getByText("Are you still there?")).toBeInViewport();
  await expect(panel.log.getByText("New", { exact: true })).toBeVisible();
  expect((await scrollOf(panel.log)).isAtEnd).toBe(true);

  // At the end, what is short is followed.
  stage.say({ role: "human", body: "Hello?", author: { name: "Maya" } });
  await expect(panel.log.getByText("Hello?")).toBeInViewport();
  await expect(panel.button("New messages")).toHaveCount(0);
});

test("LOOK4 LOOK6 on a desktop: a double click on the launcher does nothing in the panel, keys read the log, axe finds nothing", async ({
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
    // With the panel loaded, the second press meets it.
    await panel.open();
    await panel.button("Close chat").click();
    await expect(panel.launcher).toBeFocused();
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    await expect(panel.log.getByText("Thanks")).toBeInViewport();
    await expect(panel.frame.getByRole("alertdialog")).toHaveCount(0);
    expect(await violationsOf(page)).toEqual([]);

    // The launcher's place holds nothing to press.
    const place = await panel.composer.evaluate(() => {
      const under = document.elementFromPoint(innerWidth - 28, innerHeight - 28);
      return under?.closest("button, a")?.textContent ?? "nothing";
    });
    expect(place).toBe("nothing");

    await panel.log.focus();
    await page.keyboard.press("End");
    await expect(panel.log.getByRole("article", { name: "You: Thanks" })).toBeFocused();
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowUp");
    const rich = panel.log.getByRole("article", { name: /npm start/ });
    await expect(rich).toBeFocused();
    await expect(rich.getByRole("cell", { name: "4" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(panel.composer).toBeFocused();
    await context.close();
  }
});

test("on a phone the panel has the whole screen, nothing to zoom into, targets for fingers; on paper the log is whole", async ({
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
  expect(await page.locator("iframe").boundingBox()).toEqual({ x: 0, y: 0, ...viewport });
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

/** Pulls fingers at these places down by `distance` pixels in a fifth of a second, and lifts them when they have come to rest. */
async function pull(cdp: CDPSession, xs: readonly number[], from: number, distance: number): Promise<void> {
  const began = Date.now() / 1000 - 0.5;
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", after: number, y: number) =>
    cdp.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: type === "touchEnd" ? [] : xs.map((x, id) => ({ x, y, id })),
      timestamp: began + after,
    });
  await touch("touchStart", 0, from);
  for (let step = 1; step <= 10; step += 1) {
    await touch("touchMove", step * 0.02, from + (distance * step) / 10);
  }
  // What is thrown flies on, and a tap meanwhile only holds it.
  for (let rest = 1; rest <= 10; rest += 1) await touch("touchMove", 0.2 + rest * 0.02, from + distance);
  await touch("touchEnd", 0.4, from + distance);
}

/** Asks to close as the phone's back button does. What has the focus might take Escape for itself: nothing has it. */
async function requestClose(page: Page): Promise<void> {
  await frameOf(page).evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press("Escape");
}

/** Where the frame stands, where what is visible does, and how far the text box is above its lower edge. */
const placesOn = (page: Page) =>
  page.evaluate(() => {
    const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
    const { y = 0, width = 0, height = 0 } = frame?.getBoundingClientRect() ?? {};
    const { offsetTop, height: visible = 0, scale = 0 } = visualViewport ?? {};
    const rounded = [y, height, offsetTop, visible].map((value) => Math.round(value ?? 0));
    return { frame: rounded.slice(0, 2), visible: rounded.slice(2), width, scale };
  });

test("LOOK9 PAGE6 by the browser's own touches, close requests, history and viewport: the panel stays in what is visible, and closes", async ({
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

  // Less is visible than the page was laid out for, as under a keyboard; then a lower part of it is.
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
  // Who zooms in with two fingers sees less too, and has no smaller panel.
  await cdp.send("Input.synthesizePinchGesture", {
    x: 180,
    y: 300,
    scaleFactor: 2,
    gestureSourceType: "mouse",
  });
  await expect.poll(async () => (await placesOn(page)).scale).toBeGreaterThan(2);
  await expect.poll(async () => (await placesOn(page)).frame).toEqual([0, 660]);
  await cdp.send("Emulation.setPageScaleFactor", { pageScaleFactor: 1 });
  // A keyboard that makes the window smaller.
  await page.setViewportSize({ width: 360, height: 330 });
  await expect.poll(isFrameWhatIsVisible).toEqual([0, 330]);
  await expect(panel.composer).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 660 });
  await expect.poll(isFrameWhatIsVisible).toEqual([0, 660]);

  // A short pull at the header, one upwards and one with two fingers mean something else.
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

  // No entry of the history is ours: one step back is the page before.
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
