import { expect, type Locator, test } from "@playwright/test";
import { type PanelStage, startPanelStage } from "./kit/panel-stage.ts";

let stage: PanelStage;
test.beforeAll(async () => {
  stage = await startPanelStage();
});
test.afterAll(async () => {
  await stage.close();
});

const AT = "2026-11-20T10:24:00.000Z";

/** The parts of a text from left to right, as they are drawn. */
const drawn = (box: Locator, parts: readonly string[]) =>
  box.evaluate((element, given) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const left = new Map<string, number>();
    while (nodes.nextNode()) {
      for (const part of given) {
        const at = (nodes.currentNode.nodeValue ?? "").indexOf(part);
        if (at < 0 || left.has(part)) continue;
        const range = document.createRange();
        range.setStart(nodes.currentNode, at);
        range.setEnd(nodes.currentNode, at + part.length);
        left.set(part, range.getBoundingClientRect().left);
      }
    }
    return [...left].toSorted(([, one], [, other]) => one - other).map(([part]) => part);
  }, parts);

test("LANG1 in a sentence from right to left, names stay in their place, and code and addresses in one piece", async ({
  page,
}) => {
  stage.set([
    { id: "m2", seq: 2, role: "customer", body: "שלום", at: AT, clientMessageId: "k2" },
    { id: "m3", seq: 3, role: "agent", body: "כתבו `--count 2`, ראו https://shop.example/ שם", at: AT },
  ]);
  await page.goto(stage.page({ locale: "he" }));
  await page.locator("parley-chat button").click();
  const frame = page.frameLocator("iframe[title]");
  // Until the conversation's part has loaded, the text is shown as it was written.
  const said = frame
    .getByRole("log")
    .locator("p")
    .filter({ has: page.locator("code") });
  await expect(said).toBeVisible();
  expect(await drawn(said, ["כתבו", "--", "count"])).toEqual(["--", "count", "כתבו"]);
  expect(await drawn(said, ["ראו", "https:", "example/"])).toEqual(["https:", "example/", "ראו"]);

  const human = { name: "Maya" };
  stage.signal({
    type: "handoff.accepted",
    seq: 4,
    at: AT,
    handoff: { id: "h1", status: "accepted", human },
  });
  const mark = frame.getByRole("log").getByText("Maya בשיחה", { exact: true });
  await expect(mark).toBeVisible();
  expect(await drawn(mark, ["Maya", "בשיחה"])).toEqual(["בשיחה", "Maya"]);
  const status = frame.getByText(/^Maya · /);
  expect(await drawn(status, ["Maya", "·"])).toEqual(["·", "Maya"]);
});

test("LANG1 from right to left a file's size is read as number and unit", async ({ page }) => {
  const attachments = [{ id: "f1", name: "חשבונית.pdf", type: "application/pdf" as const, size: 183_000 }];
  stage.set([
    { id: "m2", seq: 2, role: "customer", body: "שלום", at: AT, clientMessageId: "k2", attachments },
  ]);
  await page.goto(stage.page({ locale: "he" }));
  await page.locator("parley-chat button").click();
  const file = page.frameLocator("iframe[title]").getByRole("button", { name: "חשבונית.pdf" });
  await expect(file).toBeVisible();
  expect(await drawn(file, ["183", "kB", "חשבונית"])).toEqual(["183", "kB", "חשבונית"]);
});

test("LANG1 in an empty box the caret is where the placeholder begins", async ({ page }) => {
  stage.set([]);
  await page.goto(stage.page({ locale: "he" }));
  await page.locator("parley-chat button").click();
  const box = page.frameLocator("iframe[title]").getByRole("textbox");
  await expect(box).toBeFocused();
  await expect(box).toHaveAttribute("placeholder", "כתבו הודעה");
  // The caret blinks, and no API says where it is: it is the only red thing in the box.
  await box.evaluate((element) => element.style.setProperty("caret-color", "#f00"));
  const caretPlace = async () => {
    const png = (await box.screenshot({ caret: "initial" })).toString("base64");
    return page.evaluate(async (data) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
      if (!pen) throw new Error("no canvas");
      pen.drawImage(image, 0, 0);
      const { data: pixels, width } = pen.getImageData(0, 0, image.width, image.height);
      const red = pixels.findIndex((value, at) => at % 4 === 0 && value > 200 && (pixels[at + 1] ?? 0) < 60);
      return red < 0 ? undefined : ((red / 4) % width) / width;
    }, png);
  };
  await expect.poll(caretPlace).toBeGreaterThan(0.8);
});

test("LANG1 an empty box for an address is from left to right, as the address will be", async ({ page }) => {
  stage.set([{ id: "m2", seq: 2, role: "customer", body: "שלום", at: AT, clientMessageId: "k2" }]);
  await page.route("**/api/session", async (route) => {
    const response = await route.fetch();
    const { capabilities, conversation, ...session } = await response.json();
    const handoff = { id: "h1", status: "requested" };
    const json = {
      ...session,
      capabilities: [...capabilities, "contact"],
      conversation: { ...conversation, handoff },
    };
    await route.fulfill({ response, json });
  });
  await page.goto(stage.page({ locale: "he" }));
  await page.locator("parley-chat button").click();
  const frame = page.frameLocator("iframe[title]");
  await frame.locator("[class*=contact] button").click();
  await expect(frame.getByPlaceholder("name@example.com")).toHaveCSS("direction", "ltr");
});
