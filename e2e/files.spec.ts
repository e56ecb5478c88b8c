import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import arabic from "../widget/app/locales/ar.json" with { type: "json" };
import { en } from "../widget/app/locales/en.ts";
import { setUpDesk } from "./kit/desk.ts";
import { heard, listenTo } from "./kit/listener.ts";
import { endConversation, frameOf, type Panel, panelOn } from "./kit/panel.ts";
import { photoWithPlace, SECRET_PLACE } from "./kit/photo.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { startStage } from "./kit/stage.ts";

const PDF = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");
const UPLOADS = "/api/conversation/attachments";

let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(async () => {
  await product.dispose();
});

async function visit(page: Page): Promise<Panel> {
  await page.goto(product.site);
  const panel = panelOn(page);
  await panel.open();
  return panel;
}

/** The browser's own file chooser, opened with the panel's button. */
async function choose(page: Page, panel: Panel, files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const chooser = page.waitForEvent("filechooser");
  await panel.button("Attach a file").click();
  await (await chooser).setFiles(files);
}

/** Every byte that the product stores. */
function keptBytes(): Buffer[] {
  return readdirSync(product.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
}
const keptWith = (words: string | Buffer) => keptBytes().filter((bytes) => bytes.includes(words)).length;

test("ATT9 RATE2 ERASE2 a photo and a PDF reach the person without the photo's location; rating, transcript and deletion work", async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  const panel = await visit(page);
  const photo = await photoWithPlace(page);
  expect(photo.includes(SECRET_PLACE)).toBe(true);

  await choose(page, panel, [
    { name: "lamp.jpg", mimeType: "image/jpeg", buffer: photo },
    { name: "letter.pdf", mimeType: "application/pdf", buffer: PDF },
  ]);
  await expect(panel.button("Remove lamp.jpg")).toBeVisible();
  await expect(panel.button("Remove letter.pdf")).toBeVisible();
  await panel.say("It is broken.");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  const picture = panel.log.getByRole("button", { name: /^lamp\.jpg/ }).locator("img");
  await expect(picture).toBeVisible();

  // A reload clears this page's memory: the picture is loaded from support with the session's token.
  await page.reload();
  await panel.open();
  // A long log loads pictures when they are scrolled into view, and the answer may have pushed this one out.
  await panel.frame.getByRole("button", { name: /^lamp\.jpg/ }).scrollIntoViewIfNeeded();
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
  expect(await picture.getAttribute("src")).toMatch(/^blob:/);
  const saved = page.waitForEvent("download");
  await panel.frame.getByRole("button", { name: /^letter\.pdf/ }).click();
  const letter = await saved;
  expect(letter.suggestedFilename()).toBe("letter.pdf");
  expect(readFileSync(await letter.path())).toEqual(PDF);
  expect(keptWith(PDF)).toBe(1);
  expect(keptWith(SECRET_PLACE)).toBe(0);

  const maya = await (await browser.newContext()).newPage();
  await setUpDesk(maya, product.setupLink());
  await panel.button("Talk to a person").click();
  await maya
    .getByRole("button", { name: /It is broken|visitor/i })
    .first()
    .click();
  const atDesk = maya.getByRole("link", { name: /lamp\.jpg/ });
  await expect(atDesk).toBeVisible();
  await expect(maya.getByRole("link", { name: /letter\.pdf/ })).toBeVisible();
  await expect
    .poll(() => atDesk.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(40);
  await atDesk.click();
  const large = maya.getByRole("dialog", { name: "lamp.jpg" });
  await expect(large.getByRole("img", { name: /^lamp\.jpg, sent by / })).toBeVisible();
  const savedAtDesk = maya.waitForEvent("download");
  await large.getByRole("link", { name: "Download lamp.jpg" }).click();
  expect((await savedAtDesk).suggestedFilename()).toBe("lamp.jpg");
  await maya.keyboard.press("Escape");
  await expect(large).toHaveCount(0);
  await expect(atDesk).toBeFocused();

  // A person's own file (DESK16), by the browser's file chooser.
  await maya.getByRole("button", { name: "Take conversation" }).click();
  const chooserAtDesk = maya.waitForEvent("filechooser");
  await maya.getByRole("button", { name: "Attach files" }).click();
  await (await chooserAtDesk).setFiles([{ name: "spare.jpg", mimeType: "image/jpeg", buffer: photo }]);
  const thumbnail = maya.getByRole("list", { name: "Files" }).locator('img[src^="blob:"]');
  await expect.poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40);
  await maya.getByRole("button", { name: "Send reply" }).click();
  await expect(panel.frame.getByRole("button", { name: /^spare\.jpg/ })).toBeVisible();

  await endConversation(panel);
  const form = panel.frame.getByRole("group", { name: "How was this conversation?" });
  await form.getByRole("radio", { name: "Bad" }).check();
  await panel.frame.getByRole("textbox", { name: "Tell us more (optional)" }).fill("Still broken.\nArrowUp");
  await panel.button("Send rating").click();
  await expect(panel.frame.getByText("Thanks for your feedback").first()).toBeVisible();
  await expect(panel.button("Change rating")).toBeFocused();
  await expect(maya.getByText("Still broken.").first()).toBeVisible();
  // By keyboard, because it is where "Send rating" was just pressed.
  await panel.button("Change rating").press("Enter");
  await form.getByRole("radio", { name: "Good" }).check();
  await panel.button("Send rating").click();
  await expect(panel.button("Change rating")).toBeVisible();

  const more = panel.button("More");
  await more.click();
  await expect(more).toHaveAttribute("aria-expanded", "true");
  const transcript = page.waitForEvent("download");
  await panel.button("Download transcript TXT").click();
  const text = readFileSync(await (await transcript).path(), "utf8");
  expect(text).toMatch(/· You\n {4}It is broken\.\n {4}\[lamp\.jpg\]\n {4}\[letter\.pdf\]\n/);
  expect(text).not.toContain("Not confirmed");

  // A second tab of the same customer shows it, and removes it together with the first.
  const tab = await context.newPage();
  const other = await visit(tab);
  await page.bringToFront();
  await more.click();
  await panel.button("Delete my conversation").click();
  const question = panel.frame.getByRole("alertdialog", { name: "Delete this conversation?" });
  await expect(question.getByRole("button", { name: "Keep it" })).toBeFocused();
  // One step per press: first the question, then the panel.
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  await expect(panel.composer).toBeFocused();
  await more.click();
  await page.keyboard.press("Escape");
  await expect(panel.button("Download transcript TXT")).toHaveCount(0);
  await expect(more).toBeFocused();
  await more.click();
  await panel.button("Delete my conversation").click();
  await question.getByRole("button", { name: "Delete my conversation" }).click();
  await expect(panel.frame.getByText("The conversation has been deleted.").first()).toBeVisible();
  await expect(panel.log).not.toContainText("It is broken.");
  await expect(other.log).not.toContainText("It is broken.");
  await expect.poll(() => keptWith(PDF)).toBe(0);
  await expect.poll(() => keptWith("It is broken.")).toBe(0);
  await page.reload();
  await panel.open();
  await expect(panel.log).not.toContainText("It is broken.");
  await maya.reload();
  await expect(maya.getByText("It is broken.")).toHaveCount(0);
  expect(errors).toEqual([]);
  await context.close();
});

