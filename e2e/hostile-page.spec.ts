import { expect, type Page, test } from "@playwright/test";
import { sayElsewhere } from "./kit/elsewhere.ts";
import { lampPage, type Site, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { chatInline, plunder } from "./kit/plunder.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const PLUNDER = `<script>(${plunder.toString()})()</script>`;

/** What a site shows that lets its visitors post images with names. */
const POSTED = '<img name="currentScript" alt="" src="http://127.0.0.1:9/posted.png">';

const SECRET = "my zebra is canary-7351";

let shop: Shop;
/** A site that is not allowed. */
let stranger: Site;
test.beforeAll(async () => {
  const site = await startSite({
    "/": { html: lampPage(TAG) },
    "/hostile": { html: lampPage(PLUNDER + TAG) },
    "/inline": { html: lampPage(`${PLUNDER}<script>(${chatInline.toString()})()</script>`) },
    "/posted": { html: lampPage(POSTED + TAG) },
    "/posted-compat": { html: lampPage(`${POSTED}<script src="{{origin}}/compat/crisp.js"></script>`) },
    "/overlay": {
      html: lampPage(
        `<style>.lid{position:fixed;inset:0;z-index:2147483647;pointer-events:none}</style><div class="lid"></div>${TAG}`,
      ),
    },
  });
  shop = await openShop(site);
  stranger = await startSite({
    "/": { html: lampPage('<iframe title="Raw" src="{{origin}}/frame"></iframe>') },
    "/around": { html: lampPage('<iframe title="Site" src="{{around}}"></iframe>') },
  });
  stranger.embed(shop.chat, { around: `${site.origin}/` });
});
test.afterAll(async () => {
  await shop.dispose();
  await stranger.close();
});

/** Every session token that the page's frames send; the page itself is excluded. */
function tokensOf(tab: Page): Set<string> {
  const tokens = new Set<string>();
  tab.on("request", (request) => {
    const [, token] = /^Bearer (.+)$/.exec(request.headers()["authorization"] ?? "") ?? [];
    if (token) tokens.add(token);
  });
  return tokens;
}

function lootOf(tab: Page): Promise<string> {
  return tab.evaluate(() => {
    window.search();
    return window.loot.join("\n");
  });
}

test("FRAME1 a hostile page gets neither text nor token, and the chat keeps working", async ({
  page: tab,
}) => {
  const tokens = tokensOf(tab);
  await tab.goto(`${shop.site.origin}/hostile`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.composer.pressSequentially(SECRET);
  await panel.composer.press("Enter");
  await expect(panel.log.getByText(SECRET)).toBeVisible();
  await panel.say("How long does delivery take?");
  const answer = panel.log.getByText(/business days|working days/i).first();
  await expect(answer).toBeVisible();
  const words = (await answer.innerText()).slice(0, 40);
  // The next answer, to a question from the customer's other screen, is previewed above the launcher.
  await panel.button("Close chat").click();
  const [token] = tokens;
  await sayElsewhere(shop.chat, `Bearer ${token}`, "How do I pay?");
  await expect(panel.frame.locator(".teaser__teaser")).toBeVisible();
  const teased = (await panel.frame.locator(".teaser__text").innerText()).slice(0, 40);
  const loot = await lootOf(tab);
  expect(tokens.size).toBeGreaterThan(0);
  for (const one of tokens) expect(loot).not.toContain(one);
  for (const text of [SECRET, "canary-7351", "How long does delivery", words, teased]) {
    expect(loot).not.toContain(text);
  }
  // The script ran, tried, and was refused.
  expect(loot).toMatch(/from the frame: .*"type":"ready"/);
  expect(loot).toMatch(/event message:received: /);
  for (const what of ["document", "localStorage", "sessionStorage", "address", "fetch", "listener"]) {
    expect(loot).toContain(`frame ${what}: refused: SecurityError`);
  }
});

test("the same page reads both from a chat that is drawn into it (control)", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/inline`);
  const box = tab.getByLabel("Inline message");
  await box.pressSequentially(SECRET);
  await box.press("Enter");
  const loot = await lootOf(tab);
  expect(loot).toContain(SECRET);
  expect(loot).toContain("inline-token-0123456789abcdef");
});

test("FRAME2 a page that is not on the list can't frame the panel, neither directly nor around an allowed page", async ({
  page: tab,
}) => {
  const refusals: string[] = [];
  tab.on("console", (message) => {
    if (message.text().includes("frame-ancestors")) refusals.push(message.text());
  });
  await tab.goto(`${stranger.origin}/`);
  await expect.poll(() => refusals.length).toBe(1);
  await expect(tab.frameLocator('iframe[title="Raw"]').getByRole("textbox")).toHaveCount(0);
  await tab.goto(`${stranger.origin}/around`);
  await tab
    .frameLocator('iframe[title="Site"]')
    .getByRole("button", { name: /^Open chat/ })
    .click();
  await expect.poll(() => refusals.length).toBe(2);
  // The control: on its own, the same page shows it.
  await tab.goto(`${shop.site.origin}/`);
  await panelOn(tab).open();
  expect(refusals).toHaveLength(2);
});

test("a click that an overlay lured onto End asks first, and a second one at the same place ends nothing", async ({
  page: tab,
}) => {
  const ended: string[] = [];
  tab.on("request", (request) => {
    if (request.method() === "DELETE") ended.push(request.url());
  });
  await tab.goto(`${shop.site.origin}/overlay`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("Hello");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  const end = panel.button("End conversation");
  const box = await end.boundingBox();
  if (!box) throw new Error("End is not on the screen");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await tab.mouse.click(x, y);
  const question = panel.frame.getByRole("alertdialog", { name: "End this conversation?" });
  await expect(question).toBeVisible();
  await tab.mouse.click(x, y);
  await tab.mouse.dblclick(x, y);
  expect(ended).toEqual([]);
  // The control: its own button, pressed where it is, does end the conversation.
  if (!(await question.isVisible())) await end.click();
  await question.getByRole("button", { name: "End conversation" }).click();
  await expect.poll(() => ended.length).toBe(1);
});

for (const path of ["/posted", "/posted-compat"])
  test(`on ${path} a posted image that takes the place of the current script does not name the chat's server`, async ({
    page: tab,
  }) => {
    await tab.goto(shop.site.origin + path);
    await panelOn(tab).open();
    await expect(tab.locator('iframe[title="Chat"]')).toHaveAttribute("src", `${shop.chat}/frame`);
  });
