import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lampPage, startSite, TAG } from "../kit/pages.ts";
import { plunder } from "../kit/plunder.ts";
import { openShop, type Shop } from "../kit/shop.ts";
import { createLook, type Look } from "./look.ts";
import { type Browser, startWebKit } from "./webdriver.ts";

// What e2e/host-pages.spec.ts, csp-document.spec.ts and hostile-page.spec.ts show in the other engines.

const WATCH =
  "<script nonce='n0nce'>seen=[];addEventListener('securitypolicyviolation',(e)=>seen.push(e.violatedDirective+' '+e.blockedURI))</script>";

const PAGES = {
  "/": { html: lampPage(TAG) },
  "/strict": {
    html: lampPage(`${WATCH}<script async nonce="n0nce" src="{{widget}}"></script>`),
    headers: {
      "content-security-policy":
        "default-src 'none'; script-src 'nonce-n0nce'; frame-src {{origin}}; require-trusted-types-for 'script'; trusted-types 'none'",
    },
  },
  "/hostile-css": {
    html: `<!doctype html><html lang="en"><title>Lamps</title><style>html *{all:unset!important;display:none!important;visibility:hidden!important}</style><h1>Lamps</h1>${TAG}</html>`,
  },
  "/hostile": { html: lampPage(`<script>(${plunder.toString()})()</script>${TAG}`) },
  "/sandbox": { html: lampPage(TAG), headers: { "content-security-policy": "sandbox allow-scripts" } },
};

let shop: Shop;
beforeAll(async () => {
  shop = await openShop(await startSite(PAGES));
});
afterAll(() => shop?.dispose());

/** A browser with settings of its own. */
async function openBrowser(settings: readonly string[] = []): Promise<[Browser, Look]> {
  const browser = await startWebKit(settings);
  return [browser, createLook(browser)];
}

describe("in WebKit", () => {
  let browser: Browser;
  let look: Look;
  beforeAll(async () => {
    [browser, look] = await openBrowser();
  });
  afterAll(() => browser?.close());

  it.each(["/strict", "/hostile-css", "/hostile"])("the page %s has a working chat", async (path) => {
    await look.visit(shop.site.origin + path);
    await look.open();
    await look.say(`my zebra comes from ${path}`);
    await look.reads(`my zebra comes from ${path}`);
    await look.reads("Sent");
    await browser.lookInto(null);
    // As Firefox does, it requests an icon, and the page's policy allows none.
    if (path === "/strict")
      expect(await browser.run("return seen.filter((one) => !one.endsWith('favicon.ico'))")).toEqual([]);
    if (path === "/hostile") expect(await browser.run("search(); return loot.join()")).not.toContain("zebra");
  });

  it("a sandboxed page without an origin shows the fallback in place of the panel", async () => {
    await look.visit(`${shop.site.origin}/sandbox`);
    await look.press("Open chat");
    await browser.until(
      "return document.querySelector('parley-chat').shadowRoot.textContent.includes(\"couldn't load the chat\")",
    );
  });

  it("the keyboard is enough: open, write, send, close, and the focus returns", async () => {
    await look.visit(`${shop.site.origin}/`);
    await browser.run("return localStorage.removeItem('parley')");
    await look.visit(`${shop.site.origin}/`);
    await look.named("Open chat");
    await browser.press("tab");
    expect(await look.focused()).toMatch(/^Open chat/);
    await browser.press("enter");
    await look.into();
    // The keys reach the box even where the frame has no focus yet.
    await browser.type("How do I wash the wool throw?");
    await browser.press("shift", "enter");
    await look.say("It has a stain.");
    await look.reads("It has a stain.");
    await browser.press("escape");
    await browser.lookInto(null);
    await look.named("Open chat");
    expect(await look.focused()).toMatch(/^Open chat/);
  });

  it("PAGE2 destroy leaves no element, no global and no frame", async () => {
    await look.visit(`${shop.site.origin}/`);
    await look.named("Chat");
    await browser.run("return Parley.destroy()");
    expect(
      await browser.run(
        "return [document.querySelectorAll('parley-chat, iframe').length, typeof Parley, frames.length]",
      ),
    ).toEqual([0, "undefined", 0]);
  });
});

it("FRAME4 WebKit without localStorage: the whole chat in memory", async () => {
  const [browser, look] = await openBrowser(["--enable-html5-local-storage=false"]);
  await browser.goto(`${shop.site.origin}/`);
  await look.open();
  expect(await browser.run("return window.localStorage ?? null")).toBe(null);
  await look.say("How long does delivery take?");
  await look.reads("working days");
  await look.reads("Sent");
  await browser.close();
});
