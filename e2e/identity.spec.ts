import { type BrowserContext, expect, type Page, type Response } from "@playwright/test";
import { type IdentitySite, startIdentitySite } from "./kit/identity-site.ts";
import { identify, momentsOf, watchText } from "./kit/moments.ts";
import { frameOf, type Panel, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";
import { test } from "./kit/true-browser.ts";

let shop: Shop<IdentitySite>;
let context: BrowserContext;
let tab: Page;
let errors: string[];
/** The bearer tokens that the panel used, in order, by the tab's own requests. */
let bearers: string[];

test.beforeAll(async () => {
  const site = await startIdentitySite();
  shop = await openShop(site, { ["IDENTITY_KEYS"]: site.keySet });
});
test.afterAll(() => shop.dispose());
test.beforeEach(({ context: given, page }) => {
  context = given;
  tab = page;
  errors = [];
  bearers = [];
  context.on("weberror", (error) => errors.push(error.error().message));
  context.on("request", (request) => {
    const token = request.headers()["authorization"]?.slice("Bearer ".length);
    if (token && !bearers.includes(token)) bearers.push(token);
  });
});
test.afterEach(() => expect(errors).toEqual([]));

/** Opens the chat of a customer with messages of theirs in it. */
async function chatAs(customer: string, secret: string, page = tab): Promise<Panel> {
  await page.goto(`${shop.site.origin}/`);
  await identify(page, () => shop.site.sign(customer));
  const panel = panelOn(page);
  await panel.open();
  await panel.say(secret);
  await expect(panel.log.getByText(secret)).toHaveCount(1);
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  return panel;
}

/** The BFF's answer to a bearer token. */
async function statusOf(bearer: string | undefined): Promise<number> {
  const answer = await fetch(`${shop.chat}/api/session`, {
    method: "POST",
    headers: { origin: shop.chat, "content-type": "application/json", authorization: `Bearer ${bearer}` },
    body: "{}",
  });
  return answer.status;
}

/** An answer that says whose session it is; the end of a session has the same address. */
const isSessionStart = (answer: Response) =>
  answer.url().endsWith("/api/session") && answer.request().method() === "POST";

const textOf = (page: Page) => frameOf(page).evaluate(() => document.body.textContent ?? "");

test("the shop's server is asked with its own cookie, and only after the chat was opened", async () => {
  await tab.goto(`${shop.site.origin}/sign-in?as=ann`);
  await tab.goto(`${shop.site.origin}/url`);
  const panel = panelOn(tab);
  const before = shop.site.asked.length;
  await panel.launcher.hover();
  await expect.poll(() => tab.frames().length).toBe(2);
  expect(shop.site.asked).toHaveLength(before);
  const answered = tab.waitForResponse(isSessionStart);
  await panel.open();
  expect(await (await answered).json()).toMatchObject({ customer: { externalId: "ann", identified: true } });
  expect(shop.site.asked.slice(before)).toEqual(["ann"]);
  const url = frameOf(tab).url();
  expect(url).not.toContain("token");
});

test("nobody signed in there means an anonymous chat", async () => {
  await tab.goto(`${shop.site.origin}/url`);
  const answered = tab.waitForResponse(isSessionStart);
  await panelOn(tab).open();
  expect(await (await answered).json()).toMatchObject({ customer: { identified: false } });
});

test("IDENT4 an answer of 204 means nobody, and an empty one is a failure", async () => {
  await tab.route("**/chat-token", (route) => route.fulfill({ status: 200, body: "" }));
  await tab.goto(`${shop.site.origin}/url`);
  const panel = panelOn(tab);
  await panel.open();
  await expect(panel.button("Continue without signing in")).toBeVisible();
  await tab.unroute("**/chat-token");
  await tab.route("**/chat-token", (route) => route.fulfill({ status: 204 }));
  const answered = tab.waitForResponse(isSessionStart);
  await panel.button("Retry").click();
  expect(await (await answered).json()).toMatchObject({ customer: { identified: false } });
});

test("signing in keeps the conversation, and revokes the anonymous token", async () => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("Written before signing in");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await panel.composer.fill("half a thought");
  const [anonymous] = bearers;
  expect(await statusOf(anonymous)).toBe(200);
  await identify(tab, () => shop.site.sign("hana"));
  await expect.poll(() => bearers.length).toBeGreaterThan(1);
  await expect(panel.log.getByText("Written before signing in")).toHaveCount(1);
  await expect(panel.composer).toHaveValue("half a thought");
  expect(await statusOf(anonymous)).toBe(401);
  await panel.say("Written after it");
  await expect(panel.log.getByText("Written after it")).toHaveCount(1);
  await expect(panel.button("Retry")).toHaveCount(0);

  const letters = "abcdefghijklmnopqrstuvwxyz".repeat(4);
  await panel.composer.focus();
  await identify(tab, () => shop.site.sign("hana"));
  await tab.keyboard.type(letters);
  await expect(panel.composer).toHaveValue(letters);

  // Before the frame has covered anything.
  await tab.emulateMedia({ reducedMotion: "no-preference" });
  const styles = await tab.evaluate(() => {
    const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
    if (!frame) throw new Error("there is no frame");
    const style = getComputedStyle(frame);
    void window.Parley("identify", { token: "somebody else" });
    const held = [style.opacity, style.pointerEvents];
    void window.Parley("close");
    return [...held, style.visibility];
  });
  expect(styles, "no click reaches what is hidden, and closing does not show it").toEqual([
    "0",
    "none",
    "hidden",
  ]);
});

