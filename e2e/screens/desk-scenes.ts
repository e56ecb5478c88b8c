import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import { setUpDesk } from "../kit/desk.ts";
import { panelOn } from "../kit/panel.ts";
import type { Product } from "../kit/product.ts";
import { photo } from "./photo.ts";
import type { Variant } from "./visit.ts";
import { WORDS } from "./words.ts";

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true },
} as const;

/** The options of the pictures. */
export const QUIET = { animations: "disabled", caret: "hide" } as const;

interface Place {
  readonly browser: Browser;
  readonly product: Product;
}

/** A desk with conversations to show. */
export interface FilledDesk extends Place {
  readonly address: string;
  readonly cookies: Awaited<ReturnType<BrowserContext["cookies"]>>;
}

/** One state of the desk. */
export interface DeskScene {
  readonly name: string;
  /** Nobody has signed in. */
  readonly isOutside?: boolean;
  /** Produces the state, and waits for it. */
  readonly act: (page: Page) => Promise<void>;
}

type Middle = (customer: Page, maya: Page) => Promise<void>;

/** Creates an account, ends one conversation, takes another and makes two customers wait; `inTheMiddle` may look at both sides. */
export async function fillDesk(place: Place, inTheMiddle: Middle): Promise<FilledDesk> {
  const maya = await newPage(place, "desktop", "light");
  await setUpDesk(maya, place.product.setupLink(), WORDS.en.human);
  await converse(place, maya, inTheMiddle);
  await wait(place, WORDS.en.question);
  await take(maya);
  await maya.getByRole("button", { name: "Draft a reply" }).waitFor();
  for (const question of [WORDS.en.suggestions, WORDS.ar.suggestions]) await wait(place, question);
  return { ...place, address: maya.url(), cookies: await maya.context().cookies() };
}

/** Shows `scene` to a team member, and calls `look`. */
export async function visitDesk<T>(
  desk: FilledDesk,
  scene: DeskScene,
  { device, look: scheme }: Pick<Variant, "device" | "look">,
  look: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await newPage(desk, device, scheme);
  try {
    if (!scene.isOutside) await page.context().addCookies(desk.cookies);
    await page.goto(desk.address);
    await scene.act(page);
    return await look(page);
  } finally {
    await page.context().close();
  }
}

async function newPage({ browser }: Place, device: Variant["device"], look: Variant["look"]) {
  const context = await browser.newContext({
    colorScheme: look,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...DEVICES[device],
  });
  return context.newPage();
}

/** A row of the queue, by customer; the longest-waiting one is the first. */
const rowsOf = (desk: Page): Locator => desk.getByRole("button", { name: /visitor/i });

/** One conversation up to its end, with a file and a rating. */
async function converse(place: Place, maya: Page, inTheMiddle: Middle): Promise<void> {
  const { product } = place;
  const words = WORDS.en;
  const page = await newPage(place, "desktop", "light");
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(words.question);
  await panel.log.locator('[data-role="agent"] [data-state="message"]').last().waitFor();
  await panel.button("Talk to a person").click();
  await take(maya);
  await reply(maya, words.asks);
  await panel.log.getByText("Which lamp is it").waitFor();
  await panel.frame.locator('input[type="file"]').setInputFiles({
    name: words.invoice,
    mimeType: "image/png",
    buffer: photo(),
  });
  await panel.frame.getByText(words.invoice).first().waitFor();
  await panel.frame.locator("progress").waitFor({ state: "detached" });
  await panel.say(words.lamp);
  await maya.getByRole("log").getByText("around 2009").waitFor();
  await reply(maya, words.price);
  await panel.log.getByText("Then it still has").waitFor();
  await page.mouse.move(400, 700);
  await maya.getByText("Sent", { exact: true }).last().waitFor();
  await inTheMiddle(page, maya);
  await panel.button("End conversation").click();
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
  await panel.frame.getByText("Good", { exact: true }).click();
  await panel.frame.getByRole("textbox", { name: "Tell us more" }).fill("Quick and kind.");
  await panel.button("Send rating").click();
  await panel.button("Change rating").waitFor();
  await page.context().close();
}

/** Takes the conversation that waits longest. */
async function take(maya: Page): Promise<void> {
  await rowsOf(maya).first().click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
}

async function reply(maya: Page, text: string): Promise<void> {
  await maya.getByRole("textbox", { name: "Reply" }).fill(text);
  await maya.getByRole("button", { name: "Send reply" }).click();
}

/** Another customer, who waits for a person. */
async function wait(place: Place, questions: string): Promise<void> {
  const page = await newPage(place, "desktop", "light");
  await page.goto(place.product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(questions.split("\n")[0] ?? "");
  await panel.log.getByText("Sent").first().waitFor();
  await panel.button("Talk to a person").click();
  await panel.frame
    .getByText(/we've asked a teammate/i)
    .first()
    .waitFor();
  await sendSummary(panel);
  await page.context().close();
}

/** Sends the proposed summary, with a line of the customer's own. */
async function sendSummary({ frame, button }: ReturnType<typeof panelOn>): Promise<void> {
  await button("Add a summary for our team").click();
  const box = frame.getByRole("textbox", { name: "Add a summary for our team" });
  await expect(box).not.toHaveValue("");
  await box.fill(`${await box.inputValue()}\nI can bring it by on Friday.`);
  await frame.locator("form").filter({ has: box }).getByRole("button", { name: "Send" }).click();
  await frame.getByText("Summary sent to our team.").first().waitFor();
}

/** The queue with its ended conversations shown. */
async function showQueue(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Queue" }).waitFor();
  await rowsOf(page).first().waitFor();
  const fold = page.getByRole("button", { name: /^ended/i });
  if (await fold.count()) await fold.click();
}

const goTo = (place: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name: place }).click();
  await page.getByRole("heading", { level: 1, name: place }).waitFor();
};

/** Every state of the desk that is shown, in the order in which a person would see them. */
export const DESK_SCENES: readonly DeskScene[] = [
  {
    name: "desk-sign-in",
    isOutside: true,
    act: (page) => page.getByRole("button", { name: "Sign in" }).waitFor(),
  },
  { name: "desk-queue", act: showQueue },
  {
    name: "desk-conversation",
    // The ended one, with its file and rating.
    act: async (page) => {
      await showQueue(page);
      await rowsOf(page).last().click();
      const log = page.getByRole("log");
      await log.getByText("Quick and kind").waitFor();
      await log.locator("img").first().waitFor();
      await log.getByText("Quick and kind").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "desk-waiting",
    act: async (page) => {
      await showQueue(page);
      await rowsOf(page).first().click();
      await page.getByRole("button", { name: "Take conversation" }).waitFor();
    },
  },
  {
    name: "desk-draft",
    act: async (page) => {
      await showQueue(page);
      await rowsOf(page).filter({ hasText: WORDS.en.question }).first().click();
      await page.getByRole("button", { name: "Draft a reply" }).click();
      const draft = page.getByRole("region", { name: "Draft of the AI agent" });
      await draft.getByText("It's in the reply box").waitFor();
      await draft.getByRole("list", { name: "Sources" }).waitFor();
    },
  },
  { name: "desk-people", act: goTo("People") },
  { name: "desk-account", act: goTo(/^Your account/) },
];
