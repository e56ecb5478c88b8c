import { afterAll, beforeAll, expect, it } from "vitest";
import { type IdentitySite, startIdentitySite } from "../kit/identity-site.ts";
import { openShop, type Shop } from "../kit/shop.ts";
import { createLook, type Look } from "./look.ts";
import { type Browser, startWebKit } from "./webdriver.ts";

// What e2e/identity.spec.ts shows in the other engines.

let shop: Shop<IdentitySite>;
let browser: Browser;
let look: Look;
beforeAll(async () => {
  const site = await startIdentitySite();
  shop = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
  browser = await startWebKit();
  look = createLook(browser);
});
afterAll(async () => {
  await browser?.close();
  await shop?.dispose();
});

/** Signs in at the shop and tells the chat, without a logout of whoever was there; resolves once the session is theirs. */
const IDENTIFY = `
  const getToken = async () => (await (await fetch("/chat-token")).json()).token;
  return fetch("/sign-in?as=" + arguments[0]).then(() => Parley("identify", { getToken }));`;

async function signIn(customer: string): Promise<void> {
  await browser.lookInto(null);
  await browser.run(IDENTIFY, customer);
  await look.into();
}

const DRAFT_IS = "return document.querySelector('textarea').value === arguments[0]";

it("in WebKit signing in keeps conversation and draft, and the next customer sees nothing of it", async () => {
  await browser.goto(`${shop.site.origin}/`);
  await look.open();
  await look.say("canary, written before");
  await look.reads("Sent");
  await browser.type("canary, half written");
  await signIn("ann");
  await look.reads("canary, written before");
  await browser.until(DRAFT_IS, "canary, half written");

  await signIn("bob");
  await browser.until(DRAFT_IS, "");
  expect(await look.text()).not.toContain("canary");
  await look.press("Message");
  await look.say("I am Bob");
  await look.reads("Sent");
  expect(await look.text()).not.toContain("canary");

  await signIn("ann");
  await look.reads("canary, written before");
  expect(await look.text()).not.toContain("I am Bob");
});

it("in WebKit a reload asks the shop again, and logout in one tab leaves nothing in another, nor on the next page", async () => {
  await look.visit(`${shop.site.origin}/sign-in?as=eve`);
  const before = shop.site.asked.length;
  await browser.goto(`${shop.site.origin}/url`);
  await look.open();
  await look.say("canary of Eve");
  await look.reads("Sent");
  await look.visit(`${shop.site.origin}/url`);
  await look.open();
  await look.reads("canary of Eve");
  expect(shop.site.asked.slice(before)).toEqual(["eve", "eve"]);

  const first = await browser.tab();
  await browser.openTab();
  await browser.goto(`${shop.site.origin}/url`);
  // It opens by itself, as the panel was open; the driver gives this tab no clicks and keys.
  await look.into();
  await look.reads("canary of Eve");
  await browser.lookInto(null);
  await browser.run("return fetch('/sign-out').then(() => Parley('logout'))");

  await browser.switchTo(first);
  await look.into();
  await browser.until("return !document.body.textContent.includes('canary')");
  await look.visit(`${shop.site.origin}/url`);
  await look.open();
  expect(await look.text()).not.toContain("canary");
});
