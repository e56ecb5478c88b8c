import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from "@playwright/test";
import { openCustomer, type TestCustomer } from "../service/testing/test-customer.ts";
import { DESK_API } from "../shared/desk-operations.ts";
import { errorsOf } from "./kit/complaints.ts";
import { DESK_PASSWORD, setUpDesk } from "./kit/desk.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { issueCredential } from "./kit/service-client.ts";
import { addWaiting } from "./kit/waiting.ts";

declare global {
  interface Window {
    /** The notifications of this page, in order: title and text. */
    notified?: string[];
    /** How many notes its sounds had. */
    notes?: number;
  }
}

let product: Product;
test.beforeEach(async () => {
  product = await startProduct();
});
test.afterEach(async () => {
  await product.dispose();
});

/**
 * A person's browser, whose pages they never look at. Chromium's headless shell shows no notifications (after
 * `grantPermissions` the permission still reads "denied", and each notification ends with `error`, in a persistent profile
 * too), so its pages have their own, which are collected.
 */
async function openBrowser(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext();
  await context.addInitScript(() => {
    const notified: string[] = [];
    window.notified = notified;
    document.hasFocus = () => false;
    class Collected {
      static permission: NotificationPermission = "default";
      static async requestPermission(): Promise<NotificationPermission> {
        Collected.permission = "granted";
        return "granted";
      }
      constructor(title: string, options: NotificationOptions = {}) {
        notified.push(`${title}: ${options.body ?? ""}`);
      }
    }
    Object.assign(window, { Notification: Collected });
    class Counted extends AudioContext {
      override createOscillator(): OscillatorNode {
        window.notes = (window.notes ?? 0) + 1;
        return super.createOscillator();
      }
    }
    Object.assign(window, { AudioContext: Counted });
  });
  return context;
}

const openPage = async (browser: Browser): Promise<Page> => (await openBrowser(browser)).newPage();

/** Invites a colleague with the desk's own calls, and signs them in by their link. */
async function invite(admin: Page, page: Page): Promise<void> {
  const token = await admin.evaluate(async (api) => {
    const { csrf } = (await (await fetch(`${api}/session`)).json()) as { csrf: string };
    const made = await fetch(`${api}/users`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-parley-csrf": csrf },
      body: JSON.stringify({ email: "noor@harbour.example", name: "Noor Haddad", role: "agent" }),
    });
    return ((await made.json()) as { token: string }).token;
  }, DESK_API);
  await page.goto(`${product.desk}#setup=${token}`);
  await page.getByLabel("Password", { exact: true }).fill(DESK_PASSWORD);
  await page.getByRole("button", { name: "Save password and sign in" }).click();
  await expect(page.getByRole("heading", { name: "Queue" })).toBeVisible();
}

const groupOf = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const rowsOf = (group: Locator) => group.getByRole("listitem").getByRole("button");
const notifiedOf = (page: Page) => page.evaluate(() => window.notified ?? []);

/** Looks at the page until what the customer of this row wrote counts as seen. */
async function look(page: Page, row: Locator): Promise<void> {
  await page.evaluate(() => {
    document.hasFocus = () => true;
    dispatchEvent(new Event("focus"));
  });
  await expect(row.getByText("New", { exact: true })).toHaveCount(0);
  await page.evaluate(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event("blur"));
  });
}

/** Answers the longest-waiting customer until nobody waits; a colleague may be faster each time. */
async function work(page: Page): Promise<number> {
  const waiting = rowsOf(groupOf(page, "Waiting"));
  const reply = page.getByRole("textbox", { name: "Reply" });
  const answered = new Set<string>();
  while ((await waiting.count()) > 0) {
    await waiting
      .first()
      .click({ timeout: 5000 })
      .catch(() => undefined);
    const take = page.getByRole("button", { name: "Take conversation", exact: true });
    await take.click({ timeout: 5000 }).catch(() => undefined);
    const isMine = await reply.waitFor({ timeout: 5000 }).then(
      () => true,
      () => false,
    );
    // A row that a colleague takes first leaves the conversation before it open, which is answered already.
    const opened = page.url();
    if (!isMine || answered.has(opened)) continue;
    await reply.fill("Hello, how can I help?");
    await reply.press("Enter");
    await expect(page.getByRole("log").getByText("Sent", { exact: true })).toBeVisible();
    await look(page, page.locator('[data-region="queue"] [aria-current="true"]'));
    answered.add(opened);
  }
  return answered.size;
}

