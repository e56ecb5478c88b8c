import { expect, type Page, test } from "@playwright/test";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { frameOf, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite({ "/": { html: lampPage(TAG) } }));
});
test.afterAll(() => shop.dispose());

/** The warnings in the page's console from now on. */
function warningsOn(page: Page): string[] {
  const warned: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "warning") warned.push(message.text());
  });
  return warned;
}

const fillOf = `getComputedStyle(document.documentElement).getPropertyValue("--accent-fill-light")`;

test("PAGE9 any CSS colour colours launcher and panel; an invalid one is named, and the default stays", async ({
  page: tab,
}) => {
  const warned = warningsOn(tab);
  const panel = panelOn(tab);
  await tab.goto(`${shop.site.origin}/`);
  await panel.open();
  await tab.evaluate("errors=[];Parley.on('error',(event)=>errors.push(event))");
  const standard = await frameOf(tab).evaluate(fillOf);
  const same = ["#0b5d5f", "rgb(11 93 95)", "rgb(11,93,95)", "hsl(181.4 79.2% 20.8%)", "#0b5d5fff"];
  for (const color of same) {
    await tab.evaluate((given) => window.Parley.update({ color: given }), color);
    await expect.poll(() => frameOf(tab).evaluate(fillOf), color).toBe("#0b5d5f");
    await tab.evaluate("Parley.update({color:''})");
    await expect.poll(() => frameOf(tab).evaluate(fillOf)).toBe(standard);
  }
  for (const color of ["rebeccapurple", "oklch(45% 0.2 300)", "color-mix(in srgb, red, blue)", "#639a"]) {
    await tab.evaluate((given) => window.Parley.update({ color: given }), color);
    await expect.poll(() => frameOf(tab).evaluate(fillOf), color).toMatch(/^#[0-9a-f]{6}$/);
    await tab.evaluate("Parley.update({color:''})");
    await expect.poll(() => frameOf(tab).evaluate(fillOf)).toBe(standard);
  }
  expect(warned).toEqual([]);
  for (const color of ["lamp yellow", "url(https://c.example)", "red;--x:1", "var(--brand)", "inherit"]) {
    await tab.evaluate((given) => window.Parley.update({ color: given }), color);
    await expect.poll(() => warned.length, color).toBeGreaterThan(0);
    expect(warned.splice(0)).toEqual([expect.stringContaining("Parley: color must be a CSS colour")]);
    expect(await frameOf(tab).evaluate(fillOf)).toBe(standard);
    await tab.evaluate("Parley.update({color:''})");
  }
  expect(await tab.evaluate("errors.map(({code,what})=>code+' '+what)")).toEqual(
    Array.from({ length: 5 }, () => "bad_setting color"),
  );
});

test("PAGE9 an invalid selector is named, and the chat's own launcher opens the panel", async ({
  page: tab,
}) => {
  const warned = warningsOn(tab);
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("Parley.update({launcher:'#help, .help',container:'#chat['})");
  await panel.open();
  await expect.poll(() => warned.length).toBe(2);
  expect(warned.join()).toMatch(/launcher must be one valid selector.*container must be one valid selector/s);
  await tab.evaluate("Parley.update({launcher:'#none > a:not(.b)',container:'#none'})");
  await tab.evaluate("Parley.update({position:'middle'})");
  await expect.poll(() => warned.length).toBe(3);
  expect(warned[2]).toContain("position");
});

test("PAGE9 a setting that is too long is named, and costs no other", async ({ page: tab }) => {
  const warned = warningsOn(tab);
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("Parley.update({greeting:'Hello lamps',texts:'x'.repeat(6001),title:'y'.repeat(9000)})");
  await panel.open();
  await expect(panel.frame.getByText("Hello lamps")).toBeVisible();
  await expect.poll(() => warned.length).toBe(2);
  expect(warned.join()).toMatch(/texts.*title/s);
});
