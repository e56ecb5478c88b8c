import { expect, type Frame, type Page, type Route, test } from "@playwright/test";
import { en } from "../widget/app/locales/en.ts";
import { frameOf } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";

type Phrase = string | Readonly<Record<string, string>>;
const KEYS = Object.keys(en) as (keyof typeof en)[];

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

/** English as an invented language: in brackets, with accents, and 40 % longer. */
function disguise(text: string): string {
  const accents: Record<string, string> = {
    a: "å",
    e: "é",
    i: "î",
    o: "ö",
    u: "û",
    A: "Å",
    E: "É",
    O: "Ö",
    c: "ç",
  };
  const words = text.replace(/\{\w+\}|[aeiouAEOc]/g, (found) => accents[found] ?? found);
  const length = Math.ceil(text.replace(/\{\w+\}/g, "").length * 0.4);
  return `⟦${words} ${"ñandù ".repeat(length).slice(0, length).trim()}⟧`;
}

const disguised = (phrase: Phrase): Phrase =>
  typeof phrase === "string"
    ? disguise(phrase)
    : Object.fromEntries(Object.entries(phrase).map(([form, text]) => [form, disguise(text)]));

/** A text of the panel in the invented language. */
const said = (key: keyof typeof en) => disguised(en[key]) as string;

/** Serves the invented language under the address of a real one. */
async function speakDisguised(page: Page, tag: string): Promise<void> {
  await page.route(`**/assets/locale-${tag}-*.json`, async (route: Route) => {
    await route.fulfill({ json: Object.fromEntries(KEYS.map((key) => [key, disguised(en[key])])) });
  });
}

/** Opens the panel in a language; returns its frame. */
async function openIn(page: Page, locale: string): Promise<Frame> {
  await page.addInitScript((tag) => {
    Object.assign(window, { parleySettings: { locale: tag, title: "⟦Shop⟧", greeting: "" } });
  }, locale);
  await page.goto(product.site);
  await page.getByRole("button", { name: /^Open chat/ }).click();
  await page.frameLocator("iframe[title]").getByRole("textbox").waitFor();
  const frame = frameOf(page);
  await expect(frame.locator("html")).toHaveAttribute("lang", locale);
  return frame;
}

/**
 * The texts that are cut, extend beyond the frame, or are not in the brackets of the invented language; `own` are the
 * texts of customer and agent.
 */
async function faultsIn(frame: Frame, own: readonly string[]): Promise<string[]> {
  return frame.evaluate((others) => {
    const faults: string[] = [];
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width) faults.push("the panel scrolls sideways");
    const isKnown = (text: string) => !/\p{L}{3}/u.test(text) || others.some((words) => text.includes(words));
    for (const element of document.body.querySelectorAll<HTMLElement>("*")) {
      for (const name of ["aria-label", "placeholder", "title", "alt"]) {
        const label = element.getAttribute(name) ?? "";
        // Dates come from the browser, in the real language.
        if (!label.includes("⟦") && !isKnown(label) && element.localName !== "time")
          faults.push(`${name} is not translated: ${label}`);
      }
      const texts = [...element.childNodes]
        .filter((node) => node.nodeType === 3)
        .map((node) => node.nodeValue ?? "");
      const text = texts.join(" ").trim();
      if (!text || element.closest("time, .log__day, .hidden__hidden-text, [aria-live]")) continue;
      if (!text.includes("⟦") && !isKnown(text)) faults.push(`not translated: ${text}`);
      const { left, right, width: own } = element.getBoundingClientRect();
      if (own === 0) continue;
      if (left < -0.5 || right > width + 0.5) faults.push(`stands out: ${text}`);
      const style = getComputedStyle(element);
      const isClipped = element.scrollWidth > element.clientWidth + 1 && style.overflowX !== "visible";
      const isCutBelow =
        element.scrollHeight > element.clientHeight + 2 && /hidden|clip/.test(style.overflowY);
      if (style.display !== "inline" && (isClipped || isCutBelow)) faults.push(`cut: ${text}`);
    }
    return [...new Set(faults)];
  }, own);
}

const WORDS = "Zw 7?";

