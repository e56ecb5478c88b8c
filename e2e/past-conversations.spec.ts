import { type Browser, expect, type Page, test } from "@playwright/test";
import { openCustomer } from "../service/testing/test-customer.ts";
import { errorsOf } from "./kit/complaints.ts";
import { type IdentitySite, startIdentitySite } from "./kit/identity-site.ts";
import { identify } from "./kit/moments.ts";
import { endConversation, type Panel, panelOn } from "./kit/panel.ts";
import { issueCredential } from "./kit/service-client.ts";
import { openShop, type Shop } from "./kit/shop.ts";

let shop: Shop<IdentitySite>;
test.beforeAll(async () => {
  const site = await startIdentitySite();
  shop = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
});
test.afterAll(() => shop.dispose());

const open = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();
const listOf = ({ frame }: Panel) => frame.getByRole("dialog", { name: "Past conversations" });

async function openList(panel: Panel) {
  const entry = panel.frame.getByRole("button", { name: "Past conversations" });
  // Focus that comes to another place meanwhile closes the menu.
  await expect(async () => {
    if (!(await entry.isVisible())) await panel.button("More").click();
    await entry.click({ timeout: 5000 });
  }).toPass();
  return listOf(panel);
}

/** Says something, and waits until the service confirmed it. */
async function talk(panel: Panel, text: string): Promise<void> {
  await panel.say(text);
  await expect(panel.log.getByText(text)).toHaveCount(1);
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
}

/** Has a conversation and ends it. */
async function finish(panel: Panel, text: string): Promise<void> {
  await talk(panel, text);
  await endConversation(panel);
  await expect(panel.frame.getByText("This conversation has ended.").first()).toBeVisible();
}

/** The shop, on a device where this customer is signed in. */
async function deviceOf(browser: Browser, customer: string): Promise<Panel> {
  const page = await open(browser);
  await page.goto(`${shop.site.origin}/`);
  await identify(page, () => shop.site.sign(customer));
  const panel = panelOn(page);
  await panel.open();
  return panel;
}

test("HIST1 HIST4 an anonymous visitor's ended conversation is found after a reload, read by keyboard and continued", async ({
  browser,
}) => {
  const customer = await open(browser);
  const errors = errorsOf(customer);
  await customer.goto(`${shop.site.origin}/`);
  const panel = panelOn(customer);
  await panel.open();
  await finish(panel, "Where is my first parcel?");
  await talk(panel, "And the second one?");
  await customer.reload();
  await panel.open();

  const past = await openList(panel);
  await expect(past.getByRole("listitem")).toHaveCount(2);
  const first = past.getByRole("button", { name: /Where is my first parcel.*You ended it/ });
  await first.focus();
  await customer.keyboard.press("Enter");
  await expect(past.getByRole("article").first()).toContainText("Where is my first parcel?");
  await expect(past.getByText("The conversation has ended")).toBeVisible();
  await customer.keyboard.press("Escape");
  await expect(first).toBeFocused();
  await customer.keyboard.press("Enter");
  await expect(past.getByText("This ends your current conversation.")).toBeVisible();
  await past.getByRole("button", { name: "Continue this conversation" }).press("Enter");
  await expect(past).toBeHidden();
  await expect(panel.composer).toBeFocused();
  await expect(panel.log).toContainText("Where is my first parcel?");
  await expect(panel.log).not.toContainText("And the second one?");
  await expect(panel.frame.getByText("Send a message to continue it.")).toBeVisible();
  await talk(panel, "It is still missing");
  await expect(panel.log).toContainText("You continued the conversation");
  await expect(panel.button("End conversation")).toBeVisible();
  await customer.reload();
  await panel.open();
  await expect(panel.log).toContainText("Where is my first parcel?");
  await expect(panel.log).toContainText("It is still missing");
  const list = await openList(panel);
  await expect(list.getByRole("listitem")).toHaveCount(2);
  await expect(list.getByRole("button", { name: /And the second one.*You ended it/ })).toBeVisible();
  expect(errors).toEqual([]);
});

