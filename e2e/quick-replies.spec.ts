import { expect, test } from "@playwright/test";
import german from "../widget/app/locales/de.json" with { type: "json" };
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

test("an answer that found nothing offers a person, once, usable by keyboard, and the desk shows what was offered", async ({
  browser,
}) => {
  const customer = await (await browser.newContext()).newPage();
  const errors = errorsOf(customer);
  await customer.goto(product.site);
  const panel = panelOn(customer);
  await panel.open();
  await panel.say("What is the capital of France?");

  const choices = panel.log.getByRole("group", { name: "Quick replies" });
  const person = choices.getByRole("button", { name: "Talk to a person" });
  await expect(person).toBeEnabled();
  await person.focus();
  await customer.keyboard.press("Enter");
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await expect(person).toBeDisabled();
  await expect(panel.composer).toBeFocused();

  // It is in the log: a reload shows it again, already used.
  await customer.reload();
  await panel.open();
  await expect(person).toBeDisabled();

  const maya = await (await browser.newContext()).newPage();
  await setUpDesk(maya, product.setupLink());
  await maya
    .getByRole("button", { name: /capital|visitor/i })
    .first()
    .click();
  await expect(maya.getByText(/^Offered: .*Talk to a person$/)).toBeVisible();
  expect(errors).toEqual([]);
});

test("the button that asks for a person is in the customer's language", async ({ browser }) => {
  const customer = await (await browser.newContext({ locale: "de-DE" })).newPage();
  await customer.goto(product.site);
  await customer.getByRole("button", { name: german.openChat }).click();
  const frame = customer.frameLocator("iframe");
  await frame.getByRole("textbox", { name: german.message }).fill("What is the capital of France?");
  await frame.getByRole("button", { name: german.send }).click();
  const choices = frame.getByRole("group", { name: german.choices });
  await expect(choices.getByRole("button", { name: german.talkToPerson })).toBeEnabled();
});

test("AGENT4 LANG8 a request for a person in words is answered with a button, in the language of the request", async ({
  browser,
}) => {
  const customer = await (await browser.newContext({ locale: "de-DE" })).newPage();
  await customer.goto(product.site);
  await customer.getByRole("button", { name: german.openChat }).click();
  const frame = customer.frameLocator("iframe");
  const say = async (text: string) => {
    await frame.getByRole("textbox", { name: german.message }).fill(text);
    await frame.getByRole("button", { name: german.send }).click();
  };
  await say("how much is shipping?");
  await expect(frame.getByText("Das steht dazu in unseren Hilfeartikeln:").first()).toBeVisible();
  await expect(frame.getByRole("table").first()).toBeVisible();
  await say("Das hilft nicht. Ich möchte mit einem Menschen sprechen");
  await expect(frame.getByText("Sie können mit einem Menschen sprechen").first()).toBeVisible();
  const person = frame
    .getByRole("group", { name: german.choices })
    .getByRole("button", { name: german.talkToPerson });
  await person.click();
  await expect(frame.getByText(german.markRequested).first()).toBeVisible();
});
