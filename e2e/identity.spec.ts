import { type Browser, type BrowserContext, expect, type Frame, type Page, test } from "@playwright/test";
import { type IdentitySite, startIdentitySite } from "./kit/identity-site.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { launchTrueBrowser } from "./kit/true-browser.ts";

let site: IdentitySite;
let product: Product;
let browser: Browser;
let context: BrowserContext;
let tab: Page;
let errors: string[];
/** The bearer tokens that the panel used, in order, by the tab's own requests. */
let bearers: string[];

test.beforeAll(async () => {
  site = await startIdentitySite();
  product = await startProduct({ ["ALLOWED_ORIGINS"]: site.origin, ["IDENTITY_KEYS"]: site.keySet });
  site.embed(`http://127.0.0.1:${product.port}`);
  browser = await launchTrueBrowser();
});
test.afterAll(async () => {
  await browser.close();
  await product.dispose();
  await site.close();
});
test.beforeEach(async () => {
  context = await browser.newContext();
  errors = [];
  bearers = [];
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("request", (request) => {
    const token = request.headers()["authorization"]?.slice("Bearer ".length);
    if (token && !bearers.includes(token)) bearers.push(token);
  });
  tab = await context.newPage();
});
test.afterEach(async () => {
  await context.close();
  expect(errors).toEqual([]);
});

function panelFrame(page = tab): Frame {
  const frame = page.frames().find((one) => one.url().endsWith("/frame"));
  if (!frame) throw new Error("no panel");
  return frame;
}

let names = 0;

/**
 * Has the page vouch for a customer, by tokens that the shop signs when it is asked. From the very call on, each frame that
 * is drawn is looked at, until the panel is to be seen.
 */
async function identify(page: Page, customer: string, claims?: Record<string, unknown>): Promise<void> {
  names += 1;
  const name = `signToken${names}`;
  await page.exposeFunction(name, () => site.sign(customer, claims));
  await page.evaluate((given) => {
    const getToken = () => (Reflect.get(window, given) as () => Promise<string>)();
    void window.Parley("identify", { getToken });
    const look = () => {
      const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
      const isShown = frame && getComputedStyle(frame).visibility === "visible";
      if (isShown) window.parleyShownAt = performance.timeOrigin + performance.now();
      else requestAnimationFrame(look);
    };
    window.parleyIdentifiedAt = performance.timeOrigin + performance.now();
    look();
  }, name);
}

/** Opens the chat of a customer with words of theirs in it. */
async function chatAs(customer: string, secret: string, page = tab): Promise<Panel> {
  await page.goto(`${site.origin}/`);
  await identify(page, customer);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(secret);
  await expect(panel.log.getByText(secret)).toHaveCount(1);
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  return panel;
}

/** What the BFF answers to a bearer token. */
async function statusOf(bearer: string | undefined): Promise<number> {
  const origin = `http://127.0.0.1:${product.port}`;
  const answer = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json", authorization: `Bearer ${bearer}` },
    body: "{}",
  });
  return answer.status;
}

const textOf = (page: Page) => panelFrame(page).evaluate(() => document.body.textContent ?? "");

declare global {
  interface Window {
    parleyClearedAt?: number;
    parleyShownAt?: number;
    parleyIdentifiedAt?: number;
  }
}

