import { writeFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Locator, Page } from "@playwright/test";
import { setUpDesk } from "../kit/desk.ts";
import { panelOn } from "../kit/panel.ts";
import { type Product, startProduct } from "../kit/product.ts";
import { photo } from "./photo.ts";
import { type Shot, sheetOf } from "./sheet.ts";
import { WORDS } from "./words.ts";

const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 800 }, deviceScaleFactor: 1, hasTouch: true, isMobile: true },
} as const;
const LOOKS = ["light", "dark"] as const;
const QUIET = { animations: "disabled", caret: "hide" } as const;

interface Place {
  readonly browser: Browser;
  readonly product: Product;
  readonly out: string;
}

/** The desk with the whole product behind it, and the two pictures of the README, which are of that run as well. */
export async function takeDesk(browser: Browser, out: string): Promise<void> {
  const product = await startProduct({ ["LOG_LEVEL"]: "error" });
  const place: Place = { browser, product, out };
  try {
    const maya = await newPage(place, "light", DEVICES.desktop);
    await setUpDesk(maya, product.setupLink(), WORDS.en.human);
    await converse(place, maya);
    for (const question of [WORDS.en.suggestions, WORDS.ar.suggestions]) await wait(place, question);
    const paper = await browser.newPage();
    const { cookies } = await maya.context().storageState();
    for (const name of ["desk-queue", "desk-conversation"]) {
      const rows: Shot[][] = [];
      for (const device of ["desktop", "phone"] as const) {
        const row: Shot[] = [];
        for (const look of LOOKS) {
          const page = await newPage(place, look, DEVICES[device]);
          await page.context().addCookies(cookies);
          await showDesk(page, maya.url(), name === "desk-conversation");
          row.push({ png: await page.screenshot(QUIET), label: `${name}: ${device}, ${look}` });
          await page.context().close();
        }
        rows.push(row);
      }
      writeFileSync(`${out}${name}.webp`, await sheetOf(paper, rows));
    }
  } finally {
    await product.dispose();
  }
}

async function newPage({ browser }: Place, look: "light" | "dark", options: BrowserContextOptions) {
  const context = await browser.newContext({
    colorScheme: look,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    ...options,
  });
  return context.newPage();
}

/** A row of the queue, by who it is; the one that waits longest is the first. */
const rowsOf = (desk: Page): Locator => desk.getByRole("button", { name: /visitor/i });

/** One conversation to its end, with a file and a rating. */
async function converse(place: Place, maya: Page): Promise<void> {
  const { product, out } = place;
  const words = WORDS.en;
  const page = await newPage(place, "light", DEVICES.desktop);
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(words.question);
  await panel.log.locator('[data-role="agent"] [data-state="message"]').last().waitFor();
  await panel.button("Talk to a person").click();
  await rowsOf(maya).first().click();
  await maya.getByRole("button", { name: "Take conversation" }).click();
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
  await page.screenshot({ ...QUIET, path: `${out}panel.png` });
  await maya.getByText("Sent", { exact: true }).last().waitFor();
  await maya.screenshot({ ...QUIET, path: `${out}desk.png` });
  await panel.button("End conversation").click();
  await panel.frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
  await panel.frame.getByText("Good", { exact: true }).click();
  await panel.frame.getByRole("textbox", { name: "Tell us more" }).fill("Quick and kind.");
  await panel.button("Send rating").click();
  await panel.button("Change rating").waitFor();
  await page.context().close();
}

async function reply(maya: Page, text: string): Promise<void> {
  await maya.getByRole("textbox", { name: "Reply" }).fill(text);
  await maya.getByRole("button", { name: "Send reply" }).click();
}

/** Another customer, who waits for a person. */
async function wait(place: Place, questions: string): Promise<void> {
  const page = await newPage(place, "light", DEVICES.desktop);
  await page.goto(place.product.site);
  const panel = panelOn(page);
  await panel.open();
  await panel.say(questions.split("\n")[0] ?? "");
  await panel.log.getByText("Sent").first().waitFor();
  await panel.button("Talk to a person").click();
  await panel.frame
    .getByText(/a person has been asked/i)
    .first()
    .waitFor();
  await page.context().close();
}

/** The queue with what has ended unfolded; or the conversation that has ended, with its file and rating. */
async function showDesk(page: Page, address: string, isOpened: boolean): Promise<void> {
  await page.goto(address);
  await page.getByRole("heading", { name: "Queue" }).waitFor();
  await rowsOf(page).first().waitFor();
  const fold = page.getByRole("button", { name: /^ended/i });
  if (await fold.count()) await fold.click();
  if (!isOpened) return;
  await rowsOf(page).last().click();
  await page.getByRole("log").getByText("Quick and kind").waitFor();
  await page.getByRole("log").locator("img").first().waitFor();
  await page.getByRole("log").getByText("Quick and kind").scrollIntoViewIfNeeded();
}
