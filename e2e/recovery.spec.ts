import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { operate } from "./kit/service-client.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// The real product is stopped and started under an open panel. How soon it is back at most: client/backoff.test.ts.

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite({ "/": { html: lampPage(TAG) } }));
});
test.afterAll(() => shop.dispose());

test("LINE1 OUT1 the panel reports an outage and recovers: the waiting message is sent once, and the error disappears", async ({
  page,
}) => {
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  await expect(panel.frame.getByText("You're chatting with our AI agent")).toBeVisible();

  await shop.product.stop();
  await panel.say("Are you still there?");
  await expect(panel.log.getByText(/^Waiting to send\./)).toBeVisible();
  await expect(panel.frame.getByText("We can't reach support").first()).toBeVisible();
  await expect(panel.frame.getByText("You're offline")).toHaveCount(0);

  await shop.product.start();
  const back = Date.now();
  await expect(panel.log.getByText(/^Waiting to send\./)).toHaveCount(0);
  await expect(panel.frame.getByText("You're chatting with our AI agent").first()).toBeVisible();
  test.info().annotations.push({ type: "back after", description: `${Date.now() - back} ms` });
  await expect(panel.frame.getByText("We can't reach support")).toHaveCount(0);
  await expect(panel.log.getByText("Are you still there?")).toHaveCount(1);
  await page.reload();
  await expect(panel.log.getByText("Are you still there?")).toHaveCount(1);
});

test("OPS4 MSG7 after a restore an open panel does not confirm a later message any more, and Retry sends it again", async ({
  page,
}) => {
  const { product } = shop;
  const backup = join(product.dataDir, "backup.sqlite");
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  await panel.say("Before the backup");
  await expect(panel.log.getByText("Sent")).toBeVisible();
  await operate(product, "backup", backup);
  const confirmed = page.waitForResponse(
    (answer) => answer.url().endsWith("/api/conversation/messages") && answer.status() === 201,
  );
  await panel.say("After the backup");
  await confirmed;

  await product.stop();
  await operate(product, "restore", backup, "--force");
  await product.start();
  await expect(panel.log.getByText("Not confirmed")).toHaveCount(1);
  await expect(panel.log.getByText("Before the backup")).toBeVisible();
  await panel.button("Retry").click();
  await expect(panel.log.getByText("Not confirmed")).toHaveCount(0);
  await page.reload();
  await expect(panel.log.getByText("After the backup")).toHaveCount(1);
});

test("LINE1 a panel that was opened during an outage starts once the product answers", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  // Its files are here; only the first session is still to be made.
  await panel.launcher.hover();
  await expect(page.locator("parley-chat iframe[inert]")).toBeAttached();
  await expect(panel.frame.getByRole("textbox", { name: "Message", includeHidden: true })).toBeAttached();
  await shop.product.stop();
  await panel.open();
  await expect(panel.frame.getByText(/^We can't reach support right now\..*stays here\.$/)).toBeVisible();
  await shop.product.start();
  await expect(panel.frame.getByText(/^We can't reach support right now\..*stays here\.$/)).toHaveCount(0);
  await expect(panel.frame.getByText("You're chatting with our AI agent").first()).toBeVisible();
  await context.close();
});
