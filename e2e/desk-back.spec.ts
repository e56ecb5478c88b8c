import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { openCustomer } from "../service/testing/test-customer.ts";
import { setUpDesk } from "./kit/desk.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { issueCredential } from "./kit/service-client.ts";

let product: Product;
/** Its name is the one of the set-up link, which the session's cookie belongs to. */
let address: string;
let cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
test.beforeAll(async ({ browser }) => {
  product = await startProduct();
  const page = await browser.newPage();
  await setUpDesk(page, product.setupLink());
  address = page.url();
  cookies = await page.context().cookies();
  await page.close();
  await fillQueue();
});
test.afterAll(() => product.dispose());

/** Two customers who wait. */
async function fillQueue(): Promise<void> {
  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${product.port}${path}`, init);
  const credential = await issueCredential(product);
  for (const name of ["ann", "ben"]) {
    const customer = await openCustomer(request, credential, name);
    const conversationId = await customer.start();
    await customer.say(conversationId, `A question from ${name}`);
    await customer.post("/v1/support/handoffs", { conversationId });
  }
}

/** The desk, signed in. */
async function openDesk(context: BrowserContext): Promise<Page> {
  await context.addCookies(cookies);
  const desk = await context.newPage();
  await desk.goto(address);
  return desk;
}

test("DESK23 on a phone the browser's Back leads from a conversation and a customer's page to the row in the queue", async ({
  browser,
}) => {
  const viewport = { width: 390, height: 800 };
  const desk = await openDesk(await browser.newContext({ viewport }));
  const ben = desk.getByRole("button", { name: /question from ben/ });
  const log = desk.getByRole("log");
  const start = await desk.evaluate(() => history.length);
  await ben.click();
  await expect(log).toContainText("A question from ben");
  await desk.goBack();
  await expect(ben).toBeFocused();
  await desk.reload();
  await expect(ben).toBeVisible();

  await desk.goForward();
  await expect(log).toContainText("A question from ben");
  await desk.reload();
  await expect(log).toContainText("A question from ben");
  // The desk's own Back leaves no entry that does nothing, even if another row is pressed at once.
  await desk.getByRole("button", { name: "Back to the list" }).click();
  await desk.getByRole("button", { name: /question from ann/ }).click();
  await expect(log).toContainText("A question from ann");
  expect(await desk.evaluate(() => history.length)).toBe(start + 1);
  await desk.goBack();
  await expect(desk.getByRole("button", { name: /question from ann/ })).toBeFocused();

  await desk.getByRole("link", { name: "All about ben" }).click();
  await expect(desk.getByRole("heading", { level: 1, name: "ben", exact: true })).toBeFocused();
  await desk.goBack();
  await expect(ben).toBeFocused();
});

test("DESK23 on a phone the browser's Back leads from the customer's details to the conversation, and Forward to the details", async ({
  browser,
}) => {
  const viewport = { width: 390, height: 800 };
  const desk = await openDesk(await browser.newContext({ viewport }));
  const log = desk.getByRole("log");
  const details = desk.getByRole("button", { name: "Customer details" });
  const back = desk.getByRole("button", { name: "Back to the conversation" });
  await desk.getByRole("button", { name: /question from ben/ }).click();
  await expect(log).toContainText("A question from ben");
  const start = await desk.evaluate(() => history.length);
  await details.click();
  await expect(back).toBeFocused();
  await desk.goBack();
  await expect(desk.getByRole("heading", { level: 1, name: "ben" })).toBeFocused();
  await expect(log).toBeVisible();
  await desk.goForward();
  await expect(back).toBeFocused();
  await desk.reload();
  await expect(back).toBeVisible();
  // The desk's own Back leaves no entry that does nothing.
  await back.click();
  await expect(log).toContainText("A question from ben");
  await details.click();
  expect(await desk.evaluate(() => history.length)).toBe(start + 1);
  await desk.goBack();
  await expect(log).toBeVisible();
  await desk.goBack();
  await expect(desk.getByRole("button", { name: /question from ben/ })).toBeFocused();
});

test("DESK23 DESK28 on a wide desk moving among conversations adds nothing to the browser's history, and a reload keeps the text that a person is writing", async ({
  context,
}) => {
  const desk = await openDesk(context);
  const start = await desk.evaluate(() => history.length);
  for (const name of ["ben", "ann", "ben"]) {
    await desk.getByRole("button", { name: new RegExp(`question from ${name}`) }).click();
    await expect(desk.getByRole("log")).toContainText(`A question from ${name}`);
  }
  expect(await desk.evaluate(() => history.length)).toBe(start);

  await desk.getByRole("button", { name: "Take conversation" }).click();
  const reply = desk.getByRole("textbox", { name: "Reply" });
  await reply.pressSequentially("Which lamp");
  desk.on("dialog", (dialog) => dialog.accept());
  await desk.reload();
  await expect(reply).toHaveValue("Which lamp");
});

test("DESK23 the browser's Back leads from People and the own account to the desk, and a reload stays there", async ({
  context,
}) => {
  const desk = await openDesk(context);
  const log = desk.getByRole("log");
  const title = (name: string) => desk.getByRole("heading", { level: 1, name });
  // The focus returns to the first row: the list has to be read before.
  const first = desk.getByRole("button", { name: /question from/ }).first();
  await expect(first).toBeVisible();
  const start = await desk.evaluate(() => history.length);
  await desk.getByRole("button", { name: "People" }).click();
  await expect(title("People")).toBeFocused();
  await desk.goBack();
  await expect(first).toBeFocused();
  await desk.getByRole("button", { name: /question from ben/ }).click();
  await expect(log).toContainText("A question from ben");
  await desk.getByRole("button", { name: "People" }).click();
  await expect(title("People")).toBeFocused();
  await desk.reload();
  await expect(title("People")).toBeFocused();
  await desk.getByRole("button", { name: /^Your account/ }).click();
  await expect(title("Your account")).toBeFocused();
  await desk.goBack();
  await expect(title("People")).toBeFocused();
  await desk.goBack();
  await expect(log).toContainText("A question from ben");
  await expect(title("ben")).toBeFocused();
  // The entry before has another conversation by now: going back to it changes no address.
  await desk.getByRole("button", { name: /question from ann/ }).click();
  await expect(log).toContainText("A question from ann");
  const address = desk.url();
  await desk.goForward();
  await desk.getByRole("button", { name: "Conversations" }).click();
  await expect(log).toContainText("A question from ann");
  await desk.getByRole("button", { name: /question from ben/ }).click();
  await expect(log).toContainText("A question from ben");
  await expect(desk).not.toHaveURL(address);
  // The desk's own way back leaves no entry that does nothing.
  await desk.getByRole("button", { name: "People" }).click();
  await expect(title("People")).toBeFocused();
  await desk.getByRole("button", { name: "Conversations" }).click();
  await expect(log).toContainText("A question from ben");
  await desk.getByRole("button", { name: /question from ann/ }).click();
  await expect(log).toContainText("A question from ann");
  expect(await desk.evaluate(() => history.length)).toBe(start + 1);
});
