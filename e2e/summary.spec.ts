import { expect, type Route, test } from "@playwright/test";
import { violationsOf } from "./kit/axe.ts";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

const OFFER = "Add a summary for our team";
const SENT = "Summary sent to our team";
const QUESTION = "My lamp arrived broken. It is order 48213.";

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.dispose());

test("HAND6 OUT2 a customer edits a summary, reloads, sends it by the keyboard, and the desk shows each place", async ({
  browser,
}) => {
  const page = await (await browser.newContext()).newPage();
  const desk = await (await browser.newContext()).newPage();
  await setUpDesk(desk, product.setupLink());
  await page.goto(product.site);
  const { open, say, log, frame, button } = panelOn(page);
  await open();
  await say(QUESTION);
  await log.locator('[data-role="agent"] [data-state="message"]').last().waitFor();
  await button("Talk to a person").click();
  // Among those who wait: a click is lost on a row that is just leaving the agent's group.
  const waiting = desk.getByRole("region", { name: "Waiting" });
  await waiting.getByRole("button", { name: /lamp arrived broken/ }).click();
  const region = desk.getByRole("main");
  await expect(desk.getByRole("log")).toContainText("lamp arrived broken");

  await button(OFFER).focus();
  await page.keyboard.press("Enter");
  const box = frame.getByRole("textbox", { name: OFFER });
  await expect(box).toBeFocused();
  await expect(box).toHaveValue(/^My lamp arrived broken\.\nIt is order 48213\./);
  await expect(box).toHaveAccessibleDescription(/Our team sees it only once you send it\./);
  expect(await violationsOf(page)).toEqual([]);
  await box.press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("I need it");
  await page.reload();
  await expect(box).toHaveValue(/^My lamp arrived broken\.\nIt is order 48213\..*\nI need it$/s);
  await desk.getByRole("button", { name: "Take conversation" }).click();
  await expect(log).toContainText("Maya Lindqvist");
  await box.press("Control+End");
  await page.keyboard.type(" by Friday.");
  // It is there after a person has joined, too, where no new summary is offered.
  await page.reload();
  await expect(box).toHaveValue(/\nI need it by Friday\.$/);
  await box.focus();
  // Nothing of it reaches the team before it is sent.
  await expect(region.getByText("Summary by the customer")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(
    frame.getByRole("button", { name: `Send ${OFFER}`, exact: true }).and(frame.locator(":focus")),
  ).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(frame.getByText(`${SENT}.`).first()).toBeVisible();
  await expect(log).toContainText(SENT);
  await expect(frame.getByRole("textbox", { name: "Message" })).toBeFocused();

  const card = region.getByRole("group").filter({ hasText: "Summary by the customer" });
  await expect(card.getByRole("listitem").last()).toHaveText("I need it by Friday. Customer's own words");
  await expect(card.getByRole("listitem").first()).toContainText("My lamp arrived broken.");
  await expect(desk.getByRole("log")).toContainText("Summary sent by the customer");
  const place = card.getByRole("button", { name: /^Show the message from/ }).first();
  await place.focus();
  await desk.keyboard.press("Enter");
  await expect(desk.locator("[data-seq]:focus")).toContainText("My lamp arrived broken.");
  expect(await violationsOf(desk)).toEqual([]);

  await page.reload();
  await expect(log).toContainText(SENT);
  await expect(button(OFFER)).toHaveCount(0);
});

test("HAND6 the text stays in its box while support can't be reached, and goes once", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(product.site);
  const { open, say, log, frame, button } = panelOn(page);
  await open();
  await say(QUESTION);
  await button("Talk to a person").click();
  await button(OFFER).click();
  const box = frame.getByRole("textbox", { name: OFFER });
  await expect(box).toHaveValue(/order 48213/);
  await box.fill("It is urgent.");
  const address = "**/api/conversation/summary";
  const loseAnswer = async (route: Route) => {
    // The service has it, and its answer is lost.
    await route.fetch();
    await route.abort();
  };
  await page.route(address, loseAnswer, { times: 1 });
  const send = frame.locator("form").filter({ has: box }).getByRole("button").first();
  await send.click();
  await expect(log).toContainText(SENT);
  await expect(box).toHaveCount(0);

  await button("End conversation").click();
  await frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
  await say(QUESTION);
  await button("Talk to a person").click();
  await button(OFFER).click();
  await expect(box).toHaveValue(/order 48213/);
  await box.fill("Still urgent.");
  await page.route(address, (route) => route.abort());
  await send.click();
  await expect(frame.getByText("Not confirmed.").first()).toBeVisible();
  await expect(box).toHaveValue("Still urgent.");
  await expect(frame.getByText(SENT)).toHaveCount(0);
  await page.unroute(address);
  await expect(send).toHaveText("Retry");
  await send.click();
  await expect(log.getByText(SENT)).toHaveCount(1);
});