for (const [tag, dir] of [
  ["de", "ltr"],
  ["ar", "rtl"],
] as const) {
  test(`LANG3 at 320 px nothing is cut and every text is translated, in a language 40 % longer, ${dir}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({
      viewport: { width: 320, height: 640 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await speakDisguised(page, tag);
    const frame = await openIn(page, tag);
    await expect(frame.locator("html")).toHaveAttribute("dir", dir);
    const own = [WORDS, "⟦Shop⟧"];
    const look = async (state: string) => {
      expect.soft(await faultsIn(frame, own), state).toEqual([]);
    };
    const box = frame.getByRole("textbox", { name: said("message") });
    const button = (key: keyof typeof en) => frame.getByRole("button", { name: said(key), exact: true });
    const status = (key: keyof typeof en) => frame.getByText(said(key), { exact: true }).first();

    await expect(status("greeting")).toBeVisible();
    await look("welcome");
    await box.fill("x".repeat(4100));
    await look("too long");

    const doubt = (code = "not_confirmed") =>
      page.route(/\/api\/conversation(\/messages|\/handoff)?(\?|$)/, (route) =>
        route.request().method() === "POST"
          ? route.fulfill({
              status: 502,
              contentType: "application/problem+json",
              body: JSON.stringify({ type: "about:blank", title: code, status: 502, code, requestId: "r1" }),
            })
          : route.fallback(),
      );
    await doubt();
    await box.fill(WORDS);
    await button("send").click();
    await expect(button("discard")).toBeVisible();
    await look("not confirmed");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await button("retry").click();

    await expect(status("sent")).toBeVisible();
    await look("sent");
    await doubt();
    await button("talkToPerson").click();
    await expect(frame.getByText(said("personNotConfirmed")).first()).toBeVisible();
    await look("a person, not confirmed");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await button("retry").first().click();
    await expect(status("personAsked")).toBeVisible();
    await look("a person was asked");
    await button("endConversation").click();
    await expect(status("confirmEnd")).toBeVisible();
    await look("shall it end");
    await button("endConversation").last().click();
    await expect(status("isEnded")).toBeVisible();
    await look("ended");

    // Control: faults are found.
    await frame.evaluate(() => {
      const wrong = document.createElement("p");
      wrong.style.cssText = "width: 20px; overflow: hidden; white-space: nowrap";
      wrong.textContent = "Forgotten words";
      document.body.append(wrong);
    });
    expect(await faultsIn(frame, own)).toEqual(["not translated: Forgotten words", "cut: Forgotten words"]);
    await context.close();
  });
}

test("LANG1 another language at run time: texts, lang and dir change; draft, focus and scroll position stay; the BFF learns it", async ({
  page,
}) => {
  const frame = await openIn(page, "en");
  const box = frame.getByRole("textbox");
  const log = frame.getByRole("log");
  for (const text of ["one", "two", "three"]) {
    await box.fill(`${text}\n`.repeat(12));
    await box.press("Enter");
    await expect(log.getByText("Sent")).toBeVisible();
    await expect(box).toHaveValue("");
  }
  await box.fill("half a senten");
  const place = () => log.evaluate((element) => Math.round(element.scrollTop));
  const bottom = await place();
  await log.evaluate((element) => element.scrollTo({ top: 60 }));
  expect(bottom).toBeGreaterThan(60);
  const told = page.waitForRequest(
    (request) => request.url().endsWith("/api/session") && request.postDataJSON()?.locale === "ar-EG",
  );
  await page.evaluate("Parley.setLocale('ar-EG')");
  await told;
  await expect(frame.getByRole("button", { name: "إرسال" })).toBeVisible();
  await expect(frame.locator("html")).toHaveAttribute("lang", "ar-EG");
  await expect(frame.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(box).toHaveValue("half a senten");
  await expect(box).toBeFocused();
  expect(Math.abs((await place()) - 60)).toBeLessThan(40);
  await expect(log.getByText("أُرسلت")).toBeVisible();

  // Texts that can't be loaded are English, and are requested again when the page comes back.
  await page.route("**/assets/locale-ja-*.json", (route) => route.abort());
  await page.evaluate("Parley.setLocale('ja')");
  await expect(frame.getByRole("button", { name: "Send" })).toBeVisible();
  await expect(frame.locator("html")).toHaveAttribute("dir", "ltr");
  await page.unrouteAll();
  await frame.evaluate(() => dispatchEvent(new Event("online")));
  await expect(frame.getByRole("button", { name: "送信" })).toBeVisible();
  await expect(box).toHaveValue("half a senten");
});

test("LANG7 before any intent an Arabic browser gets the launcher's name in Arabic, and also the message that the frame failed", async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: "ar-EG" });
  const page = await context.newPage();
  await page.clock.install();
  await page.route("**/frame", (route) => route.abort());
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(product.site);
  const launcher = page.getByRole("button", { name: "فتح المحادثة", exact: true });
  await expect(launcher).toHaveAttribute("lang", "ar");
  expect(asked.filter((path) => /frame|locale/.test(path))).toEqual([]);
  await launcher.click();
  await expect(page.locator('iframe[title="المحادثة الفورية"][lang="ar"]')).toBeAttached();
  await page.clock.runFor(14_000);
  const note = page.getByRole("status").filter({ hasText: "تعذّر تحميل الدردشة. يُرجى المحاولة مرة أخرى." });
  await expect(note).toBeVisible();
  await expect(note).toHaveAttribute("lang", "ar");
  // From the right, on a page written from left to right.
  const [box, text] = await note.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return [element, range].map((each) => each.getBoundingClientRect().right);
  });
  expect(Number(box) - Number(text)).toBeLessThan(25);

  // Pressing it retries, and from then on the frame names the launcher.
  await page.unrouteAll();
  await note.click();
  await expect(page.frameLocator("iframe[title]").getByRole("textbox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(launcher).toHaveAttribute("lang", "");

  // A site in another language than the browser says so in the tag's address.
  await page.route("**/widget.js", (route) => route.continue({ url: `${route.request().url()}?lang=de-AT` }));
  await page.goto(product.site);
  await expect(page.getByRole("button", { name: "Chat öffnen", exact: true })).toHaveAttribute("lang", "de");
  await context.close();
});