/** Customers who ask for a person by the panel, each in a browser of their own. */
async function walkIn(browser: Browser, count: number): Promise<Panel[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const page = await (await browser.newContext()).newPage();
      await page.goto(product.site);
      const panel = panelOn(page);
      await panel.launcher.click();
      await panel.composer.fill("Where is my order?");
      await panel.composer.press("Enter");
      await panel.button("Talk to a person").click();
      return panel;
    }),
  );
}

const textsOf = async (customer: TestCustomer, id: string) =>
  (await customer.transcript(id)).messages.flatMap(({ role, body }) => (role === "human" ? [body] : []));

test("DESK11 DESK12 a support day: two people, 12 customers, notifications, and nobody is overlooked", async ({
  browser,
}) => {
  test.slow();
  const [maya, noor] = [await openPage(browser), await openPage(browser)];
  const errors = [errorsOf(maya), errorsOf(noor)];
  await setUpDesk(maya, product.setupLink());
  await invite(maya, noor);
  for (const page of [maya, noor]) {
    await page.getByRole("switch", { name: "Notifications" }).click();
    await expect(page.getByRole("switch", { name: "Notifications" })).toBeChecked();
  }

  const origin = `http://127.0.0.1:${product.port}`;
  const credential = await issueCredential(product);
  const request = (path: string, init?: RequestInit) => fetch(origin + path, init);
  const customers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      const customer = await openCustomer(request, credential, `customer-${String(index).padStart(2, "0")}`);
      const id = await customer.start();
      await customer.post("/v1/support/handoffs", { conversationId: id });
      return { customer, id };
    }),
  );
  const panels = await walkIn(browser, 2);
  for (const page of [maya, noor]) {
    await expect(page).toHaveTitle("(12) Parley desk");
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", /marked/);
    const news = await notifiedOf(page);
    expect(news.length).toBeGreaterThan(0);
    expect(
      news.every((text) =>
        /^New customer waiting: (customer-\d\d|Visitor [B-Z]\d.*)$|^\d+ customers need you: $/.test(text),
      ),
    ).toBe(true);
  }

  const answered = await Promise.all([maya, noor].map(work));
  expect(answered.reduce((sum, count) => sum + count, 0)).toBe(12);
  for (const { customer, id } of customers)
    expect(await textsOf(customer, id)).toEqual(["Hello, how can I help?"]);
  for (const { log } of panels) await expect(log.getByText("Hello, how can I help?")).toHaveCount(1);

  // Some write again: only the person who has the conversation is notified, and the longest wait comes first.
  const begun = await Promise.all([maya, noor].map(async (page) => (await notifiedOf(page)).length));
  const again = customers.slice(3, 6);
  const pages = [maya, noor];
  const told = async () =>
    (
      await Promise.all(pages.map(async (page, index) => (await notifiedOf(page)).slice(begun[index])))
    ).flat();
  const messages: string[] = [];
  // What comes together would be one notification without names.
  for (const { customer, id } of again) {
    await customer.say(id, "One more thing");
    messages.push(`New message for you: ${customer.externalId}`);
    await expect.poll(told).toHaveLength(messages.length);
  }
  expect((await told()).toSorted()).toEqual(messages);
  for (const page of pages) {
    const mine = rowsOf(groupOf(page, "Assigned to you"));
    for (let names = await newOf(mine); names.length > 0; names = await newOf(mine)) {
      await mine.first().click();
      await page.getByRole("textbox", { name: "Reply" }).fill("Of course");
      await page.getByRole("textbox", { name: "Reply" }).press("Enter");
      await look(page, mine.filter({ hasText: names[0] ?? "" }));
    }
    await expect(page).toHaveTitle("Parley desk");
  }
  for (const { customer, id } of again) {
    await expect.poll(() => textsOf(customer, id)).toEqual(["Hello, how can I help?", "Of course"]);
  }
  expect(errors.flat()).toEqual([]);
});

/** Customers with these names begin to wait for a person, one after the other. */
async function openWaiting() {
  const origin = `http://127.0.0.1:${product.port}`;
  const credential = await issueCredential(product);
  const request = (path: string, init?: RequestInit) => fetch(origin + path, init);
  return async (name: string) => {
    const customer = await openCustomer(request, credential, name);
    await customer.post("/v1/support/handoffs", { conversationId: await customer.start() });
  };
}

