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
