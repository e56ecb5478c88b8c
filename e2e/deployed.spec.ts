import { createServer, request } from "node:http";
import { expect, test } from "@playwright/test";
import { type Listening, listenOnFreePort } from "../shared/testing/listen.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

// A new version comes into service while the panel of the old one is open: the old version's files are gone.

let shop: Shop;
let front: Listening;
let isDeployed = false;
/** The new version comes between the frame's own files and the later ones. */
let isBetween = false;
/** The files that were served, by path. */
let served = new Set<string>();
/** The requests for files that were gone, by path. */
let refused: string[] = [];

/** Not a route of the browser's: with one, Playwright turns the browser's cache off. */
const proxy = createServer((incoming, outgoing) => {
  const { url: path = "", method, headers } = incoming;
  const isFile = path.startsWith("/assets/");
  if (isBetween && path.includes("-part-")) isDeployed = true;
  if (isFile && isDeployed) {
    refused.push(path);
    return void outgoing.writeHead(404).end();
  }
  // The new version's frame names files that exist.
  if (path === "/frame" && isDeployed) isDeployed = isBetween = false;
  const onward = request({ host: "127.0.0.1", port: shop.product.port, path, method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
    if (isFile) answer.on("end", () => served.add(path));
  });
  onward.on("error", () => outgoing.destroy());
  outgoing.on("close", () => onward.destroy());
  incoming.pipe(onward);
});

test.beforeAll(async () => {
  front = await listenOnFreePort(proxy);
  const site = await startSite({ "/": { html: lampPage(TAG) } });
  const origin = `http://127.0.0.1:${front.port}`;
  shop = await openShop(site, { ["ALLOWED_ORIGINS"]: `${site.origin},${origin}` });
  site.embed(origin);
});
test.beforeEach(() => {
  isDeployed = isBetween = false;
  served = new Set();
  refused = [];
});
test.afterAll(async () => {
  await shop.dispose();
  await front.close();
});

test("PART2 a new version is deployed while a customer writes: the first message and its answer are shown, and the menu opens", async ({
  page,
}) => {
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  await panel.composer.fill("H");
  const map = await frameOf(page).locator('script[type="importmap"]').textContent();
  const files = Object.keys(JSON.parse(map ?? "").integrity as object);
  expect(files.length).toBeGreaterThan(3);
  await expect.poll(() => files.filter((file) => !served.has(file))).toEqual([]);

  isDeployed = true;
  await panel.say("How long does delivery take?");
  await expect(panel.log.locator("[data-role=agent]").first()).toBeVisible();
  await expect(panel.frame.getByText("You're chatting with our AI agent")).toBeVisible();
  await panel.button("More").click();
  await expect(panel.button("Delete my conversation")).toBeVisible();
  expect(isDeployed).toBe(true);
});

test("PART2 the files of the panel's version are gone before they were fetched: a reload is offered, and nothing is lost by it", async ({
  page,
}) => {
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.launcher.hover();
  await expect(panel.frame.getByRole("textbox", { name: "Message", includeHidden: true })).toBeAttached();
  isDeployed = true;
  await panel.open();
  await expect(panel.button("Reload the chat")).toHaveCount(0);
  await panel.say("How long does delivery take?");
  // As plain text, until the part that draws the log is there: not "Sending…" any more.
  await expect(panel.log).toHaveText(/How long does delivery take\?$/);
  await panel.composer.fill("And how");

  await panel.button("Reload the chat").click();
  await expect(panel.log.locator("[data-role=agent]").first()).toBeVisible();
  await expect(panel.log.getByText("How long does delivery take?")).toHaveCount(1);
  await expect(panel.composer).toHaveValue("And how");
  await expect(panel.composer).toBeFocused();
  await expect(panel.button("Reload the chat")).toHaveCount(0);
});

test("PART2 a restored panel, which did not take the focus, has it after its reload", async ({ page }) => {
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  await panel.open();
  await panel.say("How long does delivery take?");
  await expect(panel.log.locator("[data-role=agent]").first()).toBeVisible();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.clearBrowserCache");
  isBetween = true;
  await page.reload();
  await panel.button("Reload the chat").click();
  await expect(panel.log.locator("[data-role=agent]").first()).toBeVisible();
  await expect(panel.composer).toBeFocused();
});

test("PART2 where storage is blocked, no reload is offered that would lose the conversation", async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        },
      });
    }
  });
  await page.goto(`${shop.site.origin}/`);
  const panel = panelOn(page);
  isBetween = true;
  await panel.open();
  await panel.say("How long does delivery take?");
  // When wanted, for its status, and again.
  await expect
    .poll(() => refused.filter((path) => /conversation-part.*js$/.test(path)).length)
    .toBeGreaterThan(3);
  await expect(panel.log).toHaveText(/How long does delivery take\?$/);
  await expect(panel.button("Reload the chat")).toHaveCount(0);
});
