import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

// axe reads every element of every state; on a busy machine that takes its time.
test.setTimeout(180_000);

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

/** Names of the rules that `page` breaks, its frames and shadow roots included. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in panel and desk (${colorScheme})`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const customer = await context.newPage();
    await customer.goto(product.site);
    const panel = panelOn(customer);
    await expect(panel.launcher).toBeVisible();
    expect(await violationsOf(customer)).toEqual([]);
    await panel.open();
    expect(await violationsOf(customer)).toEqual([]);
    await panel.say("How long does delivery take?");
    await expect(panel.log.getByText("Sent").first()).toBeVisible();
    await panel.button("Talk to a person").click();
    await expect(panel.frame.getByText(/a person has been asked/i).first()).toBeVisible();
    expect(await violationsOf(customer)).toEqual([]);

    if (colorScheme === "dark") return;
    const maya = await (await browser.newContext()).newPage();
    await maya.goto(product.desk);
    await expect(maya.getByRole("button", { name: "Sign in" })).toBeVisible();
    expect(await violationsOf(maya)).toEqual([]);
    await setUpDesk(maya, product.setupLink());
    expect(await violationsOf(maya)).toEqual([]);
    await maya
      .getByRole("button", { name: /visitor/i })
      .first()
      .click();
    await maya.getByRole("button", { name: "Take conversation" }).click();
    await expect(maya.getByRole("textbox", { name: "Reply" })).toBeVisible();
    expect(await violationsOf(maya)).toEqual([]);
    await context.close();
  });
}
