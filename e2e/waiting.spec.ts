import { type Browser, expect, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

const HOUR_MS = 3_600_000;

/** Hours of every day that begin in two hours. */
function hoursLater(now: number): string {
  const [from, to] = [2, 4].map((hours) => new Date(now + hours * HOUR_MS).toISOString().slice(11, 16));
  return `Mon-Sun ${from}-${to} UTC`;
}

async function startAsking(browser: Browser, product: Product, words: string) {
  const page = await (await browser.newContext()).newPage();
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(words);
  await expect(panel.log).toContainText(words);
  await panel.button("Talk to a person").click();
  return { ...panel, page };
}

test("HAND5 a customer reads their place, and the next one when a person takes who was before", async ({
  browser,
}) => {
  const product = await startProduct({ SUPPORT_HOURS: "Mon-Sun 00:00-24:00 UTC" });
  try {
    const first = await startAsking(browser, product, "I was first");
    await expect(first.frame.getByText("Your place in the queue: 1").first()).toBeVisible();
    const second = await startAsking(browser, product, "I was second");
    await expect(second.frame.getByText("Your place in the queue: 2").first()).toBeVisible();

    const desk = await (await browser.newContext()).newPage();
    await setUpDesk(desk, product.setupLink());
    await desk.getByRole("button", { name: /I was first/ }).click();
    await desk.getByRole("button", { name: "Take conversation", exact: true }).click();
    await expect(first.frame.getByText("Maya Lindqvist joined").first()).toBeVisible();
    await expect(first.frame.getByText(/Your place in the queue/).filter({ visible: true })).toHaveCount(0);
    await expect(second.frame.getByText("Your place in the queue: 1").first()).toBeVisible();
    await expect(second.frame.getByText("Your place in the queue: 2")).toHaveCount(0);
  } finally {
    await product.dispose();
  }
});

test("HAND5 outside of the hours the panel says when support opens, before and after it is asked", async ({
  browser,
}) => {
  const product = await startProduct({ SUPPORT_HOURS: hoursLater(Date.now()) });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(product.site);
    const panel = panelOn(page);
    await panel.open();
    await expect(panel.frame.getByRole("button", { name: "Talk to a person" })).toHaveAccessibleDescription(
      /^We're back (today|tomorrow) \d/,
    );
    const asking = await startAsking(browser, product, "Is anybody there?");
    await expect(asking.frame.getByText(/^We're back .+ · Your place in the queue: 1$/)).toBeVisible();
  } finally {
    await product.dispose();
  }
});

test("CONTACT1 a waiting customer leaves an address once, the desk shows it as unverified, and a reload does not ask again", async ({
  browser,
}) => {
  const product = await startProduct();
  try {
    const { page, frame, button } = await startAsking(browser, product, "Nobody there?");
    const offer = "Leave your e-mail address so our team can write to you.";
    await button(offer).click();
    const box = frame.getByRole("textbox", { name: offer });
    await expect(box).toBeFocused();
    await box.fill("ann@shop");
    await page.keyboard.press("Enter");
    await expect(box).toHaveAccessibleDescription("Please check the e-mail address.");
    await box.fill("ann@shop.example");
    await page.keyboard.press("Enter");
    await expect(
      frame.getByText(/Our team can write to you at .?ann@shop\.example.?\./).first(),
    ).toBeVisible();
    await expect(button("Change")).toBeFocused();

    const desk = await (await browser.newContext()).newPage();
    await setUpDesk(desk, product.setupLink());
    await desk.getByRole("button", { name: /Nobody there/ }).click();
    const details = desk.getByRole("complementary", { name: "Customer" });
    await expect(details).toContainText("ann@shop.example Unverified, typed by the customer");

    await page.reload();
    await expect(frame.getByText(/Our team can write to you at/)).toBeVisible();
    await expect(button(offer)).toHaveCount(0);
    await button("Change").click();
    await button("Remove \u2068ann@shop.example\u2069").click();
    await expect(button(offer)).toBeVisible();
    await expect(details).not.toContainText("ann@shop.example");
  } finally {
    await product.dispose();
  }
});
