import { expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { changed, heard, listenTo } from "./kit/listener.ts";
import { frameOf, type Panel, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

const QUESTION = "How long does delivery take?";
const REPLY = "Hello, your parcel leaves today.";

/** How often a text was announced. */
const times = (said: readonly string[], words: RegExp) => said.filter((text) => words.test(text)).length;

/** The elements that Tab reaches in the panel from its first to its last, by name. */
async function tabStops(page: Page, panel: Panel): Promise<string[]> {
  await panel.button("Close chat").focus();
  const names: string[] = [];
  for (let step = 0; step < 20; step += 1) {
    const name = await frameOf(page).evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body || !document.hasFocus()) return undefined;
      return (
        element.getAttribute("aria-label") ||
        (element instanceof HTMLTextAreaElement ? element.labels?.[0]?.textContent : element.textContent) ||
        element.tagName
      ).trim();
    });
    if (name === undefined) break;
    names.push(name);
    await page.keyboard.press("Tab");
  }
  return names;
}

test("TRUTH1 TRUTH5 a whole conversation is announced once, finished, with its authors, in panel and desk", async ({
  browser,
}) => {
  const context = await browser.newContext();
  await listenTo(context);
  const customer = await context.newPage();
  await customer.goto(product.site);
  const panel = panelOn(customer);
  await panel.open();
  const said = () => heard(frameOf(customer));

  await panel.say(QUESTION);
  await expect.poll(async () => times(await said(), /^AI agent: /)).toBe(1);
  const answer = (await said()).find((text) => text.startsWith("AI agent: ")) ?? "";
  // Complete, and without characters that only make sense visually.
  expect(answer).toMatch(/working days/);
  expect(answer).not.toMatch(/\*\*|\]\(/);
  expect(times(await said(), /message sent/i)).toBe(1);
  expect(await panel.log.ariaSnapshot()).toContain("Sources");
  // No person is announced before the service reported one.
  expect(times(await said(), /asked a teammate|joined/i)).toBe(0);

  await panel.button("Talk to a person").click();
  await expect.poll(async () => times(await said(), /asked a teammate/i)).toBe(1);
  expect(times(await said(), /joined/i)).toBe(0);

  const people = await browser.newContext();
  await listenTo(people);
  const maya = await people.newPage();
  await setUpDesk(maya, product.setupLink());
  await maya
    .getByRole("button", { name: /visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await expect.poll(async () => times(await heard(maya), /now assigned to you/i)).toBe(1);
  await expect.poll(async () => times(await said(), /Maya Lindqvist joined/)).toBe(1);

  // Also while a question is open, which makes the rest of the panel inert.
  await panel.button("End conversation").click();
  await expect(panel.frame.getByRole("alertdialog")).toBeVisible();
  await maya.getByRole("textbox", { name: "Reply" }).fill(REPLY);
  await maya.keyboard.press("Enter");
  await expect.poll(async () => times(await said(), /^Maya Lindqvist: Hello, your parcel/)).toBe(1);
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "Keep it open" }).click();
  await expect.poll(async () => times(await heard(maya), /reply sent/i)).toBe(1);
  await panel.say("Thank you, Maya!");
  await expect.poll(async () => times(await heard(maya), /Thank you, Maya!/)).toBe(1);

  await maya.getByRole("button", { name: "Hand back to agent" }).click();
  await expect.poll(async () => times(await said(), /back with our AI agent/i)).toBe(1);
  await expect.poll(async () => times(await heard(maya), /handed back/i)).toBe(1);
  await panel.button("End conversation").click();
  expect(times(await said(), /has ended/i)).toBe(0);
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
  await expect.poll(async () => times(await said(), /has ended/i)).toBe(1);
  await expect.poll(async () => times(await heard(maya), /ended the conversation/i)).toBe(1);

  // Nothing twice, nothing in pieces, on either side.
  for (const [name, where] of [
    ["panel", frameOf(customer)],
    ["desk", maya],
  ] as const) {
    const all = await heard(where);
    const repeated = all.filter((text, index) => all.indexOf(text) !== index && !/sent/i.test(text));
    expect(repeated, name).toEqual([]);
    expect(await changed(where), name).toEqual([]);
  }
  expect(times(await said(), /message sent/i)).toBe(2);
  // A person who arrives later reads every message with its author.
  for (const words of [/You:/, /AI agent:/, /Maya Lindqvist:/, /The conversation has ended/]) {
    // The end was announced by the answer that confirmed it; the log gets it from the stream, which may be a moment
    // later.
    await expect.poll(() => panel.log.ariaSnapshot()).toMatch(words);
  }
});

test("the listener detects repeated announcements and texts that grow (control)", async ({ browser }) => {
  const context = await browser.newContext();
  await listenTo(context);
  const page = await context.newPage();
  await page.goto(product.site);
  await page.evaluate(() => {
    const region = document.createElement("div");
    region.setAttribute("role", "status");
    document.body.append(region);
    for (const words of ["Once", "Once"])
      region.append(Object.assign(document.createElement("p"), { textContent: words }));
    const piece = document.createTextNode("Gro");
    region.append(piece);
    piece.data = "Growing";
    const silent = document.createElement("div");
    silent.setAttribute("aria-live", "off");
    document.body.append(silent);
    silent.append("Unheard");
  });
  await expect.poll(async () => times(await heard(page), /^Once$/)).toBe(2);
  expect(times(await heard(page), /Unheard/)).toBe(0);
  expect(await changed(page)).toEqual(["Growing"]);
});

