import { expect, type Locator, test } from "@playwright/test";
import { panelOn } from "./kit/panel.ts";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(async () => {
  await stage.close();
});

test("reduced motion stops all motion, and without it something moves (control)", async ({ browser }) => {
  for (const [reducedMotion, moves] of [
    ["reduce", false],
    ["no-preference", true],
  ] as const) {
    stage.set([]);
    const page = await (await browser.newContext({ reducedMotion })).newPage();
    await page.goto(stage.page());
    const panel = panelOn(page);
    await panel.open();
    await panel.say("Hello");
    await expect(panel.log.getByText("Sent")).toBeVisible();
    stage.signal({ type: "typing.started", role: "agent" });
    await expect(panel.log.getByRole("img", { name: /is typing/ })).toBeVisible();
    const running = () =>
      panel.log.evaluate(
        (log) => log.ownerDocument.getAnimations().filter((one) => one.playState === "running").length,
      );
    if (moves) expect(await running()).toBeGreaterThan(0);
    else await expect.poll(running).toBe(0);
    await page.context().close();
  }
});

test("every target is 24 px or more, action buttons 44; states are shown in text, not only by colour", async ({
  page,
}) => {
  stage.set([]);
  await page.goto(stage.page({ suggestions: "Where is my order?" }));
  const panel = panelOn(page);
  await panel.open();
  const small: string[] = [];
  const measure = async () => {
    for (const target of await panel.frame
      .locator("button:visible, a:visible, [role=button]:visible")
      .all()) {
      const box = await target.boundingBox();
      const name = (await target.getAttribute("aria-label")) ?? (await target.innerText());
      // The criterion exempts links within a sentence.
      if (await target.evaluate((one) => one.matches("p a"))) continue;
      if (box && Math.min(box.width, box.height) < 24) small.push(`${name} ${box.width} × ${box.height}`);
      if (/^(Send|Close chat|Talk to a person|Retry)$/.test(name) && box && box.height < 44) small.push(name);
    }
  };
  await measure();
  await panel.say("Hello");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  await page.route("**/api/conversation/messages", (route) => route.fulfill({ status: 502, body: "" }));
  await panel.say("Is anybody there?");
  await expect(panel.log.getByText("Not confirmed")).toBeVisible();
  await expect(panel.button("Retry")).toBeVisible();
  await measure();
  expect(small).toEqual([]);
  await page.unroute("**/api/conversation/messages");

  // In Windows high contrast, which leaves out colours and shadows.
  await page.emulateMedia({ forcedColors: "active" });
  const bubble = (state: string) => panel.log.locator(`[data-state="${state}"] [class*=bubble]`).first();
  await expect(bubble("not_confirmed")).toHaveCSS("border-style", "dashed");
  await expect(bubble("message")).toHaveCSS("border-style", "solid");
  const box = panel.composer.locator("..");
  await panel.composer.focus();
  await expect(box).toHaveCSS("outline-style", "solid");
  await panel.composer.blur();
  await expect(box).not.toHaveCSS("outline-style", "solid");
});

test("sources, Copy and the teaser's Close fit fingers", async ({ page }) => {
  stage.set([]);
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  const stream = page.waitForResponse((answer) => answer.url().endsWith("/api/conversation/events"));
  await panel.say("Hello");
  await stream;
  const citations = [{ citationId: "c1", title: "Repairs", url: "https://shop.example/repairs" }];
  stage.say({ role: "agent", body: "```\nnpm start\n```", citations });
  const isBigEnough = async (target: Locator) => {
    await expect(target).toBeVisible();
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  };
  await isBigEnough(panel.frame.getByRole("link", { name: /^Repairs/ }));
  await isBigEnough(panel.button("Copy"));
  await panel.button("Close chat").click();
  stage.say({ role: "agent", body: "And one more thing." });
  await isBigEnough(panel.button("Close"));
});

test("LOOK15 on a phone on its side a first screen with a problem has its box in sight", async ({ page }) => {
  stage.set([]);
  await page.setViewportSize({ width: 667, height: 375 });
  await page.route("**/chat-identity", (route) => route.fulfill({ status: 500 }));
  await page.goto(stage.page({ suggestions: "Where is my order?", identityUrl: "/chat-identity" }));
  const panel = panelOn(page);
  await panel.launcher.click();
  await expect(panel.button("Continue without signing in")).toBeInViewport({ ratio: 1 });
  await expect(panel.composer).toBeInViewport({ ratio: 1 });
});

test("LOOK1 a character that the emoji font does not draw is legible without a bubble", async ({ page }) => {
  stage.set([]);
  await page.goto(stage.page());
  const panel = panelOn(page);
  await panel.open();
  // Without a variation selector, fonts draw it in the colour of the text.
  await panel.say("\u2764");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  const [heart, ink] = await panel.log.evaluate((log) =>
    [log.querySelector("[data-emoji]"), log].map((one) => one && getComputedStyle(one).color),
  );
  expect(heart).toBe(ink);
});

test("the frame has the lang and dir of its texts, and a title", async ({ browser }) => {
  for (const [locale, lang, dir] of [
    ["en", "en", "ltr"],
    ["ar", "ar", "rtl"],
  ] as const) {
    const page = await (await browser.newContext()).newPage();
    await page.goto(stage.page({ locale }));
    await page.getByRole("button", { name: /^Open chat/ }).click();
    const frame = page.frameLocator("iframe");
    await expect(frame.locator(`html[lang="${lang}"][dir="${dir}"]`)).toBeAttached();
    expect(await frame.locator("html").evaluate((root) => root.ownerDocument.title)).not.toBe("");
    await page.context().close();
  }
});
