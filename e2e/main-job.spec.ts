import { expect, test } from "@playwright/test";
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

test("the whole main job: ask, answer, person, end, and all of it survives SIGKILL", async ({ browser }) => {
  const customer = await (await browser.newContext()).newPage();
  const errors = errorsOf(customer);
  await customer.goto(product.site);
  const panel = panelOn(customer);
  await panel.open();

  // A question, and an answer from the articles, with its source.
  await panel.say("How long does delivery take?");
  await expect(panel.log).toContainText("How long does delivery take?");
  await expect(panel.log.getByText(/business days|working days/i).first()).toBeVisible();
  await expect(panel.log.getByText("Sent").first()).toBeVisible();

  // A person is asked for; nothing claims that one has joined.
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();

  // The person, in another browser.
  const maya = await (await browser.newContext()).newPage();
  const errorsAtDesk = errorsOf(maya);
  await setUpDesk(maya, product.setupLink());
  await maya
    .getByRole("button", { name: /How long does delivery take|visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await expect(panel.frame.getByText(/Maya Lindqvist/).first()).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("Hello, this is Maya. Your parcel leaves today.");
  await maya.getByRole("button", { name: "Send reply" }).click();
  await expect(panel.log).toContainText("Your parcel leaves today.");

  // Live in the other direction too, and each sees when the other is typing.
  // Firefox has one active window: a covered page gets no keys.
  await customer.bringToFront();
  await panel.composer.pressSequentially("Tha");
  await expect(maya.getByText(/is typing/)).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("You are");
  await expect(panel.frame.getByRole("img", { name: "Maya Lindqvist is typing" })).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill("");
  await panel.say("Thank you, Maya!");
  await expect(maya.getByText("Thank you, Maya!").first()).toBeVisible();

  // The process is killed. Everything acknowledged is still there.
  await product.crash();
  await customer.reload();
  await panel.open();
  for (const text of ["How long does delivery take?", "Your parcel leaves today.", "Thank you, Maya!"]) {
    await expect(panel.log.getByText(text)).toHaveCount(1);
  }

  // Desk sessions survive too; the agent gets the conversation back and answers again.
  await maya.reload();
  await maya
    .getByRole("button", { name: /Thank you, Maya|visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Hand back to agent" }).click();
  await panel.say("Can I return a lamp?");
  await expect(panel.log.getByText(/30 days|return/i).nth(1)).toBeVisible();

  // The end needs a confirmation, so that a slip ends nothing.
  await panel.button("End conversation").click();
  await expect(panel.frame.getByRole("alertdialog", { name: "End this conversation?" })).toBeVisible();
  await panel.button("End conversation").click();
  await expect(panel.frame.getByText(/conversation has ended|you ended/i).first()).toBeVisible();
  expect([...errors, ...errorsAtDesk]).toEqual([]);
});