test("by keyboard: Tab goes through the panel in reading order, Escape goes back one step at a time", async ({
  browser,
}) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.launcher.focus();
  await page.keyboard.press("Enter");
  await expect(panel.composer).toBeFocused();
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Enter");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await expect(panel.log.getByRole("link").first()).toBeVisible();
  const stops = await tabStops(page, panel);
  expect(stops[0]).toBe("Close chat");
  expect(stops.slice(-2)).toEqual(["Talk to a person", "End conversation"]);
  expect(stops.indexOf("Conversation")).toBe(1);
  expect(stops.indexOf("Message")).toBeGreaterThan(stops.indexOf("Conversation") + 1);

  // Escape: first the question, then the panel; the focus returns to where it was.
  await panel.button("End conversation").focus();
  await page.keyboard.press("Enter");
  const question = panel.frame.getByRole("alertdialog", { name: "End this conversation?" });
  await expect(question).toBeVisible();
  const keep = question.getByRole("button", { name: "Keep it open" });
  await expect(keep).toBeFocused();
  // The rest of the panel is inert.
  for (const other of [panel.log, panel.composer, panel.button("Close chat")]) {
    await other.evaluate((element) => element.focus());
    await expect(keep).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(panel.button("End conversation")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(panel.launcher).toBeFocused();

  // A closed panel is not reached by Tab and not read.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(panel.composer).not.toBeFocused();
  expect(await page.locator("body").ariaSnapshot()).not.toMatch(/dialog "Chat"|textbox "Message"/);
});

/** WCAG 1.4.12: nothing may be lost when a reader increases the text spacing this far. */
const SPACED =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

/** Elements whose text is cut, or that extend beyond the window. */
function lost(where: Pick<Page, "evaluate">): Promise<string[]> {
  return where.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isSeen = (element: Element) =>
      element.checkVisibility() && !element.closest(".hidden__hidden-text, [inert], [aria-hidden=true]");
    const wide = document.documentElement.scrollWidth > width ? ["the page scrolls sideways"] : [];
    const outside = [...document.querySelectorAll("button, textarea, input, a, h1, h2, p")]
      .filter(isSeen)
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        const isCut = element.tagName !== "TEXTAREA" && element.scrollWidth > element.clientWidth + 1;
        return left < -1 || right > width + 1 || (isCut && getComputedStyle(element).overflowX === "hidden");
      })
      .map(
        (element) => `${element.tagName} ${element.getAttribute("aria-label") ?? element.textContent ?? ""}`,
      );
    return [...wide, ...outside];
  });
}

for (const [name, viewport] of [
  ["400 % zoom of 1280 by 1024", { width: 320, height: 256 }],
  ["a narrow window", { width: 320, height: 640 }],
] as const) {
  test(`nothing is lost at ${name}, nor with increased text spacing`, async ({ browser }) => {
    const page = await (await browser.newContext({ viewport })).newPage();
    await page.goto(product.site);
    const panel = panelOn(page);
    await panel.open();
    await panel.say("What does the guarantee cover?");
    await expect(panel.log.getByText("Sent").first()).toBeVisible();
    await expect(panel.log.getByRole("link").first()).toBeVisible();
    const frame = frameOf(page);
    for (const css of ["", SPACED]) {
      // The page's own policy forbids foreign style elements; a constructed style sheet is allowed.
      await frame.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets.push(sheet);
      }, css);
      expect(await lost(frame), css).toEqual([]);
      for (const button of ["Close chat", "Talk to a person", "End conversation", "Send"]) {
        await panel.button(button).scrollIntoViewIfNeeded();
        await expect(panel.button(button), `${button} ${css}`).toBeInViewport();
      }
      await panel.composer.scrollIntoViewIfNeeded();
      await expect(panel.composer, css).toBeInViewport();
      // Part of the transcript is always visible.
      const height = await panel.log.evaluate((element) => element.clientHeight);
      expect(height, css).toBeGreaterThan(40);
    }
    // Also where the strip above the box has much to say.
    await panel.button("Talk to a person").click();
    await expect(panel.frame.getByText("Leave your e-mail address").first()).toBeAttached();
    expect(await panel.log.evaluate((element) => element.clientHeight)).toBeGreaterThan(40);
  });
}

test("an element beyond the window is found (control)", async ({ browser }) => {
  const page = await (await browser.newContext({ viewport: { width: 320, height: 256 } })).newPage();
  await page.setContent('<button style="position:fixed;left:300px;width:100px">Send</button>');
  expect(await lost(page)).toEqual(["BUTTON Send"]);
});

test("nothing of the desk is lost at 400 % zoom", async ({ browser }) => {
  const own = await startProduct();
  const viewport = { width: 320, height: 256 };
  const customer = await (await browser.newContext()).newPage();
  await customer.goto(own.site);
  const panel = panelOn(customer);
  await panel.open();
  await panel.say(QUESTION);
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await expect(panel.frame.getByText(/we've asked a teammate/i).first()).toBeVisible();
  await panel.button("Add a summary for our team").click();
  await panel.button("Send Add a summary for our team").click();
  await expect(panel.log).toContainText("Summary sent to our team");

  const maya = await (await browser.newContext({ viewport })).newPage();
  await maya.goto(own.setupLink());
  await expect(maya.getByRole("button", { name: "Create account" })).toBeVisible();
  expect(await lost(maya)).toEqual([]);
  await setUpDesk(maya, own.setupLink());
  await maya
    .getByRole("button", { name: /visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await maya.getByRole("textbox", { name: "Reply" }).fill(REPLY);
  expect(await lost(maya)).toEqual([]);
  for (const name of ["Send reply", "Resolve", "Hand back to agent"]) {
    const button = maya.getByRole("button", { name, exact: true });
    await button.scrollIntoViewIfNeeded();
    await expect(button, name).toBeInViewport();
    // Nothing lies on it.
    await button.click({ trial: true });
  }
  await maya.keyboard.press("Enter");
  await expect(panel.log).toContainText(REPLY);
  await own.dispose();
});