test("ATT9 a file that is neither a picture nor a PDF is refused before a byte is sent, and by the BFF; a cancelled file leaves nothing", async ({
  browser,
}) => {
  const context = await browser.newContext();
  await listenTo(context);
  const page = await context.newPage();
  let token = "";
  const uploads: string[] = [];
  page.on("request", (request) => {
    token = request.headers()["authorization"] ?? token;
    if (request.url().endsWith(UPLOADS)) uploads.push(request.method());
  });
  const panel = await visit(page);
  await panel.say("Hello");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();

  const html = Buffer.from("<!doctype html><script>alert(1)</script>");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const large = Buffer.concat([PDF, Buffer.alloc(11 * 1024 * 1024)]);
  await choose(page, panel, [
    { name: "photo.png", mimeType: "image/png", buffer: html },
    { name: '"><img src=x onerror=alert(1)>.svg', mimeType: "image/svg+xml", buffer: svg },
    { name: "large.pdf", mimeType: "application/pdf", buffer: large },
  ]);
  const tray = panel.frame.getByRole("listitem");
  await expect(tray.filter({ hasText: "This file can't be attached" })).toHaveCount(2);
  await expect(tray.filter({ hasText: "over 10 MB" })).toHaveCount(1);
  // By keyboard: of two quick presses of a pointer at one place, the second does not press the next file's button.
  for (const name of ["photo.png", '"><img src=x onerror=alert(1)>.svg'])
    await panel.button(`Remove ${name}`).press("Enter");
  // A screen reader announces each one once, and the focus stays in the composer (SAY1, SAY2).
  await expect(panel.composer).toBeFocused();
  const frame = frameOf(page);
  const of = (said: string[], name: string) => said.filter((text) => text.includes(name));
  await expect.poll(async () => of(await heard(frame), "Removed: photo.png")).toHaveLength(1);
  expect(of(await heard(frame), "large.pdf: This file is over 10 MB.")).toHaveLength(1);
  // A refused file holds no message back, and its row goes with one.
  await panel.say("Sent beside a refused file");
  await expect(panel.log.getByText("Sent beside a refused file")).toHaveCount(1);
  await expect(panel.composer).toHaveValue("");
  await expect(panel.button("Remove large.pdf")).toHaveCount(0);
  expect(uploads).toEqual([]);

  const origin = new URL(product.desk).origin;
  for (const [bytes, status] of [
    [html, 415],
    [svg, 415],
    [large, 413],
  ] as const) {
    const answer = await page.request.post(`${origin}${UPLOADS}`, {
      headers: {
        authorization: token,
        origin,
        "idempotency-key": `k${bytes.length}`,
        "x-file-name": "a.png",
        "content-type": "application/octet-stream",
      },
      data: bytes,
    });
    expect(answer.status()).toBe(status);
  }

  // A slow connection, and the upload is cancelled halfway.
  const line = await context.newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", slow);
  const marked = Buffer.concat([PDF, Buffer.from("marked for nobody"), Buffer.alloc(4_000_000, 7)]);
  await choose(page, panel, [{ name: "slow.pdf", mimeType: "application/pdf", buffer: marked }]);
  await expect(panel.frame.getByRole("progressbar", { name: "Uploading slow.pdf" })).toBeVisible();
  await panel.button("Cancel: slow.pdf").click();
  await expect(panel.frame.getByText("slow.pdf")).toHaveCount(0);
  await line.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await expect.poll(() => keptWith("marked for nobody")).toBe(0);

  // Pasted and dropped files work alike; text next to a file counts as text.
  await panel.composer.evaluate(
    (box, bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], "pasted.pdf"));
      box.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
      const dropped = new DataTransfer();
      dropped.items.add(new File([Uint8Array.from(bytes)], "dropped.pdf"));
      const drag = (type: string) =>
        box.dispatchEvent(new DragEvent(type, { dataTransfer: dropped, bubbles: true, cancelable: true }));
      drag("dragover");
      drag("drop");
      const both = new DataTransfer();
      both.items.add("words", "text/plain");
      both.items.add(new File([Uint8Array.from(bytes)], "beside.pdf"));
      box.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: both, bubbles: true, cancelable: true }),
      );
    },
    [...PDF],
  );
  await expect(panel.button("Remove pasted.pdf")).toBeVisible();
  await expect(panel.button("Remove dropped.pdf")).toBeVisible();
  await expect(panel.frame.getByText("beside.pdf")).toHaveCount(0);
  // A reload loses files that were attached and not sent, and the panel says so.
  await page.reload();
  await panel.open();
  await expect(panel.frame.getByText("Your attached files were lost when the page reloaded.")).toBeVisible();
  await context.close();
});

