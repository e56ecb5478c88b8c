import { expect, test } from "@playwright/test";
import { complaintsOf, errorsOf } from "./kit/complaints.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const PAGES = {
  "/": { html: lampPage(TAG) },
  "/strict": {
    html: lampPage('<script async nonce="n0nce" src="{{widget}}"></script>'),
    headers: {
      "content-security-policy":
        "default-src 'none'; script-src 'nonce-n0nce'; frame-src {{origin}}; require-trusted-types-for 'script'; trusted-types 'none'",
    },
  },
  "/hostile-css": {
    html: `<!doctype html><html lang="en"><title>Lamps</title><style>html *{all:unset!important;display:none!important;visibility:hidden!important}</style><h1>Lamps</h1>${TAG}</html>`,
  },
  "/two-tags": {
    html: lampPage(
      `<script>window.Parley=window.Parley||function(){(Parley.q=Parley.q||[]).push(arguments)};seen=[];Parley('on','open',(e)=>seen.push(e.type));Parley('open')</script>${TAG}${TAG}`,
    ),
  },
};

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite(PAGES));
});
test.afterAll(() => shop.dispose());

test("PAGE1 before intent there is one request, no cookie and no storage; a hover calls no API", async ({
  page: tab,
  context,
}) => {
  const urls: string[] = [];
  tab.on("request", (request) => urls.push(new URL(request.url()).pathname));
  await tab.goto(`${shop.site.origin}/`);
  const { launcher } = panelOn(tab);
  await expect(launcher).toBeVisible();
  await tab.mouse.wheel(0, 400);
  expect(urls).toEqual(["/", "/widget.js"]);
  expect(await context.cookies()).toEqual([]);
  expect(await tab.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  await launcher.hover();
  await expect.poll(() => urls).toContain("/frame");
  expect(urls.filter((path) => path.startsWith("/api"))).toEqual([]);
});

test("with only the keyboard: open, write, send, close, and the focus returns", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeVisible();
  await tab.keyboard.press("Tab");
  await expect(panel.launcher).toBeFocused();
  await tab.keyboard.press("Enter");
  await expect(panel.composer).toBeFocused();
  await tab.keyboard.type("How do I wash the wool throw?");
  await tab.keyboard.press("Shift+Enter");
  await tab.keyboard.type("It has a stain.");
  await tab.keyboard.press("Enter");
  await expect(panel.log).toContainText("It has a stain.");
  await expect(panel.composer).toHaveValue("");
  await tab.keyboard.press("Escape");
  await expect(panel.launcher).toBeFocused();
});

test("a page with a strict policy and Trusted Types has a working chat and no violation", async ({
  page: tab,
}) => {
  const complaints = complaintsOf(tab);
  await tab.goto(`${shop.site.origin}/strict`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("How do I pay?");
  await expect(panel.log.getByRole("list").first()).toBeVisible();
  // Firefox requests an icon, and the page's policy allows none.
  expect(complaints.filter((one) => !one.includes("favicon.ico"))).toEqual([]);
  // The control: the same page under the same policy refuses its own markup.
  const refused = await tab.evaluate(() => {
    try {
      document.createElement("div").innerHTML = "<b>x</b>";
      return "";
    } catch (error) {
      return String(error);
    }
  });
  // Chromium reports the type, Firefox the mismatch.
  expect(refused).toMatch(/TrustedHTML|Sink type mismatch/);
});

test("a page whose style sheet hides everything still has its launcher and panel", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/hostile-css`);
  const panel = panelOn(tab);
  await panel.open();
  expect((await panel.composer.boundingBox())?.width).toBeGreaterThan(200);
});

test("PAGE2 two tags make one launcher, and calls before the script run in order", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/two-tags`);
  await expect(panelOn(tab).composer).toBeVisible();
  expect(await tab.locator("parley-chat").count()).toBe(1);
  await expect(tab.locator('iframe[title="Chat"]')).toHaveCount(1);
  expect(await tab.evaluate("seen")).toEqual(["open"]);
});

test("PAGE2 destroy leaves no element, no global and no frame", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/`);
  const count = () => tab.evaluate(() => document.documentElement.querySelectorAll("*").length);
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeVisible();
  await panel.open();
  await tab.evaluate("Parley.destroy()");
  await expect(tab.locator("iframe")).toHaveCount(0);
  expect(await tab.evaluate("typeof window.Parley")).toBe("undefined");
  // head, title, body, h1, script: the page's own elements.
  expect(await count()).toBe(5);
});

test("an application that replaces its body keeps the panel, its draft and its scroll position", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.composer.fill("half a sentence");
  await tab.evaluate(() => document.body.replaceWith(document.createElement("body")));
  await expect(panel.composer).toHaveValue("half a sentence");
});

for (const [how, steps] of [
  [
    "puts another root in its place",
    ["document.replaceChild(document.documentElement.cloneNode(true), document.documentElement)"],
  ],
  [
    "writes itself again, piece by piece",
    [
      "document.open(); document.write('<!doctype html><title>Lamps</title>')",
      "document.write('<h1>Lamps</h1>'); document.close()",
    ],
  ],
] as const)
  test(`a page that ${how} keeps the chat and its conversation`, async ({ page: tab }) => {
    await tab.goto(`${shop.site.origin}/`);
    const panel = panelOn(tab);
    await panel.open();
    await panel.say("Which lamp is the brightest?");
    for (const step of steps) await tab.evaluate(step);
    await expect(panel.log).toContainText("Which lamp is the brightest?");
    await panel.say("And which is the smallest?");
    await expect(panel.log).toContainText("And which is the smallest?");
  });

test("a second tab continues the same conversation", async ({ page: tab, context }) => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("How do I track my parcel?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  const other = await context.newPage();
  await other.goto(`${shop.site.origin}/`);
  const second = panelOn(other);
  await second.open();
  await expect(second.log.getByText("How do I track my parcel?")).toHaveCount(1);
});

test("a page that is not on the list gets no panel, and is not changed itself", async ({ page: tab }) => {
  const stranger = await startSite(PAGES);
  stranger.embed(shop.chat);
  await tab.goto(`${stranger.origin}/`);
  const panel = panelOn(tab);
  await panel.launcher.click();
  await expect(tab.getByText(/couldn't load the chat/i).first()).toBeVisible();
  await expect(panel.composer).toHaveCount(0);
  await stranger.close();
});

test("TRUTH2 PAGE3 when support is down, the text stays, nothing is called sent, and Retry works", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("How long is the warranty?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await shop.product.stop();
  await panel.say("And for the lamp?");
  const retry = panel.button("Retry").first();
  // After four attempts, whose pauses add up to 21 s at most.
  await expect(retry).toBeVisible({ timeout: 60_000 });
  await expect(panel.log.getByText("And for the lamp?")).toHaveCount(1);
  await expect(panel.log.getByText("Not confirmed").first()).toBeVisible();
  await shop.product.start();
  await retry.click();
  await expect(panel.button("Retry")).toHaveCount(0, { timeout: 60_000 });
  await expect(panel.log.getByText("And for the lamp?")).toHaveCount(1);
  expect(errors).toEqual([]);
});