test("another customer signs in without a logout: not one frame shows the first one's messages", async () => {
  const panel = await chatAs("dora", "canary of Dora");
  await panel.composer.fill("canary of Dora, half written");
  await watchText(tab, "canary of Dora");
  const checked = Promise.withResolvers<void>();
  await tab.route("**/api/session", (route) => checked.promise.then(() => route.continue()));
  await identify(tab, () => shop.site.sign("bob"));
  await expect(panel.frame.getByText("Checking who you are…")).toBeVisible();
  await expect(panel.composer).toBeFocused();
  await tab.keyboard.type("typed meanwhile");
  await expect(panel.composer).toHaveValue("typed meanwhile");
  checked.resolve();
  await expect(panel.log).toBeVisible();
  await expect(panel.composer).toHaveValue("");
  await expect(panel.composer).toBeFocused();
  await panel.composer.press("Control+z");
  await expect(panel.composer).toHaveValue("");
  expect(await textOf(tab)).not.toContain("canary");
  const { identifiedAt, clearedAt, shownAt } = await momentsOf(tab);
  expect(clearedAt).toBeGreaterThan(identifiedAt);
  expect(shownAt).toBeGreaterThan(clearedAt);
  await panel.say("I am Bob");
  await expect(panel.log.getByText("I am Bob")).toHaveCount(1);
  expect(await statusOf(bearers[0])).toBe(401);
});