const SCREENSHOT = "Screenshot 2026-11-26 at 14.30.12 (2).png";
const LONG_NAMES = [
  SCREENSHOT,
  "IMG_20261126_101530_kitchen_mug_broken_handle.pdf",
  "صورة مقبض كوب المطبخ المكسور من الطلب الأخير.pdf",
  "a_name_without_an_extension_that_is_longer_than_any_phone",
];
for (const [width, height, locale, texts] of [
  [375, 700, "en", en],
  [1280, 800, "en", en],
  [320, 568, "ar", arabic],
] as const) {
  test(`ATT9 at ${width} pixels in ${locale}, each file with a long name shows its button to remove it`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale, viewport: { width, height } });
    const page = await context.newPage();
    await page.goto(product.site);
    await page.getByRole("button", { name: texts.openChat }).click();
    const frame = page.frameLocator("iframe");
    const chooser = page.waitForEvent("filechooser");
    await frame.getByRole("button", { name: texts.attach }).click();
    await (await chooser).setFiles(
      LONG_NAMES.map((name) => ({ name, mimeType: "application/pdf", buffer: PDF })),
    );
    for (const name of LONG_NAMES) {
      const remove = frame.getByRole("button", {
        name: texts.removeFile.replace("{name}", name),
        exact: true,
      });
      await expect(remove).toBeVisible();
      // Scrolling would bring a button into view that customers don't find.
      const [button, panel] = await Promise.all([
        remove.boundingBox(),
        frame.getByRole("dialog").boundingBox(),
      ]);
      if (!button || !panel) throw new Error("nothing is shown");
      expect(button.x).toBeGreaterThanOrEqual(panel.x);
      expect(button.x + button.width).toBeLessThanOrEqual(panel.x + panel.width);
    }
    const isEndShown = await frame.getByText(SCREENSHOT, { exact: true }).evaluate((name) => {
      const end = document.createRange();
      end.selectNode(name.lastChild ?? name);
      return end.getBoundingClientRect().right <= name.getBoundingClientRect().right;
    });
    expect(isEndShown).toBe(true);
    await context.close();
  });
}

