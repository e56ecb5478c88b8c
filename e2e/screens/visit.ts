import type { Browser, BrowserContext, FrameLocator, Page, Route } from "@playwright/test";
import type { ConversationSnapshot } from "../../shared/conversation.ts";
import type { OpeningHours } from "../../shared/handoff.ts";
import type { Message } from "../../shared/message.ts";
import type { PanelStage } from "../kit/panel-stage.ts";
import { type Language, NAMES, WORDS, type Words } from "./words.ts";

/** One of the eight variants in which each state is shown. */
export interface Variant {
  readonly device: "desktop" | "phone";
  readonly look: "light" | "dark";
  readonly language: Language;
}

/** The clock of every picture. */
export const NOW = "2026-11-20T10:24:00.000Z";
export const EVERYTHING = ["turns", "events", "messages", "typing", "read", "rating", "attachments", "erase"];

/** The panel's state and the service's answers when a picture begins. */
export interface Scene {
  readonly name: string;
  readonly conversation?: (
    words: Words,
  ) => Partial<ConversationSnapshot> & { readonly messages: readonly Message[] };
  readonly capabilities?: readonly string[];
  readonly hours?: OpeningHours;
  readonly settings?: (words: Words) => Readonly<Record<string, string>>;
  /** Replaces the usual answers, by method and path; `/chat-identity` is the site's own. */
  readonly answers?: Readonly<Record<string, (route: Route) => Promise<void>>>;
  /** The chat stays closed until `act` opens it. */
  readonly isClosed?: boolean;
  /** Produces what the picture shows, and waits for it. */
  readonly act?: (visit: Visit) => Promise<void>;
  /** Makes it last longer than a picture takes. */
  readonly hold?: (visit: Visit) => Promise<void>;
}

export interface Visit {
  readonly page: Page;
  readonly frame: FrameLocator;
  readonly stage: PanelStage;
  readonly names: (typeof NAMES)["en"];
  readonly words: Words;
  readonly open: () => Promise<void>;
  /** Closes the panel, and waits until the frame knows: until then it counts what arrives as seen. */
  readonly close: () => Promise<void>;
  readonly press: (name: string) => Promise<void>;
  readonly write: (text: string) => Promise<void>;
}

const SIZES = {
  desktop: { viewport: { width: 620, height: 660 } },
  phone: { viewport: { width: 360, height: 660 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
};

export const problem = (status: number, code: string) => (route: Route) =>
  route.fulfill({
    status,
    contentType: "application/problem+json",
    body: JSON.stringify({ type: "about:blank", title: code, status, code, detail: code, requestId: "r1" }),
  });

export const json = (status: number, body: unknown) => (route: Route) =>
  route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });

/** Makes the stage's plain page look like a shop's. */
async function dress(page: Page, { site, intro }: Words, { look, language }: Variant): Promise<void> {
  const [paper, ink, line] =
    look === "dark" ? ["#14181a", "#e8ecea", "#2a3133"] : ["#fff", "#1d2526", "#ece9e2"];
  await page.addStyleTag({
    content: `body{margin:0;padding:28px;background:${paper};color:${ink};font:16px/1.5 system-ui}
h1{font:600 28px Georgia,serif;margin:0}i{display:block;height:10px;margin:12px 0;border-radius:5px;background:${line}}`,
  });
  await page.evaluate(
    (given) => {
      Object.assign(document.documentElement, { lang: given.language, dir: given.dir });
      const add = (name: string, text = "") => {
        const element = Object.assign(document.createElement(name), { textContent: text });
        document.querySelector("main")?.append(element);
        return element;
      };
      document.querySelector("main")?.replaceChildren();
      add("h1", given.site);
      add("p", given.intro);
      for (const width of [96, 88, 92, 60, 90, 94, 72, 84, 91, 40]) add("i").style.width = `${width}%`;
    },
    { language, dir: language === "ar" ? "rtl" : "ltr", site, intro },
  );
}

/** The session and the log of the scene. */
function sessionOf(scene: Scene, words: Words) {
  const given = scene.conversation?.(words);
  const lastSeq = given?.messages.at(-1)?.seq ?? 1;
  return {
    token: "t".repeat(43),
    expiresAt: "2099-01-01T00:00:00.000Z",
    customer: { externalId: "anon_1", identified: false },
    route: { channel: "web", agentProvider: "knowledge" },
    capabilities: scene.capabilities ?? EVERYTHING,
    ...(scene.hours ? { hours: scene.hours } : {}),
    conversation: given
      ? {
          id: "c1",
          status: "open",
          epoch: "e1",
          lastSeq,
          ...given,
          read: { customer: lastSeq, ...given.read },
        }
      : null,
  };
}

