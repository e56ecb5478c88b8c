import { type BrowserContext, expect, type Page } from "@playwright/test";
import { expectOnceInOrder, sayElsewhere } from "./kit/elsewhere.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { frameOf, type Panel, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";
import { test } from "./kit/true-browser.ts";

const PAGES = {
  "/": { html: lampPage(TAG) },
  "/plain": { html: '<!doctype html><html lang="en"><title>Plain</title><h1>Plain</h1></html>' },
  "/other": { html: '<!doctype html><html lang="en"><title>Other</title><h1>Other</h1></html>' },
};

let shop: Shop;
/** A second site with another name, so that the browser sees another site and not only another origin. */
let elsewhere: string;
let context: BrowserContext;
let tab: Page;
let errors: string[];

test.beforeAll(async () => {
  const site = await startSite(PAGES);
  elsewhere = site.origin.replace("localhost", "shop.localhost");
  shop = await openShop(site, { ["ALLOWED_ORIGINS"]: `${site.origin} ${elsewhere}` });
});
test.afterAll(() => shop.dispose());
test.beforeEach(({ context: given, page }) => {
  context = given;
  tab = page;
  errors = [];
  context.on("weberror", (error) => errors.push(error.error().message));
});

/** Loads the frame by intent only: it exists, without a session. */
async function showIntent(): Promise<Panel> {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.launcher.hover();
  await expect.poll(() => tab.frames().some((one) => one.url().endsWith("/frame"))).toBe(true);
  await frameOf(tab).waitForLoadState("load");
  return panel;
}

/** A whole chat: question and answer, each once. */
async function expectChatWorks(panel: Panel, text: string): Promise<void> {
  await panel.say(text);
  await expect(panel.log.getByText(text)).toHaveCount(1);
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await expect(panel.button("Retry")).toHaveCount(0);
}

test("the browser separates one site's session from another's, and a reload continues with it", async () => {
  const tokens: string[] = [];
  tab.on("request", (request) => {
    const token = request.headers()["authorization"];
    if (token && !tokens.includes(token)) tokens.push(token);
  });
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await expectChatWorks(panel, "How do I pay?");
  expect(await frameOf(tab).evaluate(() => localStorage.length)).toBeGreaterThan(0);
  await tab.reload();
  await panel.open();
  await expect(panel.log.getByText("How do I pay?")).toHaveCount(1);
  expect(tokens).toHaveLength(1);
  const kept = await frameOf(tab).evaluate(() => Object.values(localStorage).join());
  expect(kept).toContain(tokens[0]?.slice("Bearer ".length));
  // Another site, the same frame: it knows nothing.
  await tab.goto(`${elsewhere}/`);
  await panel.open();
  await expectChatWorks(panel, "Who are you?");
  await expect(panel.log.getByText("How do I pay?")).toHaveCount(0);
  expect(tokens).toHaveLength(2);
  expect(await frameOf(tab).evaluate(() => Object.values(localStorage).join())).not.toContain(kept);
  expect(errors).toEqual([]);
});

test("FRAME4 storage that throws on every touch: the whole chat in memory, no error", async () => {
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await expectChatWorks(panel, "How do I pay?");
  await expectChatWorks(panel, "And by card?");
  expect(errors).toEqual([]);
});

test("storage that is emptied and then throws in the middle of a chat: the chat continues", async () => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await expectChatWorks(panel, "How do I pay?");
  await frameOf(tab).evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await expectChatWorks(panel, "And by card?");
  await frameOf(tab).evaluate(() => {
    for (const name of ["getItem", "setItem", "removeItem", "key"] as const) {
      Storage.prototype[name] = () => {
        throw new DOMException("gone", "InvalidStateError");
      };
    }
  });
  await expectChatWorks(panel, "And by invoice?");
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  for (const text of ["How do I pay?", "And by card?", "And by invoice?"]) {
    await expect(panel.log.getByText(text)).toHaveCount(1);
  }
  expect(errors).toEqual([]);
});

test("storage that is full: the whole chat in memory, no error", async () => {
  const panel = await showIntent();
  const isFull = await frameOf(tab).evaluate(() => {
    for (const storage of [localStorage, sessionStorage]) {
      for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (let index = 0; index < 20; index += 1) storage.setItem(`${size}-${index}`, "x".repeat(size));
        } catch {
          // Full for this size: the next write is smaller.
        }
      }
    }
    try {
      localStorage.setItem("one more", "x".repeat(50));
      return false;
    } catch {
      return true;
    }
  });
  expect(isFull).toBe(true);
  await panel.open();
  await expectChatWorks(panel, "How do I pay?");
  await expectChatWorks(panel, "And by card?");
  expect(errors).toEqual([]);
});