test("ATT9 a lost answer leaves the message unconfirmed; Retry stores one file and sends one message", async ({
  browser,
}) => {
  const stage = await startStage({ kind: "full" });
  const { mock } = stage;
  const { page, panel, leave } = await stage.visit(browser);
  await panel.say("How long does delivery take?");
  await expect(panel.log).toContainText("2 to 4 business days");
  mock.setFault("attachments", "truncated-json", { done: true });
  await choose(page, panel, [{ name: "letter.pdf", mimeType: "application/pdf", buffer: PDF }]);
  await expect(panel.frame.getByText("Not confirmed.").first()).toBeVisible();
  await expect(panel.button("Send")).toHaveAttribute("aria-disabled", "true");
  await mock.clearFaults();
  await panel.button("Retry").click();
  await expect(panel.button("Remove letter.pdf")).toBeVisible();
  await expect(panel.button("Retry")).toHaveCount(0);

  mock.setFault("turns", "truncated-json", { done: true, times: 1 });
  // The stream is cut as well, because otherwise it would bring the confirmation, and there would be no Retry to press.
  mock.setFault("events", "status-503");
  mock.cutStreams();
  await panel.say("Here it is");
  await expect(panel.log.getByText("Here it is")).toHaveCount(1);
  await panel.button("Retry").click();
  await expect(panel.log.getByText(/\b(Sent|Seen)\b/)).toBeVisible();
  await mock.clearFaults();
  const [id = ""] = [...mock.conversations.keys()];
  const sent = mock
    .logOf(id)
    .flatMap((event) => ("message" in event && event.message.body === "Here it is" ? [event.message] : []));
  expect(sent.map(({ attachments }) => attachments?.map(({ name }) => name))).toEqual([["letter.pdf"]]);
  expect(mock.conversations.get(id)?.files.size).toBe(1);
  expect(mock.violations).toEqual([]);
  await leave();
  await stage.dispose();
});
