import { type Browser, expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { type IdentitySite, startIdentitySite } from "./kit/identity-site.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// A reply reaches the customer on whatever page of the site they are, and in whatever tab.

const STRICT =
  "default-src 'none'; script-src {{origin}}; frame-src {{origin}}; style-src 'none'; base-uri 'none'";
const PAGES = {
  "/": { html: lampPage(TAG) },
  "/lamps": { html: lampPage(`${TAG}<p style="height:3000px">Lamps</p>`) },
  "/strict": { html: lampPage(TAG), headers: { "content-security-policy": STRICT } },
};
/** A reply is seen on every page within this time. */
const LIMIT_MS = 2000;

let shop: Shop;
let maya: Page;
test.beforeAll(async ({ browser }) => {
  shop = await openShop(await startSite(PAGES));
  maya = await (await browser.newContext()).newPage();
  await setUpDesk(maya, shop.product.setupLink());
});
test.afterAll(() => shop.dispose());

const unread = (page: Page) => page.getByRole("button", { name: /Open chat, \d+ unread/ });

/** A customer whose conversation a person has taken; the panel is closed. */
async function talkToMaya(browser: Browser, question: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(question);
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await maya.bringToFront();
  await maya
    .getByRole("button", { name: new RegExp(question.replace("?", "\\?")) })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await expect(maya.getByRole("textbox", { name: "Reply" })).toBeEditable();
  await page.bringToFront();
  await panel.button("Close chat").click();
  await expect(panel.launcher).toBeVisible();
  return { context, page, panel };
}

async function reply(text: string): Promise<void> {
  await maya.getByRole("textbox", { name: "Reply" }).fill(text);
  await maya.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
  await expect(maya.getByRole("textbox", { name: "Reply" })).toHaveValue("");
}

test("FOLLOW1 a reply shows on another page, in a new tab and on a page with a strict policy, without a touch", async ({
  browser,
}) => {
  const { context, page, panel } = await talkToMaya(browser, "Where is my lamp?");
  await page.goto(`${shop.site.origin}/lamps`);
  const [second, strict] = [await context.newPage(), await context.newPage()];
  await second.goto(`${shop.site.origin}/lamps`);
  await strict.goto(`${shop.site.origin}/strict`);
  await page.bringToFront();
  for (const tab of [page, second, strict]) await expect.poll(() => tab.frames().length).toBe(2);
  const live = expect.poll(() => page.evaluate("Parley.connection"));
  await live.toBe("online");

  await reply("It leaves today.");
  for (const tab of [page, second, strict])
    await expect(unread(tab)).toHaveAccessibleName("Open chat, 1 unread", { timeout: LIMIT_MS });
  await expect(panel.frame.locator(".teaser__teaser")).toContainText("It leaves today.");
  for (const tab of [page, second, strict]) expect(await tab.evaluate("Parley.isOpen")).toBe(false);
  expect(await page.evaluate("document.activeElement === document.body")).toBe(true);

  // Messages that arrived between two pages count on the next one.
  await page.goto("about:blank");
  await second.close();
  await strict.close();
  await reply("And it comes tomorrow.");
  await page.goto(`${shop.site.origin}/lamps`);
  await expect(unread(page)).toHaveAccessibleName("Open chat, 2 unread");
  await context.close();
});

test("FOLLOW2 an open panel stays open over pages and reloads, with its draft, and takes no focus", async ({
  browser,
}) => {
  const { context, page, panel } = await talkToMaya(browser, "Can I return it?");
  await panel.open();
  await panel.composer.fill("half a thought");
  for (const go of [() => page.goto(`${shop.site.origin}/lamps`), () => page.reload()]) {
    await go();
    await expect(panel.composer).toBeVisible();
    await expect(panel.log.getByText("Can I return it?")).toHaveCount(1);
    await expect(panel.composer).toHaveValue("half a thought");
    await expect(panel.composer).not.toBeFocused();
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
  }
  // A reader who was further up is at that place again.
  for (let at = 0; at < 6; at += 1) await panel.say(`One more thing, number ${at}. ${"Lamp ".repeat(80)}`);
  await expect(panel.log.getByText("number 5.")).toBeInViewport();
  // The newest message's: all of them have arrived.
  await expect(panel.log.getByText(/^(Sent|Seen)$/)).toBeVisible();
  const top = () => panel.log.evaluate((log) => Math.round(log.scrollHeight - log.scrollTop));
  await panel.log.evaluate((log) => log.scrollBy(0, -300));
  await expect(panel.frame.getByRole("button", { name: /newest/i })).toBeVisible();
  const before = await top();
  await page.reload();
  await expect(panel.composer).toBeVisible();
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(30);
  // Another tab follows the conversation without opening the panel. A new page of the site finds the panel as it was
  // left.
  await panel.button("Close chat").click();
  // The frame asks the page to close it, which comes a moment later.
  await expect.poll(() => page.evaluate("Parley.isOpen")).toBe(false);
  await page.reload();
  await expect.poll(() => page.frames().length).toBe(2);
  expect(await page.evaluate("Parley.isOpen")).toBe(false);
  await context.close();
});

test("FOLLOW3 nothing is stored and no frame is made before there is a conversation; logout and the end of a session take the mark away", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${shop.site.origin}/`);
  await expect(panelOn(page).launcher).toBeVisible();
  // Longer than any idle wait of the loader.
  await page.evaluate("new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))");
  expect(requests.filter((url) => url.startsWith(shop.chat))).toEqual([`${shop.chat}/widget.js`]);
  expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([
    0,
    0,
    "",
  ]);
  const panel = panelOn(page);
  await panel.open();
  expect(await page.evaluate("localStorage.length")).toBe(0);
  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  // The frame tells the page, which then writes the mark.
  await expect.poll(() => page.evaluate("JSON.stringify(localStorage)")).toMatch(/^\{"parley":"open \d+"\}$/);
  await page.evaluate("Parley.logout()");
  expect(await page.evaluate("localStorage.length")).toBe(0);

  // A mark that a page made up, or that outlived its session, brings a frame, asks for no session, and goes.
  // Set before the next page's scripts: the frame of this page may still say that there is no conversation any more.
  await page.addInitScript(() => {
    if (self === top) localStorage.setItem("parley", `closed ${Math.floor(Date.now() / 86_400_000)}`);
  });
  const starts: string[] = [];
  page.on("request", (request) => {
    // Firefox reports the logout's own DELETE late.
    if (request.method() === "POST") starts.push(request.url());
  });
  await page.reload();
  await expect.poll(() => page.evaluate("localStorage.length")).toBe(0);
  expect(starts).toEqual([]);
  expect(await panel.frame.locator(":root").evaluate(() => document.visibilityState)).toBe("visible");
  await context.close();
});

test.describe("FOLLOW1 a customer whom the site identifies", () => {
  let signedIn: Shop<IdentitySite>;
  let noor: Page;
  test.beforeAll(async ({ browser }) => {
    const site = await startIdentitySite();
    signedIn = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
    noor = await (await browser.newContext()).newPage();
    await setUpDesk(noor, signedIn.product.setupLink(), "Noor Haddad");
  });
  test.afterAll(() => signedIn.dispose());

  for (const isBlocked of [false, true])
    test(`meets a reply on another page and in a new tab${isBlocked ? ", where the browser blocks the frame's storage" : ""}`, async ({
      browser,
    }) => {
      const context = await browser.newContext();
      const { origin } = signedIn.site;
      if (isBlocked)
        await context.addInitScript((own) => {
          if (location.origin === own) return;
          for (const name of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, name, {
              get() {
                throw new DOMException("blocked", "SecurityError");
              },
            });
        }, origin);
      const page = await context.newPage();
      const panel = panelOn(page);
      await page.goto(`${origin}/sign-in?as=${isBlocked ? "bob" : "ann"}`);
      await page.goto(`${origin}/url`);
      await panel.open();
      await panel.say(`Where is the lamp ${isBlocked ? "of Bob" : "of Ann"}?`);
      await expect(panel.log.getByText("Sent").first()).toBeVisible();
      await panel.button("Talk to a person").click();
      await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
      await noor
        .getByRole("button", { name: isBlocked ? /of Bob/ : /of Ann/ })
        .first()
        .click();
      await noor.getByRole("button", { name: "Take conversation" }).click();
      await page.bringToFront();
      await panel.button("Close chat").click();

      await page.goto(`${origin}/url`);
      const second = await context.newPage();
      await second.goto(`${origin}/url`);
      for (const tab of [page, second])
        await expect.poll(() => tab.evaluate("Parley.connection")).toBe("online");
      const count = (tab: Page) => tab.evaluate(() => window.Parley.unreadCount);
      const before = await count(page);
      await noor.getByRole("textbox", { name: "Reply" }).fill("It leaves today.");
      await noor.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
      for (const tab of [page, second]) {
        await expect.poll(() => count(tab), { timeout: LIMIT_MS }).toBe(before + 1);
        await expect(unread(tab)).toBeVisible();
      }
      await context.close();
    });
});