async function sayAllElsewhere(token: string, texts: readonly string[]): Promise<void> {
  for (const text of texts) await sayElsewhere(shop.chat, token, text);
}

/** The result of leaving a page and coming back. */
interface Return {
  readonly isKept: boolean;
  /** Why the browser did not cache the page, including its frames; empty if it did. */
  readonly reasons: readonly string[];
}

/** Goes to another page and back by history. */
async function leaveAndReturn(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<Return> {
  const reasons = new Set<string>();
  const devtools = await context.newCDPSession(tab);
  await devtools.send("Page.enable");
  devtools.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) => {
    for (const { reason } of notRestoredExplanations) reasons.add(reason);
  });
  await tab.evaluate("window.mark = 1");
  await tab.goto(`${shop.site.origin}/other`);
  await meanwhile();
  // A page from the back-forward cache does not load again.
  await tab.goBack({ waitUntil: "commit" });
  const isKept = (await tab.evaluate("window.mark")) === 1;
  // The browser reports its reasons after going back; a cached page has none.
  if (!isKept) await expect.poll(() => reasons.size).toBeGreaterThan(0);
  await devtools.detach();
  return { isKept, reasons: [...reasons].sort() };
}

test("history back: an open chat does not keep the page out of the cache, and has no gap", async () => {
  await tab.goto(`${shop.site.origin}/plain`);
  const plain = await leaveAndReturn();

  let token = "";
  tab.on("request", (request) => {
    token = request.headers()["authorization"] ?? token;
  });
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await tab.evaluate(() => {
    const heard: string[] = [];
    Reflect.set(window, "heard", heard);
    Parley.on("message:received", ({ messageId }) => heard.push(messageId));
  });
  const heard = async () => (await tab.evaluate("window.heard")) as string[];
  await expectChatWorks(panel, "How do I pay?");
  await expect.poll(heard).toHaveLength(1);
  const away = Array.from({ length: 5 }, (_, index) => `while away ${index}`);
  // Caching is the browser's decision; the chat must only not change it.
  const returned = await leaveAndReturn(() => sayAllElsewhere(token, away));
  expect(returned).toEqual(plain);
  if (returned.isKept) {
    // The test runner loses the frames of a cached page, so the page's own events are used.
    await expect.poll(heard).toHaveLength(1 + away.length);
    expect(new Set(await heard()).size).toBe(1 + away.length);
    expect(await tab.evaluate("[Parley.isOpen, Parley.connection]")).toEqual([true, "online"]);
  } else {
    await panel.open();
    await expectOnceInOrder(panel, ["How do I pay?", ...away]);
    await expectChatWorks(panel, "I am back");
  }
  expect(errors).toEqual([]);
});

test("a page that listens for unload is not cached, and the browser says why (control)", async () => {
  await tab.goto(`${shop.site.origin}/plain`);
  await tab.evaluate(() => addEventListener("unload", () => undefined));
  const { isKept, reasons } = await leaveAndReturn();
  expect(isKept).toBe(false);
  expect(reasons.join()).toContain("Unload");
});

test("a frame in the back-forward cache closes its connection, and catches up without a gap when it is restored", async () => {
  let token = "";
  let lines = 0;
  tab.on("request", (request) => {
    token = request.headers()["authorization"] ?? token;
    if (request.url().endsWith("/events")) lines += 1;
  });
  const closed: string[] = [];
  tab.on("requestfailed", (request) => closed.push(request.url()));
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await expectChatWorks(panel, "How do I pay?");
  await expect.poll(() => lines).toBe(1);
  await panel.composer.fill("half a sentence");
  const tell = (type: string) =>
    frameOf(tab).evaluate((name) => {
      dispatchEvent(new PageTransitionEvent(name, { persisted: true }));
    }, type);
  await tell("pagehide");
  await expect.poll(() => closed.filter((url) => url.endsWith("/events")).length).toBe(1);
  const away = Array.from({ length: 5 }, (_, index) => `while away ${index}`);
  await sayAllElsewhere(token, away);
  expect(lines).toBe(1);
  await expect(panel.log.getByText("while away 0")).toHaveCount(0);
  await tell("pageshow");
  await expectOnceInOrder(panel, ["How do I pay?", ...away]);
  await expect(panel.composer).toHaveValue("half a sentence");
  await expectChatWorks(panel, "I am back");
  expect(errors).toEqual([]);
});