test("IDENT5 another tab that learns of another customer covers the first one's messages in this tab, and sends nothing in their name", async () => {
  const { origin } = shop.site;
  await tab.goto(`${origin}/sign-in?as=lena`);
  await tab.goto(`${origin}/url`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("canary of Lena");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await panel.composer.fill("canary of Lena, half written");

  // The shop forgot logout. This tab is not touched.
  const second = await context.newPage();
  const before = shop.site.asked.length;
  // By itself, because a page of the shop in between would start a session of its own.
  await context.request.get(`${origin}/sign-in?as=otto`);
  // The panel was open, so it opens and starts its session as soon as the page is there.
  const started = second.waitForResponse(isSessionStart);
  await second.goto(`${origin}/url`);
  const other = panelOn(second);
  await other.open();
  expect(await (await started).json()).toMatchObject({
    customer: { externalId: "otto" },
    conversation: null,
  });
  await expect.poll(() => textOf(tab)).not.toContain("canary");
  await expect(panel.composer).toHaveValue("");
  // Both tabs asked the shop.
  await expect.poll(() => shop.site.asked.length - before).toBeGreaterThanOrEqual(2);
  expect(new Set(shop.site.asked.slice(before))).toEqual(new Set(["otto"]));
  await tab.bringToFront();
  // What somebody writes before the session names Otto is dropped.
  await expect(panel.log).toBeVisible();
  await panel.say("I am Otto");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  await expect(other.log.getByText("I am Otto")).toHaveCount(1);
  expect(await textOf(tab)).not.toContain("canary");

  // Control: Lena's words are still hers.
  await context.request.get(`${origin}/sign-in?as=lena`);
  await second.goto(`${origin}/url`);
  await expect(other.log.getByText("canary of Lena")).toHaveCount(1);
});

test("a panel that stayed visible would have shown the first one's messages (control)", async () => {
  const panel = await chatAs("ina", "canary of Ina");
  await watchText(tab, "canary of Ina");
  await tab.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("iframe { opacity: 1 !important; visibility: visible !important }");
    document.querySelector("parley-chat")?.shadowRoot?.adoptedStyleSheets.push(sheet);
  });
  await identify(tab, () => shop.site.sign("jon"));
  await expect(panel.composer).toBeVisible();
  const { clearedAt, shownAt } = await momentsOf(tab);
  expect(shownAt).toBeLessThan(clearedAt);
});

test("logout leaves nothing: not in this tab, not in the other, not after Back or a reload", async () => {
  const panel = await chatAs("eve", "canary of Ann");
  const other = await context.newPage();
  const second = await chatAs("eve", "canary from the second tab", other);
  expect(bearers.length).toBeGreaterThanOrEqual(2);
  await tab.evaluate(() => window.Parley.logout());
  await expect(panel.launcher).toBeVisible();
  await expect(second.log.getByText(/canary/)).toHaveCount(0);
  for (const page of [tab, other]) expect(await textOf(page)).not.toContain("canary");
  for (const bearer of bearers) await expect.poll(() => statusOf(bearer)).toBe(401);
  const kept = await frameOf(tab).evaluate(() =>
    [...Object.values(localStorage), ...Object.values(sessionStorage)].join(),
  );
  for (const bearer of bearers) expect(kept).not.toContain(bearer);

  // Keeps the page out of the back-forward cache: the test runner loses the frames of a page that comes out of it.
  await tab.evaluate(() => addEventListener("unload", () => undefined));
  await tab.goto(`${shop.site.origin}/plain`);
  await tab.goBack();
  const again = panelOn(tab);
  await again.launcher.click();
  await expect(again.composer).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
  await tab.reload();
  await again.open();
  expect(await textOf(tab)).not.toContain("canary");
});

test("IDENT7 a logout right before somebody signs in ends the former visitor's session, also before there is a frame", async () => {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("canary of a visitor");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  const [anonymous] = bearers;
  await tab.goto(`${shop.site.origin}/`);
  const outcome = tab.evaluate(
    (token) => {
      const done = window.Parley.logout();
      void window.Parley.identify({ token });
      return done;
    },
    await shop.site.sign("ivy"),
  );
  await panel.open();
  await outcome;
  expect(await statusOf(anonymous)).toBe(401);
  await panel.say("words of ivy");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
});

