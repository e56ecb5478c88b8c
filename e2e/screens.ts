import { mkdirSync, rmSync } from "node:fs";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from "@playwright/test";
import { launchOptions } from "./browser.ts";
import { setUpDesk } from "./kit/desk.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { startProduct } from "./kit/product.ts";

const OUT = new URL("../docs/screens/", import.meta.url).pathname;

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true };
type Look = "light" | "dark";
const LOOKS = ["light", "dark"] as const;

const browser = await chromium.launch(launchOptions);
const product = await startProduct({ ["LOG_LEVEL"]: "error" });
try {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  await takeDeskEntry();
  const maya = await openDesk("light");
  await take(maya, "desk-empty");
  const { panel, page } = await visit("light", DESKTOP);
  await walkPanel(page, panel, maya);
  await visitOthers(maya);
  await takeDesk(maya);
  await takeDoubts();
} finally {
  await browser.close();
  await product.dispose();
}

async function newPage(look: Look, options: BrowserContextOptions): Promise<Page> {
  const context = await contextOf(browser, look, options);
  return context.newPage();
}

function contextOf(from: Browser, look: Look, options: BrowserContextOptions) {
  return from.newContext({
    colorScheme: look,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...options,
  });
}

/** A picture of a page, or of a part of it, without a caret and with its fonts there. */
async function take(from: Page | Locator, name: string): Promise<void> {
  await from.screenshot({ path: `${OUT}${name}.png`, animations: "disabled", caret: "hide" });
}

async function visit(look: Look, options: BrowserContextOptions): Promise<{ page: Page; panel: Panel }> {
  const page = await newPage(look, options);
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  // Away from where the launcher was: nothing in a picture is hovered.
  if (!options.isMobile) await page.mouse.move(400, 700);
  return { page, panel };
}

/** One conversation through all of its states. */
async function walkPanel(page: Page, panel: Panel, maya: Page): Promise<void> {
  await take(page, "panel-welcome");
  await ask(panel, "Do you repair old lamps?");
  await take(page, "panel-answer");
  await askForPerson(panel);
  await take(page, "panel-person-asked");
  await takeOver(maya);
  await reply(maya, "Hello, Maya here. Gladly! Which lamp is it, and about how old?");
  await panel.log.getByText("Which lamp is it").waitFor();
  await panel.say("A Pierhead, my parents bought it around 2009.");
  await maya.getByRole("log").getByText("around 2009").waitFor();
  await reply(
    maya,
    "Then it still has the old switch. We have those here: send it in, and you hear the price **before** we begin.",
  );
  await panel.log.getByText("Then it still has").waitFor();
  await take(page, "panel-person");
  await maya.getByText("Sent", { exact: true }).last().waitFor();
  await take(maya, "desk-conversation");
  await panel.button("End conversation").click();
  await take(page, "panel-end-question");
  await panel.button("End conversation").click();
  await panel.frame.getByText(/ended/i).first().waitFor();
  await take(page, "panel-ended");
}

async function visitOthers(maya: Page): Promise<void> {
  // First: whoever waits longest is the one that the desk takes.
  const arabic = await visit("light", DESKTOP);
  await ask(arabic.panel, "متى يصل طلبي رقم 4711؟");
  await askForPerson(arabic.panel);
  await takeOver(maya);
  await reply(maya, "مرحباً، أنا مايا. طلبك رقم 4711 يصل يوم الثلاثاء.");
  await arabic.panel.log.getByText("مرحباً").waitFor();
  await take(arabic.page, "panel-arabic");
  for (const look of LOOKS) {
    const { page, panel } = await visit(look, PHONE);
    await take(page, `panel-phone-welcome-${look}`);
    await ask(panel, "Can I return a lamp?");
    await askForPerson(panel);
    await take(page, `panel-phone-${look}`);
    await page.context().close();
  }
  const dark = await visit("dark", DESKTOP);
  await ask(dark.panel, "Which payment methods do you accept?");
  await take(dark.page, "panel-answer-dark");
}

async function takeDeskEntry(): Promise<void> {
  const page = await newPage("light", DESKTOP);
  await page.goto(product.setupLink());
  await page.getByRole("button", { name: "Create account" }).waitFor();
  await take(page, "desk-set-up");
  await page.context().close();
}

async function openDesk(look: Look): Promise<Page> {
  const page = await newPage(look, DESKTOP);
  await setUpDesk(page, product.setupLink());
  return page;
}

/** The desk with people waiting and a conversation open, in each look and size. */
async function takeDesk(maya: Page): Promise<void> {
  await take(maya, "desk-arabic");
  const cookies = await maya.context().cookies();
  for (const look of LOOKS) {
    for (const [size, options] of [
      ["desktop", DESKTOP],
      ["phone", PHONE],
    ] as const) {
      const page = await newPage(look, options);
      await page.context().addCookies(cookies);
      await page.goto(maya.url());
      await page.getByRole("heading", { name: "Queue" }).waitFor();
      await page
        .getByRole("button", { name: /visitor/i })
        .first()
        .waitFor();
      await take(page, `desk-queue-${size}-${look}`);
      await page
        .getByRole("button", { name: /visitor/i })
        .first()
        .click();
      await page.getByRole("log").waitFor();
      await take(page, `desk-open-${size}-${look}`);
      await page.context().close();
    }
  }
  const out = await newPage("dark", DESKTOP);
  await out.goto(product.desk);
  await out.getByRole("button", { name: "Sign in" }).waitFor();
  await take(out, "desk-sign-in");
}

/** What a customer sees when support can't be reached. */
async function takeDoubts(): Promise<void> {
  const { page, panel } = await visit("light", DESKTOP);
  await ask(panel, "Can I change my delivery address?");
  await page.context().setOffline(true);
  await panel.say("It should go to my neighbour instead.");
  await panel.button("Retry").waitFor();
  await take(page, "panel-not-confirmed");
}

async function ask(panel: Panel, text: string): Promise<void> {
  await panel.say(text);
  await panel.log.getByText("Sent").first().waitFor();
  await panel.log.locator('[data-role="agent"] .bubble').last().waitFor();
  // The answer is whole once its message stands there instead of the live one.
  await panel.log.locator('[data-role="agent"] [data-state="message"]').last().waitFor();
}

async function askForPerson(panel: Panel): Promise<void> {
  await panel.button("Talk to a person").click();
  await panel.frame
    .getByText(/a person has been asked/i)
    .first()
    .waitFor();
}

/** Takes the customer who has waited longest: the rows of the queue say who waits, in that order. */
async function takeOver(maya: Page): Promise<void> {
  await maya
    .getByRole("button", { name: /visitor/i })
    .first()
    .click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
  await maya.getByRole("textbox", { name: "Reply" }).waitFor();
}

async function reply(maya: Page, text: string): Promise<void> {
  await maya.getByRole("textbox", { name: "Reply" }).fill(text);
  await maya.getByRole("button", { name: "Send reply" }).click();
}
