import { type BrowserContext, expect, type Page } from "@playwright/test";
import { expectOnceInOrder, sayElsewhere } from "./kit/elsewhere.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";
import { test } from "./kit/true-browser.ts";

const TABS = 8;
const METRICS_TOKEN = "of-this-test-alone";

let shop: Shop;
let context: BrowserContext;
let token: string;
/** The page that last requested the event stream. */
let leader: Page | undefined;

interface Tab {
  readonly page: Page;
  readonly panel: Panel;
}

test.beforeAll(async () => {
  const site = await startSite({ "/": { html: lampPage(TAG) } });
  shop = await openShop(site, { ["METRICS_TOKEN"]: METRICS_TOKEN });
});
test.afterAll(() => shop.dispose());
test.beforeEach(({ context: given }) => {
  context = given;
  token = "";
  leader = undefined;
  context.on("request", (request) => {
    token = request.headers()["authorization"] ?? token;
    if (request.url().endsWith("/events")) leader = request.frame().page();
  });
});

async function openTab(): Promise<Tab> {
  const page = await context.newPage();
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  return { page, panel };
}

/** This many tabs in one conversation, which the first one started. */
async function openTabs(many: number): Promise<Tab[]> {
  const first = await openTab();
  const tabs = [first];
  await first.panel.say("How do I pay?");
  await expect(first.panel.log.getByText("Sent").last()).toBeVisible();
  while (tabs.length < many) tabs.push(await openTab());
  for (const { panel } of tabs) await expect(panel.log.getByText("How do I pay?")).toHaveCount(1);
  return tabs;
}

async function openOne(): Promise<Tab> {
  const [tab] = await openTabs(1);
  if (!tab) throw new Error("no tab");
  return tab;
}

async function openStreams(): Promise<number> {
  const answer = await fetch(`${shop.chat}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return Number(/^parley_streams_open (\d+)$/m.exec(await answer.text())?.[1]);
}

function theLeader(): Page {
  if (!leader) throw new Error("no tab has asked for the stream");
  return leader;
}

test("TAB1 TAB2 eight tabs over HTTP/1.1: one stream; closed, killed and frozen leaders leave no gap", async () => {
  let tabs = await openTabs(TABS);
  await expect.poll(openStreams).toBe(1);
  const last = tabs.at(-1) as Tab;
  const answered = last.page.waitForResponse((answer) => answer.url().endsWith("/messages"));
  await last.panel.say("from the eighth");
  const { requestStart, responseEnd } = (await answered).request().timing();
  expect(responseEnd - Math.min(requestStart, 0)).toBeLessThan(2_000);
  const texts = ["How do I pay?", "from the eighth"];
  for (const tab of tabs) await expectOnceInOrder(tab.panel, texts);

  for (const [text, go] of [
    ["after the first leader", (page: Page) => page.close()],
    ["after the second", crash],
    ["after the third", freeze],
  ] as const) {
    const before = theLeader();
    await go(before);
    tabs = tabs.filter(({ page }) => page !== before);
    await sayElsewhere(shop.chat, token, text);
    texts.push(text);
    for (const tab of tabs) await expectOnceInOrder(tab.panel, texts);
    expect(theLeader()).not.toBe(before);
    if (go === freeze) continue;
    await expect.poll(openStreams).toBe(1);
  }
});

/** Freezes the tab: nothing runs in it any more, and it keeps its resources. */
async function freeze(page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("Debugger.enable");
  const stopped = new Promise((resolve) => devtools.once("Debugger.paused", resolve));
  await devtools.send("Debugger.pause");
  await stopped;
}

/** Closes the tab at once: no page can say goodbye. */
async function crash(page: Page): Promise<void> {
  const gone = page.waitForEvent("crash");
  const devtools = await context.newCDPSession(page);
  devtools.send("Page.crash").catch(() => undefined);
  await gone;
}

test("without locks the seventh tab over HTTP/1.1 gets no stream at all (control)", async () => {
  await context.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined }),
  );
  await openTabs(6);
  await expect.poll(openStreams).toBe(6);
  const page = await context.newPage();
  let answers = 0;
  page.on("response", (answer) => {
    if (answer.url().endsWith("/api/session")) answers += 1;
  });
  await page.goto(`${shop.site.origin}/`, { waitUntil: "commit" });
  await panelOn(page)
    .launcher.click({ timeout: 3_000 })
    .catch(() => undefined);
  await page.waitForTimeout(3_000);
  expect(answers).toBe(0);
});

test("OUT1 OUT2 no network: three messages wait and say so, and are sent once each, in order, across a reload", async () => {
  const tab = await openOne();
  const { page, panel } = tab;
  await context.setOffline(true);
  const three = ["the first", "the second", "the third"];
  for (const text of three) await panel.say(text);
  // In the header; a screen reader hears it once, too.
  await expect(
    panel.frame.getByText("You're offline. 3 messages are waiting to send.").first(),
  ).toBeVisible();
  await expect(panel.log.getByText(/^Waiting to send/)).toHaveCount(3);
  await panel.composer.fill("half a thought");
  expect(await page.evaluate("Parley.connection")).toBe("offline");
  await context.setOffline(false);
  await expectOnceInOrder(panel, ["How do I pay?", ...three]);
  await expect(panel.log.getByText(/^Waiting to send/)).toHaveCount(0);
  await expect.poll(() => page.evaluate("Parley.connection")).toBe("online");

  // Halfway: the request was sent, there is no answer, and the page is reloaded.
  let asks = 0;
  await page.route("**/api/conversation/messages", async (route) => {
    asks += 1;
    if (asks > 1) await route.continue();
  });
  const asked = page.waitForRequest("**/api/conversation/messages");
  await panel.say("under way");
  const before = (await asked).postDataJSON() as { clientMessageId: string };
  await panel.composer.fill("half a thought");
  const again = page.waitForRequest("**/api/conversation/messages");
  await page.reload();
  await panel.open();
  expect((await again).postDataJSON()).toEqual(before);
  await expectOnceInOrder(panel, ["How do I pay?", ...three, "under way"]);
  await expect(panel.composer).toHaveValue("half a thought");
});

test("OUT2 if the browser stores nothing, the panel says what a reload would lose", async () => {
  await context.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  const { panel } = await openOne();
  const sentence = panel.frame.getByText("Unconfirmed messages will be lost");
  await expect(sentence).toHaveCount(0);
  await context.setOffline(true);
  await panel.say("the only copy");
  await expect(sentence).toBeVisible();
  await context.setOffline(false);
  await expect(sentence).toHaveCount(0);
  await expect(panel.log.getByText("the only copy")).toHaveCount(1);
});