/** Notes in the frame when a text is in its document no more, looking at each change and at each frame that is drawn. */
async function watchText(page: Page, words: string): Promise<void> {
  await panelFrame(page).evaluate((text) => {
    const isThere = () => {
      const names = [...document.querySelectorAll("[aria-label], textarea")].map(
        (element) => `${element.getAttribute("aria-label")} ${(element as HTMLTextAreaElement).value ?? ""}`,
      );
      return `${document.body.textContent} ${names.join()}`.includes(text);
    };
    const look = () => {
      if (isThere()) delete window.parleyClearedAt;
      else window.parleyClearedAt ??= performance.timeOrigin + performance.now();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const each = () => {
      look();
      requestAnimationFrame(each);
    };
    each();
  }, words);
}

/** When the page named somebody else, when nothing of the first was left in the frame, and when the frame was to be seen. */
async function momentsOf(page: Page): Promise<{ identifiedAt: number; clearedAt: number; shownAt: number }> {
  const [identifiedAt = 0, shownAt = 0] = await page.evaluate(() => [
    window.parleyIdentifiedAt,
    window.parleyShownAt,
  ]);
  const clearedAt = (await panelFrame(page).evaluate(() => window.parleyClearedAt)) ?? 0;
  return { identifiedAt, clearedAt, shownAt };
}

test("the shop's server is asked with its own cookie, only after the chat was opened", async () => {
  await tab.goto(`${site.origin}/sign-in?as=ann`);
  await tab.goto(`${site.origin}/url`);
  const panel = panelOn(tab);
  await panel.launcher.hover();
  await expect.poll(() => tab.frames().length).toBe(2);
  expect(site.asked).toEqual([]);
  const answered = tab.waitForResponse((response) => response.url().endsWith("/api/session"));
  await panel.open();
  expect(await (await answered).json()).toMatchObject({ customer: { externalId: "ann", identified: true } });
  expect(site.asked).toEqual(["ann"]);
  const url = panelFrame().url();
  expect(url).not.toContain("token");
});

test("nobody signed in there means an anonymous chat", async () => {
  await tab.goto(`${site.origin}/url`);
  const answered = tab.waitForResponse((response) => response.url().endsWith("/api/session"));
  await panelOn(tab).open();
  expect(await (await answered).json()).toMatchObject({ customer: { identified: false } });
});

test("R23 R24 signing in keeps the conversation, and the anonymous token is dead", async () => {
  await tab.goto(`${site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("Written before signing in");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await panel.composer.fill("half a thought");
  const [anonymous] = bearers;
  expect(await statusOf(anonymous)).toBe(200);
  await identify(tab, "hana");
  await expect.poll(() => bearers.length).toBeGreaterThan(1);
  await expect(panel.log.getByText("Written before signing in")).toHaveCount(1);
  await expect(panel.composer).toHaveValue("half a thought");
  expect(await statusOf(anonymous)).toBe(401);
  await panel.say("Written after it");
  await expect(panel.log.getByText("Written after it")).toHaveCount(1);
  await expect(panel.button("Retry")).toHaveCount(0);
});

test("R27 another customer signs in without a logout: not one frame of the first is shown", async () => {
  const panel = await chatAs("dora", "canary of Dora");
  await panel.composer.fill("canary of Dora, half written");
  await watchText(tab, "canary of Dora");
  await identify(tab, "bob");
  await expect(panel.log).toBeVisible();
  await expect(panel.composer).toHaveValue("");
  expect(await textOf(tab)).not.toContain("canary");
  const { identifiedAt, clearedAt, shownAt } = await momentsOf(tab);
  expect(clearedAt).toBeGreaterThan(identifiedAt);
  expect(shownAt).toBeGreaterThan(clearedAt);
  await panel.say("I am Bob");
  await expect(panel.log.getByText("I am Bob")).toHaveCount(1);
  expect(await statusOf(bearers[0])).toBe(401);
});

test("R27 control: a panel that stays in sight would have shown the first one's words", async () => {
  const panel = await chatAs("ina", "canary of Ina");
  await watchText(tab, "canary of Ina");
  await tab.evaluate(() => {
    const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
    frame?.style.setProperty("visibility", "visible", "important");
  });
  await identify(tab, "jon");
  await expect(panel.composer).toBeVisible();
  const { clearedAt, shownAt } = await momentsOf(tab);
  expect(shownAt).toBeLessThan(clearedAt);
});

test("R26 logout leaves nothing: not in this tab, not in the other, not after Back or a reload", async () => {
  const panel = await chatAs("eve", "canary of Ann");
  const other = await context.newPage();
  const second = await chatAs("eve", "canary from the second tab", other);
  expect(bearers.length).toBeGreaterThanOrEqual(2);
  await tab.evaluate(() => window.Parley.logout());
  await expect(panel.launcher).toBeVisible();
  await expect(second.log.getByText(/canary/)).toHaveCount(0);
  for (const page of [tab, other]) expect(await textOf(page)).not.toContain("canary");
  for (const bearer of bearers) await expect.poll(() => statusOf(bearer)).toBe(401);
  const kept = await panelFrame().evaluate(() =>
    [...Object.values(localStorage), ...Object.values(sessionStorage)].join(),
  );
  for (const bearer of bearers) expect(kept).not.toContain(bearer);

  await tab.goto(`${site.origin}/plain`);
  await tab.goBack();
  const again = panelOn(tab);
  await again.launcher.click();
  await expect(again.composer).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
  await tab.reload();
  await again.open();
  expect(await textOf(tab)).not.toContain("canary");
});

test("R26 a page that was put away while another tab signed out comes back without a word of it", async () => {
  await chatAs("finn", "canary of Ann");
  await tab.evaluate(() =>
    addEventListener("pageshow", (event) =>
      document.body.setAttribute("data-persisted", `${event.persisted}`),
    ),
  );
  await tab.goto(`${site.origin}/plain`);
  const other = await context.newPage();
  await chatAs("finn", "canary elsewhere", other);
  await other.evaluate(() => window.Parley.logout());
  await tab.goBack();
  await expect.poll(() => tab.frames().length).toBeGreaterThan(0);
  for (const frame of tab.frames()) {
    expect(await frame.evaluate(() => document.body.textContent ?? "")).not.toContain("canary");
  }
  const panel = panelOn(tab);
  if (await panel.launcher.isVisible()) await panel.launcher.click();
  await expect(panel.composer).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
});

test("R26 logout without a network: nothing is left on the screen, and the session ends when it is back", async () => {
  const panel = await chatAs("gus", "canary of Ann");
  const [bearer] = bearers;
  await context.setOffline(true);
  const outcome = tab.evaluate(() =>
    window.Parley.logout().then(
      () => "done",
      (error) => error.code,
    ),
  );
  await expect(panel.launcher).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
  // Nobody is told that the session ended on the server: it did not.
  expect(await outcome).toBe("support_unreachable");
  expect(await statusOf(bearer)).toBe(200);
  await context.setOffline(false);
  await expect.poll(() => statusOf(bearer), { timeout: 40_000 }).toBe(401);
});

test("a token that is refused is told to the page by its code and to the customer in words, and nobody becomes anonymous by it", async () => {
  await tab.goto(`${site.origin}/`);
  await tab.evaluate(() => {
    const told: unknown[] = [];
    Reflect.set(window, "told", told);
    for (const type of ["identity:failed", "identity:needed"] as const) {
      window.Parley("on", type, (event) => told.push([event.type, Reflect.get(event, "code")]));
    }
  });
  await identify(tab, "ann", { aud: "another shop" });
  const panel = panelOn(tab);
  await panel.open();
  await expect(panel.frame.getByText("Who you are could not be confirmed. Try again.").first()).toBeVisible();
  await expect
    .poll(() => tab.evaluate(() => Reflect.get(window, "told")))
    .toContainEqual(["identity:failed", "wrong_audience"]);
  expect(bearers).toEqual([]);
  await panel.button("Continue without signing in").click();
  await panel.say("Then without");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
});

test("R26 R28 a tab of its own asks the site again; the same customer goes on there", async () => {
  const panel = await chatAs("carol", "canary of Carol");
  await tab.reload();
  await identify(tab, "carol");
  await panel.open();
  await expect(panel.log.getByText("canary of Carol")).toHaveCount(1);
});