/** Turns notifications on in each page, and returns what they call for: all notifications, and the sounds of each page. */
async function listenTo(pages: readonly Page[]) {
  for (const page of pages) {
    await page.getByRole("switch", { name: "Notifications" }).click();
    await expect(page.getByRole("switch", { name: "Notifications" })).toBeChecked();
  }
  // A sound has two notes.
  const soundsOf = (page: Page) => page.evaluate(() => (window.notes ?? 0) / 2);
  return async () => ({
    notified: (await Promise.all(pages.map(notifiedOf))).flat(),
    sounds: await Promise.all(pages.map(soundsOf)),
  });
}

test("DESK12 two windows of one person call once for a customer, and only the one that the person looks at; without locks each calls for itself (control)", async ({
  browser,
}) => {
  const context = await openBrowser(browser);
  const [first, second] = [await context.newPage(), await context.newPage()];
  await setUpDesk(first, product.setupLink());
  const address = first.url();
  await second.goto(address);
  const wait = await openWaiting();
  const called = await listenTo([first, second]);
  const titles = async (count: number) => {
    for (const page of [first, second]) await expect(page).toHaveTitle(`(${count}) Parley desk`);
  };
  await wait("ann");
  await titles(1);
  await expect.poll(async () => (await called()).notified).toEqual(["New customer waiting: ann"]);
  const { sounds } = await called();
  expect(sounds.toSorted((one, other) => one - other)).toEqual([0, 1]);

  const look = (page: Page, isHere: boolean) =>
    page.evaluate((here) => {
      document.hasFocus = () => here;
      dispatchEvent(new Event(here ? "focus" : "blur"));
    }, isHere);
  const other = sounds[0] === 0 ? first : second;
  await other.bringToFront();
  await look(other, true);
  await wait("bob");
  await titles(2);
  await expect.poll(async () => (await called()).sounds).toEqual([1, 1]);
  await look(other, false);
  await wait("cem");
  await titles(3);
  await expect
    .poll(async () => (await called()).notified)
    .toEqual(expect.arrayContaining(["New customer waiting: cem"]));
  const { notified, sounds: all } = await called();
  expect([notified.length, all.reduce((sum, count) => sum + count, 0)]).toEqual([2, 3]);

  const without = await openBrowser(browser);
  await without.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
  });
  await without.addCookies(await context.cookies());
  await context.close();
  const windows = [await without.newPage(), await without.newPage()];
  for (const page of windows) await page.goto(address);
  const calledThere = await listenTo(windows);
  await wait("dan");
  const news = "New customer waiting: dan";
  await expect.poll(async () => (await calledThere()).notified).toEqual([news, news]);
  expect((await calledThere()).sounds).toEqual([1, 1]);
});

/** The names of the unread rows, which must be the first ones. */
async function newOf(rows: Locator): Promise<string[]> {
  const all = await rows.evaluateAll((buttons) =>
    buttons.map((button) => ({
      isNew: button.getAttribute("data-unread") === "true",
      name: button.querySelector("bdi")?.textContent ?? "",
    })),
  );
  const fresh = all.filter(({ isNew }) => isNew);
  expect(all.slice(0, fresh.length)).toEqual(fresh);
  return fresh.map(({ name }) => name);
}

test("DESK11 many waiting conversations are listed whole, page by page, the longest wait first", async ({
  browser,
}) => {
  test.slow();
  await product.stop();
  await addWaiting(product.dataDir, 300);
  await product.start();
  const page = await (await browser.newContext()).newPage();
  await setUpDesk(page, product.setupLink());
  const waiting = groupOf(page, "Waiting");
  await expect(rowsOf(waiting)).toHaveCount(100);
  await expect(page).toHaveTitle("(100+) Parley desk");
  for (let count = 200; count <= 300; count += 100) {
    await waiting.getByRole("button", { name: "Show more" }).click();
    await expect(rowsOf(waiting)).toHaveCount(count);
  }
  // The last page was full, so the next one is asked for and is empty.
  await waiting.getByRole("button", { name: "Show more" }).click();
  await expect(waiting.getByRole("button", { name: "Show more" })).toHaveCount(0);
  await expect(page).toHaveTitle("(300) Parley desk");
  const names = await rowsOf(waiting).evaluateAll((rows) =>
    rows.map((row) => row.querySelector("bdi")?.textContent ?? ""),
  );
  expect(names).toEqual(Array.from({ length: 300 }, (_, index) => `flood-${String(index).padStart(4, "0")}`));
});
