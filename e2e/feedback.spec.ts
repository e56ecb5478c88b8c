import { expect, test } from "@playwright/test";
import { violationsOf } from "./kit/axe.ts";
import { errorsOf } from "./kit/complaints.ts";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

test("HELP1 HELP2 HELP3 by keyboard a customer says that an answer did not help, and takes it back; the desk follows", async ({
  browser,
}) => {
  const customer = await (await browser.newContext()).newPage();
  const maya = await (await browser.newContext()).newPage();
  const errors = [errorsOf(customer), errorsOf(maya)];
  await customer.goto(product.site);
  const panel = panelOn(customer);
  const isPressed = (value: boolean) =>
    expect(panel.button("Not helpful")).toHaveAttribute("aria-pressed", `${value}`);
  await panel.open();
  await panel.say("How long does delivery take?");
  await isPressed(false);
  await setUpDesk(maya, product.setupLink());
  const row = maya.getByRole("button", { name: /How long does delivery take|visitor/i }).first();
  await row.click();
  await expect(maya.getByText(/Made from/)).toBeVisible();

  // The newest answer's last control is right before the controls above the text box.
  await expect(async () => {
    await customer.keyboard.press("Shift+Tab");
    await expect(panel.button("Not helpful")).toBeFocused({ timeout: 500 });
  }).toPass();
  await customer.keyboard.press("Enter");
  await isPressed(true);
  await expect(panel.button("Not helpful")).toBeFocused();
  const mark = maya.getByText("The customer didn't find this helpful");
  await expect(mark).toBeVisible();
  expect(await violationsOf(customer)).toEqual([]);
  expect(await violationsOf(maya)).toEqual([]);

  await customer.reload();
  await panel.open();
  await isPressed(true);
  // The styles of the menu's part leave other pressed buttons alone.
  await panel.button("More").click();
  await expect(panel.button("Past conversations")).toBeVisible();
  await expect(panel.button("Not helpful")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await maya.reload();
  await row.click();
  await expect(mark).toBeVisible();

  await panel.button("Not helpful").focus();
  await customer.keyboard.press("Space");
  await isPressed(false);
  await expect(mark).toBeHidden();
  expect(errors).toEqual([[], []]);
});