test("a page restored from the back-forward cache after another tab signed out is empty", async () => {
  await chatAs("finn", "canary of Ann");
  await tab.evaluate(() =>
    addEventListener("pageshow", (event) =>
      document.body.setAttribute("data-persisted", `${event.persisted}`),
    ),
  );
  await tab.goto(`${shop.site.origin}/plain`);
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

test("logout without a network: nothing stays on the screen, and the session ends once the network is back", async () => {
  const panel = await chatAs("gus", "canary of Ann");
  const [bearer] = bearers;
  // Firefox reports a part that breaks off while it loads as an error of the page.
  await expect.poll(() => tab.evaluate(() => window.Parley.connection)).toBe("online");
  await context.setOffline(true);
  const outcome = tab.evaluate(() =>
    window.Parley.logout().then(
      () => "done",
      (error) => error.code,
    ),
  );
  await expect(panel.launcher).toBeVisible();
  // The page has hidden the frame; the frame's own text goes when the message reaches it.
  await expect.poll(() => textOf(tab)).not.toContain("canary");
  // Nothing reports that the session ended on the server, because it has not.
  expect(await outcome).toBe("support_unreachable");
  expect(await statusOf(bearer)).toBe(200);
  await context.setOffline(false);
  // It tries again after pauses of up to 30 s.
  await expect.poll(() => statusOf(bearer), { timeout: 90_000 }).toBe(401);
});

test("a refused token gives the page a code and the customer a sentence, and never falls back to an anonymous session", async () => {
  await tab.goto(`${shop.site.origin}/`);
  await tab.evaluate(() => {
    const told: unknown[] = [];
    Reflect.set(window, "told", told);
    for (const type of ["identity:failed", "identity:needed"] as const) {
      window.Parley("on", type, (event) => told.push([event.type, Reflect.get(event, "code")]));
    }
  });
  await identify(tab, () => shop.site.sign("ann", { aud: "another shop" }));
  const panel = panelOn(tab);
  await panel.open();
  await expect(
    panel.frame.getByText("We couldn't confirm who you are. Please try again.").first(),
  ).toBeVisible();
  await expect
    .poll(() => tab.evaluate(() => Reflect.get(window, "told")))
    .toContainEqual(["identity:failed", "wrong_audience"]);
  expect(bearers).toEqual([]);
  await panel.button("Continue without signing in").click();
  await panel.say("Then without");
  await expect(panel.log.getByText("Sent").last()).toBeVisible();
});

test("OUT3 text written while support was down: after a reload another customer sees nothing, the same one gets it back", async () => {
  const openAs = async (customer: string, before: () => Promise<unknown> = async () => undefined) => {
    await tab.goto(`${shop.site.origin}/`);
    await before();
    await identify(tab, () => shop.site.sign(customer));
    const panel = panelOn(tab);
    await panel.open();
    return panel;
  };
  await context.route("**/api/session", (route) => route.abort());
  const first = await openAs("kim");
  await first.say("canary of Kim");
  await expect(first.log.getByText("Waiting to send.")).toBeVisible();
  await first.composer.fill("canary of Kim, half written");

  const other = await openAs("lou");
  await expect(other.frame.getByText("1 message is waiting to send.")).toBeVisible();
  expect(await textOf(tab)).not.toContain("canary");
  await expect(other.composer).toHaveValue("");

  // Away from Lou's page first: it retries, and a session of Lou's would rightly end what Kim left.
  await tab.goto(`${shop.site.origin}/plain`);
  await context.unroute("**/api/session");
  // The site names Kim only after the panel has started a visitor's session.
  const again = await openAs("kim", async () => {
    const started = tab.waitForResponse(isSessionStart);
    await panelOn(tab).launcher.click();
    expect(await (await started).json()).toMatchObject({ customer: { identified: false } });
  });
  await expect(again.log.getByText("canary of Kim")).toHaveCount(1);
  await expect(again.log.getByText("Sent").last()).toBeVisible();
  await expect(again.composer).toHaveValue("canary of Kim, half written");
});

test("a new tab asks the site again; the same customer continues there", async () => {
  const panel = await chatAs("carol", "canary of Carol");
  await tab.reload();
  await identify(tab, () => shop.site.sign("carol"));
  await panel.open();
  await expect(panel.log.getByText("canary of Carol")).toHaveCount(1);
});
