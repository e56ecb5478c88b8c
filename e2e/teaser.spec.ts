import { expect, type Page, test } from "@playwright/test";
import { panelOn } from "./kit/panel.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(async () => {
  await stage.close();
});

const NEWS = "Good news: **your parcel** left this morning.";
const chatOf = (page: Page) => page.locator('iframe[title="Chat"]');

/** A conversation that was read to its end; the panel is open. */
async function startTalk(page: Page, settings: Readonly<Record<string, string>> = {}) {
  stage.set([]);
  await page.goto(stage.page(settings));
  const panel = panelOn(page);
  await expect(panel.launcher).toBeVisible();
  const box = await panel.launcher.boundingBox();
  if (!box) throw new Error("no launcher");
  const streaming = page.waitForResponse((answer) => answer.url().endsWith("/events"));
  // Its second half arrives while the frame loads, and takes nothing back.
  await page.mouse.dblclick(box.x + 20, box.y + 20);
  await expect(panel.composer).toBeFocused();
  await panel.say("Hello");
  await streaming;
  // Previews and the following of new messages load with the look of messages.
  await expect(panel.log.getByRole("article")).toHaveCount(1);
  for (let at = 0; at < 6; at += 1) stage.say({ role: "agent", body: `Answer ${at}. `.repeat(30) });
  await expect(panel.log.getByText("Answer 5.")).toBeInViewport();
  return { panel, teaser: panel.frame.locator(".teaser__teaser") };
}

test("TEASE1 TEASE2 READ1 READ2 LOOK6 a message that arrives while the panel is closed is previewed, pressed and read, and no longer counts on the next page", async ({
  page,
}) => {
  const { panel, teaser } = await startTalk(page);
  const open = await chatOf(page).boundingBox();
  await expect.poll(stage.readUpTo).toBe(8);
  await panel.button("Close chat").click();
  await expect(chatOf(page)).toBeHidden();
  await expect(panel.launcher).toBeFocused();

  stage.say({ role: "human", body: NEWS, author: { name: "Maya" } });
  await expect(teaser).toHaveText(/Maya.*Good news: your parcel left this morning\./);
  await expect(teaser).toBeVisible();
  await expect(page.getByRole("button", { name: "Open chat, 1 unread" })).toBeVisible();
  const small = await chatOf(page).boundingBox();
  const launcher = await panel.launcher.boundingBox();
  if (!small || !launcher) throw new Error("nothing above the launcher");
  expect([small.width, small.height < 120, small.y + small.height < launcher.y]).toEqual([280, true, true]);
  await expect(panel.launcher).toBeFocused();
  // The page gets neither the text nor its author, and a screen reader announces the launcher's name.
  expect(await page.evaluate("document.querySelector('parley-chat').shadowRoot.textContent")).toBe("");
  await expect(teaser.locator("[aria-live], [role=status], [role=alert]")).toHaveCount(0);

  await page.evaluate("Parley.hide()");
  await expect(chatOf(page)).toBeHidden();
  await page.evaluate("Parley.show()");
  await expect(teaser).toBeVisible();

  await page.mouse.click(small.x + 60, small.y + 50);
  await expect(panel.composer).toBeFocused();
  await expect(teaser).toHaveCount(0);
  await expect.poll(() => chatOf(page).boundingBox()).toEqual(open);
  await expect(panel.log.getByText("New", { exact: true })).toBeInViewport();
  await expect(panel.log.getByText("your parcel")).toBeInViewport();
  const place = await panel.log.evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
  expect(place).toBeLessThan(2);
  await expect.poll(stage.readUpTo).toBe(9);

  await panel.button("Close chat").click();
  await expect(chatOf(page)).toBeHidden();
  await page.evaluate("Parley.update({teaser: false})");
  stage.say({ role: "agent", body: "Unteased" });
  await expect(page.getByRole("button", { name: "Open chat, 1 unread" })).toBeVisible();
  stage.say({ role: "agent", body: "Nor this" });
  await expect(page.getByRole("button", { name: "Open chat, 2 unread" })).toBeVisible();
  await expect(chatOf(page)).toBeHidden();

  // The next page requests nothing without intent; with the first intent it knows the unread count.
  await page.reload();
  await expect(panel.launcher).toHaveAccessibleName("Open chat");
  await panel.launcher.hover();
  await expect(panel.launcher).toHaveAccessibleName("Open chat, 2 unread");
  await panel.open();
  await expect(panel.log.getByText("New", { exact: true })).toBeInViewport();
  await expect(panel.log.getByText("Unteased")).toBeInViewport();
  await expect.poll(stage.readUpTo).toBe(11);
});