test("HIST4 a request for a person is given up for a past conversation only after a question, also by keyboard", async ({
  browser,
}) => {
  const customer = await open(browser);
  await customer.goto(`${shop.site.origin}/`);
  const panel = panelOn(customer);
  await panel.open();
  await finish(panel, "Where is my first parcel?");
  await talk(panel, "My lamp is broken");
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText("We've asked a teammate to join. You can keep writing.")).toBeVisible();

  const past = await openList(panel);
  await past.getByRole("button", { name: /Where is my first parcel/ }).click();
  const proceed = past.getByRole("button", { name: "Continue this conversation" });
  await proceed.press("Enter");
  const question = past.getByRole("alertdialog", { name: "End this conversation?" });
  await expect(question.getByRole("button", { name: "Keep it open" })).toBeFocused();
  await customer.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(proceed).toBeFocused();
  await proceed.press("Enter");
  await question.getByRole("button", { name: "Keep it open" }).press("Enter");
  await expect(proceed).toBeFocused();
  await customer.reload();
  await panel.open();
  await expect(panel.frame.getByText("We've asked a teammate to join. You can keep writing.")).toBeVisible();

  await (await openList(panel)).getByRole("button", { name: /Where is my first parcel/ }).click();
  await proceed.press("Enter");
  await question.getByRole("button", { name: "End conversation" }).press("Enter");
  await expect(past).toBeHidden();
  await expect(panel.composer).toBeFocused();
  await expect(panel.log).toContainText("Where is my first parcel?");
});

test("HIST1 HIST2 HIST3 an identified customer finds and continues them on a second device, and nobody else sees any", async ({
  browser,
}) => {
  const nth = (count: number) => `Question ${count} of ann's canary`;
  // Five with another program of the shop, so that there are many, and three on a phone.
  const request = (path: string, init?: RequestInit) => fetch(shop.chat + path, init);
  const ann = await openCustomer(request, await issueCredential(shop.product), "ann");
  for (const count of [1, 2, 3, 4, 5]) {
    const conversation = await ann.start();
    await ann.say(conversation, nth(count));
    await ann.delete(`/v1/support/conversations/${conversation}`);
  }
  const phone = await deviceOf(browser, "ann");
  for (const count of [6, 7, 8]) await finish(phone, nth(count));

  const other = await deviceOf(browser, "bob");
  await talk(other, "Hello from bob");
  const others = await openList(other);
  await expect(others.getByRole("listitem")).toHaveCount(1);
  await expect(others).not.toContainText("canary");

  const laptop = await deviceOf(browser, "ann");
  const past = await openList(laptop);
  await expect(past.getByRole("listitem"), "control").toHaveCount(8);
  const box = past.getByRole("searchbox", { name: "Search your conversations" });
  await box.fill("CANARY 6");
  await box.press("Enter");
  await expect(past.getByRole("listitem")).toHaveCount(1);
  await box.fill("lighthouse");
  await box.press("Enter");
  await expect(past.getByText("Nothing found")).toBeVisible();
  await box.fill("canary 6");
  await box.press("Enter");
  await past.getByRole("button", { name: /Question 6/ }).click();
  await past.getByRole("button", { name: "Continue this conversation" }).click();
  await expect(past).toBeHidden();
  await talk(laptop, "From my laptop");
  await expect(laptop.log).toContainText("Question 6 of ann's canary");

  const again = await deviceOf(browser, "ann");
  await expect(again.log).toContainText("From my laptop");
  await expect(again.log).toContainText("Question 6 of ann's canary");
});

test("HIST5 after the current conversation was deleted, the first screen leads to the others; without any it does not", async ({
  browser,
}) => {
  const page = await open(browser);
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  const entry = panel.frame.getByRole("button", { name: "Past conversations" });
  await expect(entry).toBeHidden();
  await finish(panel, "The first question");
  await talk(panel, "The second question");
  await panel.button("More").click();
  await panel.frame.getByRole("button", { name: "Delete my conversation" }).click();
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "Delete my conversation" }).click();
  await entry.click();
  const past = listOf(panel);
  await expect(past.getByRole("listitem")).toHaveCount(1);
  await past.getByRole("button", { name: /The first question/ }).click();
  await expect(past.getByRole("article").first()).toContainText("The first question");
});
