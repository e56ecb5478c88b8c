import { afterAll, beforeAll, expect, it } from "vitest";
import { lampPage, type Site, startSite, TAG } from "../kit/pages.ts";
import { type Product, startProduct } from "../kit/product.ts";
import { type MockUpstream, startMockUpstream } from "../upstream/mock.ts";
import { createLook, type Look } from "./look.ts";
import { type Browser, startWebKit } from "./webdriver.ts";

// What e2e/follow.spec.ts shows in the other engines: a reply reaches the customer on another page of the site.

const STRICT =
  "default-src 'none'; script-src {{origin}}; frame-src {{origin}}; style-src 'none'; base-uri 'none'";

let site: Site;
let mock: MockUpstream;
let product: Product;
let browser: Browser;
let look: Look;
beforeAll(async () => {
  site = await startSite({
    "/": { html: lampPage(TAG) },
    "/lamps": { html: lampPage(TAG) },
    "/strict": { html: lampPage(TAG), headers: { "content-security-policy": STRICT } },
  });
  mock = await startMockUpstream({ kind: "full" });
  product = await startProduct({
    ["BASE_URL"]: mock.url,
    ["APPLICATION_CREDENTIAL"]: mock.secrets.credential,
    ["APPLICATION_PUBLIC_KEY"]: mock.secrets.publicKey,
    ["HANDOFF_SECRET"]: mock.secrets.handoffSecret,
    ["ALLOWED_ORIGINS"]: site.origin,
  });
  site.embed(`http://127.0.0.1:${product.port}`);
  browser = await startWebKit();
  look = createLook(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.dispose();
  await mock?.close();
  await site?.close();
});

/** The page's frames, and what it stored. */
const FRAMES = "return frames.length === arguments[0]";
const STORED = "return [localStorage.length, sessionStorage.length, document.cookie]";

it("FOLLOW1 FOLLOW3 in WebKit: nothing before a conversation, then a reply on another page and under a strict policy", async () => {
  await browser.goto(`${site.origin}/`);
  await look.named("Open chat");
  // Longer than the loader rests before it would follow: this engine has no idle callback.
  await browser.run("return new Promise((done) => setTimeout(() => setTimeout(done, 300), 300))");
  const chat = `http://127.0.0.1:${product.port}`;
  const asked = (await browser.run(
    "return performance.getEntriesByType('resource').map(({ name }) => name)",
  )) as string[];
  expect(asked.filter((url) => url.startsWith(chat))).toEqual([`${chat}/widget.js`]);
  expect(await browser.run(FRAMES, 0)).toBe(true);
  expect(await browser.run(STORED)).toEqual([0, 0, ""]);

  await look.open();
  await look.say("How long does delivery take?");
  await look.reads("Sent");
  await look.press("Talk to a person");
  await look.reads("We've asked a teammate to join");
  const [id = ""] = [...mock.conversations.keys()];
  await mock.acceptHandoff(id, "Maya");
  await look.reads("Maya joined");
  await look.press("Close chat");
  await browser.lookInto(null);
  await look.named("Open chat");

  for (const [at, page] of ["/lamps", "/strict"].entries()) {
    await browser.goto(`${site.origin}${page}`);
    await browser.until("return window.Parley?.connection === 'online'");
    await mock.say(id, "Maya", `Reply ${at + 1}`);
    await look.named(`Open chat, ${at + 1} unread`);
    expect(await browser.run("return [Parley.isOpen, document.activeElement === document.body]")).toEqual([
      false,
      true,
    ]);
  }
});