test("TEASE1 LOOK5 on a phone, on the left: a preview, then the whole screen; copying works", async ({
  page,
  context,
}) => {
  // A browser with a window allows this after a press on the page; the loader decides whether the frame may use it.
  await context.grantPermissions(["clipboard-write"]);
  await page.setViewportSize({ width: 390, height: 700 });
  const { panel, teaser } = await startTalk(page, { position: "left", colorScheme: "dark" });
  await panel.button("Close chat").click();
  await expect(chatOf(page)).toBeHidden();
  stage.say({ role: "agent", body: "```\nnpm start\n```" });
  await expect(teaser).toBeVisible();
  const small = await chatOf(page).boundingBox();
  expect([small?.x, small?.width]).toEqual([20, 280]);
  await page.mouse.click(60, (small?.y ?? 0) + 20);
  await expect(panel.composer).toBeFocused();
  await expect.poll(() => chatOf(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 700 });
  await panel.log.getByRole("button", { name: "Copy" }).click();
  await expect(panel.log.getByRole("button", { name: "Copied" })).toBeVisible();
});

test("TEASE3 a message above the launcher is closed by a press, a key and Escape: nothing is opened or read, and the focus stays", async ({
  page,
}) => {
  const { panel, teaser } = await startTalk(page, { position: "right" });
  await expect.poll(stage.readUpTo).toBe(8);
  // The button is at the end of the line in the panel's language, on whichever side the launcher is.
  await page.evaluate("Parley.setLocale('ar')");
  const close = teaser.getByRole("button", { name: "إغلاق", exact: true });
  await panel.frame.getByRole("button", { name: "إغلاق المحادثة" }).click();
  await expect(chatOf(page)).toBeHidden();
  // Its name is Arabic as well.
  const launcher = page.locator("parley-chat button");
  const box = page.getByRole("textbox", { name: "Search" });
  await page.evaluate(() => {
    const search = Object.assign(document.createElement("input"), { ariaLabel: "Search" });
    document.querySelector("main")?.append(search);
    search.focus();
  });

  stage.say({ role: "human", body: NEWS, author: { name: "Maya" } });
  await expect(close).toHaveAccessibleDescription(/Maya.*your parcel/);
  const size = await close.boundingBox();
  if (!size) throw new Error("no button");
  expect(Math.min(size.width, size.height)).toBeGreaterThanOrEqual(24);
  await page.mouse.click(size.x + size.width / 2, size.y + size.height / 2);
  await expect(chatOf(page)).toBeHidden();
  await expect(box).toBeFocused();

  for (const key of ["Enter", "Escape"]) {
    stage.say({ role: "human", body: key, author: { name: "Maya" } });
    await expect(teaser).toContainText(key);
    await launcher.focus();
    await page.keyboard.press("Tab");
    await expect(close).toBeFocused();
    await page.keyboard.press(key);
    await expect(chatOf(page)).toBeHidden();
    await expect(launcher).toBeFocused();
    await expect(launcher).toHaveAttribute("data-parley", key === "Enter" ? "2" : "3");
  }
  // A closed frame is not a tab stop, even with something unread.
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.localName")).toBe("body");
  expect(await page.evaluate("Parley.isOpen")).toBe(false);
  expect(stage.readUpTo()).toBe(8);
});
