import { expect, type Locator, type Page, test } from "@playwright/test";
import { DESK_PASSWORD } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

/** More tab stops than the panel, or a page of the desk, has. */
const MAX_STOPS = 60;

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

/** Presses Tab until `target` has the focus, as a person without a mouse does. */
async function tabTo(page: Page, target: Locator, key = "Tab"): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    if (await target.evaluate((element) => element.matches(":focus"))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not lead to ${String(target)}`);
}

async function press(page: Page, target: Locator, key?: string): Promise<void> {
  await tabTo(page, target, key);
  await page.keyboard.press("Enter");
}

/** Creates the first account with the one-time link. */
async function signUp(desk: Page): Promise<void> {
  await desk.goto(product.setupLink());
  for (const [label, text] of [
    ["E-mail", "maya@harbour.example"],
    ["Name", "Maya Lindqvist"],
    ["Password", DESK_PASSWORD],
  ] as const) {
    await tabTo(desk, desk.getByLabel(label, { exact: true }));
    await desk.keyboard.type(text);
  }
  await desk.keyboard.press("Enter");
}

test("the whole main job without a mouse, on both sides: ask, answer, person, reply, hand back, end", async ({
  browser,
}) => {
  const customer = await (await browser.newContext()).newPage();
  const desk = await (await browser.newContext()).newPage();
  await customer.goto(product.site);
  const panel = panelOn(customer);

  await press(customer, panel.launcher);
  await expect(panel.composer).toBeFocused();
  await customer.keyboard.type("How long does delivery take?");
  await customer.keyboard.press("Enter");
  await expect(panel.log.getByText(/business days|working days/i).first()).toBeVisible();
  await press(customer, panel.button("Talk to a person"));
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  // The button is gone, and the focus is in the composer.
  await expect(panel.composer).toBeFocused();

  await signUp(desk);
  await press(desk, desk.getByRole("button", { name: /How long does delivery take|visitor/i }).first());
  await press(desk, desk.getByRole("button", { name: "Take conversation" }));
  const reply = desk.getByRole("textbox", { name: "Reply" });
  await expect(reply).toBeFocused();
  await desk.keyboard.type("Hello, this is Maya.");
  await desk.keyboard.press("Enter");
  await expect(panel.log).toContainText("Hello, this is Maya.");
  await expect(panel.composer).toBeFocused();

  await press(desk, desk.getByRole("button", { name: "Hand back to agent" }));
  await expect(
    panel.frame.getByText("You're chatting with our AI agent", { exact: false }).first(),
  ).toBeVisible();
  await customer.keyboard.type("Can I return a lamp?");
  await customer.keyboard.press("Enter");
  await expect(panel.log.getByText(/30 days|return/i).nth(1)).toBeVisible();

  await press(customer, panel.button("End conversation"));
  const question = panel.frame.getByRole("alertdialog", { name: "End this conversation?" });
  await press(customer, question.getByRole("button", { name: "End conversation" }));
  await expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible();
  await customer.keyboard.press("Escape");
  await expect(panel.launcher).toBeFocused();

  // Safari on a Mac gives a clicked button no focus, takes it from the text box, and has no `CloseWatcher`.
  await panel.composer.evaluate((box) => {
    Reflect.deleteProperty(window, "CloseWatcher");
    addEventListener("mousedown", (event) => {
      event.preventDefault();
      box.blur();
    });
  });
  await customer.keyboard.press("Enter");
  await expect(panel.composer).toBeFocused();
  await panel.button("More").click();
  await customer.keyboard.press("Escape");
  await expect(panel.button("More")).toHaveAttribute("aria-expanded", "false");
  await customer.keyboard.press("Escape");
  await expect(panel.launcher).toBeFocused();
});