/** The answers of the scripted BFF. The stage itself serves the files and the stream. */
async function script(context: BrowserContext, scene: Scene, words: Words): Promise<void> {
  const answers: Scene["answers"] = {
    "POST /api/session": json(201, sessionOf(scene, words)),
    "POST /api/conversation/read": (route) =>
      json(200, { read: (route.request().postDataJSON() ?? {}) as object })(route),
    ...scene.answers,
  };
  await context.route(/\/api\/|\/chat-identity$/, (route) => {
    const request = route.request();
    const answer = answers[`${request.method()} ${new URL(request.url()).pathname}`];
    return answer ? answer(route) : route.fallback();
  });
}

/** Shows `scene` as `variant` to a new visitor, and calls `look`. */
export async function visitScene<T>(
  browser: Browser,
  stage: PanelStage,
  scene: Scene,
  variant: Variant,
  look: (visit: Visit) => Promise<T>,
): Promise<T> {
  const { device, language } = variant;
  const words = WORDS[language];
  const context = await browser.newContext({
    ...SIZES[device],
    colorScheme: variant.look,
    reducedMotion: "reduce",
    locale: language === "ar" ? "ar-EG" : "en-GB",
    timezoneId: "UTC",
  });
  try {
    await context.clock.setFixedTime(NOW);
    await script(context, scene, words);
    stage.set(scene.conversation?.(words).messages ?? []);
    const page = await context.newPage();
    await page.goto(
      stage.page({
        locale: language,
        title: words.site,
        suggestions: words.suggestions,
        ...scene.settings?.(words),
      }),
    );
    await dress(page, words, variant);
    const visit = visitOn(page, stage, language);
    if (!scene.isClosed) await visit.open();
    await scene.act?.(visit);
    await isWhole(visit, scene, language);
    return await look(visit);
  } finally {
    await context.close();
  }
}

/** Shows the same page to another device, in another look; its texts stay as they are. */
export async function turnTo(page: Page, { device, look }: Pick<Variant, "device" | "look">): Promise<void> {
  await page.emulateMedia({ colorScheme: look });
  const tools = await page.context().newCDPSession(page);
  await tools.send("Emulation.setTouchEmulationEnabled", { enabled: device === "phone" });
  await page.setViewportSize(SIZES[device].viewport);
}

/** Texts in another language, and how messages look, load after the panel has opened: until then it is English and plain. */
async function isWhole({ frame }: Visit, { conversation }: Scene, language: Language): Promise<void> {
  await frame.locator(`:root[lang="${language}"]`).waitFor({ state: "attached" });
  // A panel that can't be drawn has an alert in place of its log. The live region, a `div`, is always there.
  if (conversation)
    await frame.locator("[data-section], p[role=alert]").first().waitFor({ state: "attached" });
}

/** The picture of `scene` as `variant`, as PNG. */
export function picture(
  browser: Browser,
  stage: PanelStage,
  scene: Scene,
  variant: Variant,
): Promise<Buffer> {
  const { device, language } = variant;
  // For a desktop, only the corner with the chat.
  const corner = { x: language === "ar" ? 0 : 160, y: 0, width: 460, height: 660 };
  return visitScene(browser, stage, scene, variant, async ({ page }) => {
    // Nothing in a picture is hovered.
    if (device === "desktop") await page.mouse.move(4, 4);
    return page.screenshot({
      animations: "disabled",
      caret: "hide",
      ...(device === "desktop" ? { clip: corner } : {}),
    });
  });
}

function visitOn(page: Page, stage: PanelStage, language: Language): Visit {
  const frame = page.frameLocator('iframe[title="Chat"]');
  const names = NAMES[language];
  return {
    page,
    frame,
    stage,
    names,
    words: WORDS[language],
    open: async () => {
      // Its name is in the panel's language once the panel is loaded.
      await page.locator("parley-chat button").click();
      await frame.getByRole("dialog").waitFor();
    },
    close: async () => {
      await frame.getByRole("button", { name: names.close, exact: true }).click();
      await page.locator('parley-chat button[aria-expanded="false"]').waitFor();
      // The frame reads what the loader sends in order, so its answer, here a refusal, comes after it has read "closed".
      await page.evaluate("Parley('doctor').catch((refusal) => refusal.code)");
    },
    press: (name) => frame.getByRole("button", { name, exact: true }).click(),
    write: async (text) => {
      const composer = frame.getByRole("textbox", { name: names.message });
      await composer.fill(text);
      await composer.press("Enter");
      await frame.locator("[data-section]").first().waitFor({ state: "attached" });
    },
  };
}
