import { type Browser, type BrowserContext, expect, type Locator, type Page } from "@playwright/test";
import type { Action } from "../../shared/action.ts";
import type { DeskConversation, DeskQueuePage } from "../../shared/desk.ts";
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

/** A customer's question in their second conversation. */
const RETURN = "Can I return a lamp?";

type Middle = (customer: Page, maya: Page) => Promise<void>;

/** Creates an account, ends one conversation, takes another and makes two customers wait; `inTheMiddle` may look at both sides. */
export async function fillDesk(place: Place, inTheMiddle: Middle): Promise<FilledDesk> {
  const maya = await newPage(place, "desktop", "light");
  await setUpDesk(maya, place.product.setupLink(), WORDS.en.human);
  const visitor = await converse(place, maya, inTheMiddle);
  await wait(place, WORDS.en.question);
  await take(maya);
  await maya.getByRole("button", { name: "Draft a reply" }).waitFor();
  await askForPerson(visitor, RETURN);
  for (const question of [WORDS.en.suggestions, WORDS.ar.suggestions]) await wait(place, question);
  // Without its fragment, which names the conversation that is open.
  const [address = ""] = maya.url().split("#");
  return { ...place, address, cookies: await maya.context().cookies() };
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

/** A row of the queue, by customer. */
const rowsOf = (desk: Page | Locator): Locator => desk.getByRole("button", { name: /visitor/i });
/** A row of a customer who waits; the longest-waiting one is the first. */
const waitingOf = (desk: Page): Locator => rowsOf(desk.getByRole("region", { name: "Waiting" }));

/** One conversation up to its end, with a file and a rating. Returns its customer's page. */
async function converse(place: Place, maya: Page, inTheMiddle: Middle): Promise<Page> {
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
  return page;
}

/** Takes the conversation that waits longest. */
async function take(maya: Page): Promise<void> {
  await waitingOf(maya).first().click();
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
  await panelOn(page).open();
  await askForPerson(page, questions.split("\n")[0] ?? "");
}

async function askForPerson(page: Page, question: string): Promise<void> {
  const panel = panelOn(page);
  await panel.say(question);
  await panel.log.getByText("Sent").last().waitFor();
  await panel.button("Talk to a person").click();
  await panel.frame
    .getByText(/we've asked a teammate/i)
    .last()
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

/** Opens a conversation of a customer who asked before, and shows their earlier ones. */
async function showEarlier(page: Page): Promise<void> {
  await showQueue(page);
  await rowsOf(page).filter({ hasText: RETURN }).first().click();
  const details = page.getByRole("button", { name: "Customer details" });
  const heading = page.getByRole("heading", { name: "Earlier conversations" });
  await page.getByRole("log").waitFor();
  if (await details.isVisible()) await details.click();
  await heading.scrollIntoViewIfNeeded();
}

/** Changes what the service answers to this page: for what the demo's agent can't do. */
async function changeAnswers<Answer>(
  page: Page,
  path: RegExp,
  change: (answer: Answer) => object,
): Promise<void> {
  await page.route(
    ({ pathname }) => path.test(pathname),
    async (route) => {
      if (route.request().method() !== "GET") return route.continue();
      const response = await route.fetch();
      return route.fulfill({ response, json: change((await response.json()) as Answer) });
    },
  );
  await page.reload();
}

const TOOLS_AND_COST = {
  tools: [
    { name: "shop_find_order", status: "answered" },
    { name: "shop_stock", status: "failed" },
    { name: "shop_refund", status: "asked" },
  ],
  usage: {
    model: "small-instruct",
    inputTokens: 1240,
    outputTokens: 96,
    price: { amount: 0.00123, currency: "EUR" },
  },
} as const;

const REFUND: Action = {
  actionId: "act_1",
  name: "shop_refund",
  title: "Refund an order",
  arguments: [
    { label: "Order", value: "LH-2041" },
    { label: "Amount", value: "EUR 149.00" },
    { label: "Reason", value: "The shade arrived broken, and the customer sent a photo of it." },
  ],
  confirm: "person",
};

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
      await waitingOf(page).first().click();
      await page.getByRole("button", { name: "Take conversation" }).waitFor();
    },
  },
  {
    name: "desk-draft",
    act: async (page) => {
      await showQueue(page);
      await rowsOf(page).filter({ hasText: WORDS.en.question }).first().click();
      await page.getByRole("button", { name: "Draft a reply" }).click();
      const draft = page.getByRole("region", { name: "Draft by the AI agent" });
      await draft.getByText("It's in the reply box").waitFor();
      await draft.getByRole("list", { name: "Sources" }).waitFor();
    },
  },
  {
    name: "desk-answer",
    // With what the tools and the model of another agent add.
    act: async (page) => {
      await changeAnswers(page, /\/conversations\/[^/]+$/, (conversation: DeskConversation) => ({
        ...conversation,
        notes: (conversation.notes ?? []).map(({ seq, made }) => ({
          seq,
          made: {
            ...made,
            ...TOOLS_AND_COST,
            passages: made.passages.map((passage) => ({ ...passage, file: "/srv/help/repairs.md" })),
          },
        })),
      }));
      await showQueue(page);
      await rowsOf(page).last().click();
      for (const fold of [/^Made from/, "Answer this better"])
        await page.getByRole("log").getByText(fold).first().click();
      await page
        .getByRole("log")
        .getByText(/^Made from/)
        .first()
        .evaluate((summary) => summary.scrollIntoView({ block: "start" }));
    },
  },
  { name: "desk-earlier", act: (page) => showEarlier(page) },
  {
    name: "desk-earlier-read",
    act: async (page) => {
      await showEarlier(page);
      await page
        .getByRole("button", { name: new RegExp(WORDS.en.question.slice(0, -1)) })
        .last()
        .click();
      await page.getByRole("button", { name: "Back to the current one" }).waitFor();
    },
  },
  {
    name: "desk-customer",
    // A customer with two conversations, the first of which ended with a rating.
    act: async (page) => {
      await showQueue(page);
      const row = page.getByRole("listitem").filter({ hasText: RETURN }).first();
      await row.getByRole("link", { name: /^All about/ }).click();
      await page.getByRole("heading", { name: "Conversations" }).waitFor();
    },
  },
  {
    name: "desk-decision",
    act: async (page) => {
      const at = new Date(Date.now() - 4 * 60_000).toISOString();
      const free = { state: "agent", takenBy: undefined, unansweredSince: undefined };
      await changeAnswers(page, /\/conversations$/, ({ conversations, next }: DeskQueuePage) => ({
        conversations: conversations.map((row) =>
          row.state === "taken" ? { ...row, ...free, decision: { seq: row.lastSeq, since: at } } : row,
        ),
        next,
      }));
      await changeAnswers(
        page,
        /\/conversations\/[^/]+$/,
        ({ events = [], ...conversation }: DeskConversation) => ({
          ...conversation,
          ...free,
          events: [
            ...events.filter(({ type }) => !type.startsWith("handoff.")),
            { type: "action.requested", seq: conversation.lastSeq, at, action: REFUND },
          ],
        }),
      );
      await page.getByRole("region", { name: "Decision needed" }).getByRole("button").click();
      await page.getByRole("button", { name: "Don't allow" }).scrollIntoViewIfNeeded();
    },
  },
  { name: "desk-people", act: goTo("People") },
  { name: "desk-account", act: goTo(/^Your account/) },
];
