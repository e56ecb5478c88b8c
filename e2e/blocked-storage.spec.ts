import { expect, test } from "@playwright/test";
import { firefox } from "./browser.ts";
import { setUpDesk } from "./kit/desk.ts";
import { startIdentitySite } from "./kit/identity-site.ts";
import { endConversation, frameOf, panelOn } from "./kit/panel.ts";
import { openShop } from "./kit/shop.ts";
import { type Stage, startStage } from "./kit/stage.ts";

/**
 * The effect of the browser's own setting "block all third-party cookies": localStorage throws in a frame of another
 * site.
 */
const BLOCK_THIRD_PARTIES = { "network.cookie.cookieBehavior": 1 };

test.use({
  launchOptions: {
    ...firefox.launchOptions,
    firefoxUserPrefs: { ...firefox.launchOptions.firefoxUserPrefs, ...BLOCK_THIRD_PARTIES },
  },
});

let stage: Stage;
test.beforeAll(async () => {
  stage = await startStage({ kind: "full" });
});
test.afterAll(() => stage.dispose());

/** The result of accessing the storage that would outlive the tab. */
const touchStorage = () => {
  try {
    localStorage.setItem("touched", "1");
    return "there";
  } catch (error) {
    return error instanceof DOMException ? error.name : "unknown";
  }
};

test("FRAME4 a browser that blocks third-party storage: question, answer, person, end", async ({
  browser,
}) => {
  const errors: string[] = [];
  const { page, panel, leave } = await stage.visit(browser, async (context) => {
    context.on("weberror", (error) => errors.push(error.error().message));
  });
  // The setting is active, and affects only the frame of another site: the page around it still has its storage
  // (control).
  const frame = frameOf(page);
  expect(await frame.evaluate(touchStorage)).toBe("SecurityError");
  expect(await page.evaluate(touchStorage)).toBe("there");

  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText("2 to 4 business days").first()).toBeVisible();
  await expect(panel.log.getByText(/\bSent\b/).first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  const [id = ""] = [...stage.mock.conversations.keys()];
  await stage.mock.acceptHandoff(id, "Maya");
  await stage.mock.say(id, "Maya", "Hello, this is Maya.");
  await expect(panel.log.getByText("Hello, this is Maya.")).toBeVisible();
  await endConversation(panel);
  await expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible();
  expect(errors).toEqual([]);
  expect(stage.mock.violations).toEqual([]);
  expect(stage.mock.conversations.size).toBe(1);
  await leave();
});

test("FOLLOW1 a browser that blocks third-party storage: a customer whom the site identifies meets a reply on another page", async ({
  browser,
}) => {
  const site = await startIdentitySite();
  const shop = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
  const maya = await (await browser.newContext()).newPage();
  await setUpDesk(maya, shop.product.setupLink());
  const page = await (await browser.newContext()).newPage();
  const panel = panelOn(page);
  await page.goto(`${site.origin}/sign-in?as=ann`);
  await page.goto(`${site.origin}/url`);
  await panel.open();
  expect(await frameOf(page).evaluate(touchStorage)).toBe("SecurityError");
  await panel.say("Where is my lamp?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await maya.bringToFront();
  await maya
    .getByRole("button", { name: /Where is my lamp/ })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await expect(maya.getByRole("textbox", { name: "Reply" })).toBeEditable();
  await page.bringToFront();
  await panel.button("Close chat").click();

  await page.goto(`${site.origin}/url?page=2`);
  await expect.poll(() => page.evaluate("Parley.connection")).toBe("online");
  const before = Number(await page.evaluate("Parley.unreadCount"));
  await maya.bringToFront();
  await maya.getByRole("textbox", { name: "Reply" }).fill("It leaves today.");
  await maya.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect.poll(() => page.evaluate("Parley.unreadCount"), { timeout: 2000 }).toBe(before + 1);
  await shop.dispose();
});
