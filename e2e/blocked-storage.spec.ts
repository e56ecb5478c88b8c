import { expect, test } from "@playwright/test";
import { firefox } from "./browser.ts";
import { endConversation, frameOf } from "./kit/panel.ts";
import { type Stage, startStage } from "./kit/stage.ts";

/**
 * What the browser's own setting "block all third-party cookies" does: localStorage throws in a frame of another site.
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
