import { expect, type Locator, type Page, test } from "@playwright/test";
import { panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product.dispose());
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

async function middleOf(target: Locator) {
  const box = await target.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return [box.x + box.width / 2, box.y + box.height / 2] as const;
}

async function startTalk(page: Page) {
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.launcher.tap();
  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  return panel;
}

test("LOOK13 a double tap on Talk to a person asks for one, once, and opens no other question", async ({
  page,
}) => {
  const panel = await startTalk(page);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/handoff?") && asked.push(request.method()));
  const end = await middleOf(panel.button("End conversation"));
  const place = await middleOf(panel.button("Talk to a person"));
  await page.touchscreen.tap(...place);
  await page.touchscreen.tap(...place);
  await expect(panel.log.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await page.touchscreen.tap(...place);
  await expect(panel.frame.getByRole("alertdialog")).toHaveCount(0);
  expect(asked).toEqual(["POST"]);

  // Control: the other button is where it was, and a tap there asks its question.
  expect(await middleOf(panel.button("End conversation"))).toEqual(end);
  await page.touchscreen.tap(...end);
  await expect(panel.frame.getByRole("alertdialog")).toBeVisible();
});
