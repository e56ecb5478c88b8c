import { type Browser, expect, type Page, test } from "@playwright/test";
import { openCustomer } from "../service/testing/test-customer.ts";
import { violationsOf } from "./kit/axe.ts";
import { errorsOf } from "./kit/complaints.ts";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { eraseCustomer, issueCredential } from "./kit/service-client.ts";

let product: Product;
test.beforeEach(async () => {
  product = await startProduct();
});
test.afterEach(() => product.dispose());

const newPage = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

test("DESK24 the page of a customer is reached by keyboard, survives a reload, opens a conversation and says that they were erased", async ({
  browser,
}) => {
  const desk = await newPage(browser);
  const errors = errorsOf(desk);
  await setUpDesk(desk, product.setupLink());
  const request = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${product.port}${path}`, init);
  const ann = await openCustomer(request, await issueCredential(product), "ann");
  const first = await ann.start();
  await ann.say(first, "Do you ship to Bern?");
  await ann.delete(`/v1/support/conversations/${first}`);
  const second = await ann.start();
  await ann.say(second, "My lamp is broken");
  await ann.post("/v1/support/handoffs", { conversationId: second });

  const row = desk.getByRole("listitem").getByRole("button", { name: /My lamp is broken/ });
  await row.focus();
  await desk.keyboard.press("Tab");
  await expect(desk.getByRole("link", { name: "All about ann" })).toBeFocused();
  await desk.keyboard.press("Enter");
  const heading = desk.getByRole("heading", { level: 1, name: "ann", exact: true });
  await expect(heading).toBeFocused();
  await expect(desk).toHaveURL(/\/desk#customer=cus_/);
  const listed = desk.getByRole("main").getByRole("listitem");
  await expect(listed).toContainText([/My lamp is broken.*Waiting/, /Do you ship to Bern\?.*Ended/]);
  await desk.reload();
  await expect(heading).toBeFocused();
  // News arrives while it is open.
  await ann.say(second, "It is order 48213");
  await expect(listed.first()).toContainText("Last: It is order 48213");

  await listed.first().getByRole("button").focus();
  await desk.keyboard.press("Enter");
  await expect(desk.getByRole("log")).toContainText("My lamp is broken");
  await expect(desk).toHaveURL(/\/desk#conversation=/);
  await desk.getByRole("main").getByRole("link", { name: "All about ann" }).click();
  await expect(heading).toBeVisible();
  await desk.goBack();
  await expect(desk.getByRole("log")).toContainText("My lamp is broken");
  await desk.goForward();
  await expect(heading).toBeVisible();
  expect(errors).toEqual([]);

  await eraseCustomer(product, "ann");
  await desk.reload();
  await expect(desk.getByRole("main").getByRole("alert")).toContainText("This customer's data was deleted");
  await expect(desk.getByText(/Bern|lamp/)).toHaveCount(0);
  expect(await violationsOf(desk)).toEqual([]);
});

test("DESK13 DESK24 two visitors from one page have signs of their own, and pages of their own", async ({
  browser,
}) => {
  const desk = await newPage(browser);
  await setUpDesk(desk, product.setupLink());
  for (const question of ["Is it in stock?", "What does it cost?"]) {
    const panel = panelOn(await visitSite(browser));
    await panel.open();
    await panel.say(question);
    await panel.button("Talk to a person").click();
  }
  const rows = desk.getByRole("region", { name: "Waiting" }).getByRole("listitem");
  await expect(rows).toHaveCount(2);
  const names = await rows.locator("bdi").allInnerTexts();
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^Visitor [B-Z][2-9]/);
  const signs = rows.getByRole("link");
  for (const colorScheme of ["light", "dark"] as const) {
    await desk.emulateMedia({ colorScheme });
    expect(await violationsOf(desk)).toEqual([]);
  }
  await desk.emulateMedia({ forcedColors: "active" });
  expect(await signs.allInnerTexts()).toEqual(names.map((name) => name.slice(8, 10)));
  await signs.first().click();
  await expect(desk.getByRole("heading", { level: 1, name: names[0] ?? "" })).toBeVisible();
  await expect(desk.getByRole("main")).toContainText("Not identified");
  await expect(desk.getByRole("main").getByRole("listitem")).toContainText(["Is it in stock?"]);
});

async function visitSite(browser: Browser): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(product.site);
  return page;
}
