import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import type { PublicConfig } from "../shared/api/config.ts";
import { complaintsOf } from "./kit/complaints.ts";
import { lampPage, type SitePage, startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const DOCUMENT = readFileSync(new URL("../docs/csp.md", import.meta.url), "utf8");
const CHAT = "https://chat.example.com";
const TAG = `<script async src="${CHAT}/widget.js" data-fallback="mailto:help@example.com"></script>`;

interface Recipe {
  readonly headers: Readonly<Record<string, string>>;
  readonly tag: string;
}

/** The document's recipes: the headers of a page, and the tag for them. */
const RECIPES: readonly Recipe[] = [
  ...DOCUMENT.matchAll(/```http\n([\s\S]*?)```\s*```html\n([\s\S]*?)```/g),
].map(([, headers = "", tag = ""]) => ({ headers: headersOf(headers), tag }));

function headersOf(block: string): Record<string, string> {
  const lines = block.trim().split("\n");
  return Object.fromEntries(lines.map((line) => line.split(/:\s+(.*)/).slice(0, 2) as [string, string]));
}

/** Replaces the document's placeholders, as the site's server does. */
function fill(text: string): string {
  return text
    .replaceAll(CHAT, "{{origin}}")
    .replaceAll("NONCE", "n0nce")
    .replaceAll("INTEGRITY", "{{integrity}}")
    .replaceAll("VERSION", "{{version}}");
}

function pageOf({ headers, tag }: Recipe): SitePage {
  const filled = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value)]);
  return {
    headers: Object.fromEntries(filled) as Record<string, string>,
    html: lampPage(fill(tag)),
  };
}

/** The same recipe without one source: each line of the document is necessary. */
function without(recipe: Recipe, directive: string): Recipe {
  const policy = recipe.headers["Content-Security-Policy"] ?? "";
  const cut = policy.replace(new RegExp(`${directive} [^;]*`), `${directive} 'none'`);
  return { ...recipe, headers: { ...recipe.headers, "Content-Security-Policy": cut } };
}

let shop: Shop;
let loader: PublicConfig["loader"];
test.beforeAll(async () => {
  const pages = RECIPES.flatMap((recipe, index): [string, SitePage][] => [
    [`/${index}`, pageOf(recipe)],
    [`/${index}/no-script`, pageOf(without(recipe, "script-src"))],
    [`/${index}/no-frame`, pageOf(without(recipe, "frame-src"))],
  ]);
  const sandboxed = ["allow-scripts", "allow-scripts allow-same-origin"].map(
    (flags, at): [string, SitePage] => [
      `/sandbox/${at}`,
      pageOf({ headers: { "Content-Security-Policy": `sandbox ${flags}` }, tag: TAG }),
    ],
  );
  shop = await openShop(await startSite(Object.fromEntries([...pages, ...sandboxed])));
  ({ loader } = (await (await fetch(`${shop.chat}/api/config`)).json()) as PublicConfig);
  shop.site.embed(shop.chat, { integrity: loader.integrity, version: loader.version });
});
test.afterAll(() => shop.dispose());

test("the document has its recipes", () => {
  expect(RECIPES).toHaveLength(6);
});

for (const [index, { headers }] of RECIPES.entries()) {
  const policy = headers["Content-Security-Policy"] ?? "";
  test(`under the document's policy ${index + 1} the chat answers without a violation: ${policy}`, async ({
    page: tab,
  }) => {
    const complaints = complaintsOf(tab);
    await tab.goto(`${shop.site.origin}/${index}`);
    const panel = panelOn(tab);
    await panel.open();
    await panel.say("How do I pay?");
    await expect(panel.log.getByRole("list").first()).toBeVisible();
    expect(complaints).toEqual([]);
  });

  test(`without its script or its frame, policy ${index + 1} shows no chat (control)`, async ({
    page: tab,
  }) => {
    const complaints = complaintsOf(tab);
    await tab.goto(`${shop.site.origin}/${index}/no-script`);
    await expect.poll(() => complaints.join()).toMatch(/violates.*script-src/);
    expect(await tab.evaluate("typeof Parley")).toBe("undefined");
    await tab.goto(`${shop.site.origin}/${index}/no-frame`);
    await panelOn(tab).launcher.click();
    await expect.poll(() => complaints.join()).toMatch(/violates.*frame-src/);
    await expect(panelOn(tab).composer).toHaveCount(0);
  });
}

test("a sandboxed page without an origin shows the fallback in place of the panel, one with its origin the panel", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/sandbox/0`);
  await panelOn(tab).launcher.click();
  await expect(tab.getByText(/couldn't load the chat/i).first()).toBeVisible();
  await expect(tab.getByRole("link", { name: "help@example.com" })).toBeVisible();
  await expect(panelOn(tab).composer).toHaveCount(0);
  await tab.goto(`${shop.site.origin}/sandbox/1`);
  await panelOn(tab).open();
  await panelOn(tab).say("How do I pay?");
  await expect(panelOn(tab).log.getByRole("list").first()).toBeVisible();
});

test("the frame and the desk send the policies that the document prints", async () => {
  const origins = `http://localhost:${shop.product.port} ${shop.chat} ${shop.site.origin}`;
  for (const [name, path] of [
    ["frame", "/frame"],
    ["desk", "/desk"],
  ] as const) {
    const [, block = ""] = new RegExp(`\`\`\`http ${name}\\n([\\s\\S]*?)\`\`\``).exec(DOCUMENT) ?? [];
    const printed = headersOf(block)["Content-Security-Policy"]?.replace("ORIGINS", origins);
    const answer = await fetch(`${shop.chat}${path}`);
    // The only inline script: the import map that pins what the frame loads later, which differs with each build.
    const map = /<script type="importmap">([^<]*)</.exec(await answer.text())?.[1];
    const hash = map && createHash("sha256").update(map).digest("base64");
    expect(answer.headers.get("content-security-policy"), name).toBe(printed?.replace("MAP", `${hash}`));
  }
});

test("one changed byte of the pinned loader, and the browser refuses it", async ({ page: tab }) => {
  const pinned = RECIPES.findIndex(({ tag }) => tag.includes("integrity="));
  const complaints = complaintsOf(tab);
  await tab.route("**/v/*/widget.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()} ` });
  });
  await tab.goto(`${shop.site.origin}/${pinned}`);
  await expect.poll(() => complaints.join()).toMatch(/integrity/i);
  expect(await tab.evaluate("typeof Parley")).toBe("undefined");
  await expect(panelOn(tab).launcher).toHaveCount(0);
});

for (const kind of ["js", "css"] as const) {
  test(`one changed byte of the panel's ${kind}, and the browser refuses it; the page reports it`, async ({
    page: tab,
  }) => {
    const complaints = complaintsOf(tab);
    await tab.route(`**/assets/*.${kind}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${await answer.text()} ` });
    });
    await tab.goto(`${shop.site.origin}/0`);
    await panelOn(tab).launcher.click();
    await expect.poll(() => complaints.join()).toMatch(/integrity/i);
    if (kind === "js") {
      await expect(tab.getByText(/couldn't load the chat/i).first()).toBeVisible();
      await expect(panelOn(tab).composer).toHaveCount(0);
    }
  });
}

test("PART1 one changed byte of the conversation's code: refused, and what was written stays until the code is intact", async ({
  page: tab,
}) => {
  await tab.route("**/assets/conversation-part-*.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${await answer.text()} ` });
  });
  await tab.goto(`${shop.site.origin}/0`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.say("How do I pay?");
  await expect(panel.log).toContainText("How do I pay?");
  await expect(panel.log.getByRole("list")).toHaveCount(0);
  // From here on the file is intact. After the part has loaded, the panel fetches all files into the cache: a route that
  // is still there would answer while the page closes.
  await tab.unrouteAll({ behavior: "wait" });
  await expect(panel.log.getByRole("list").first()).toBeVisible({ timeout: 60_000 });
  await expect(panel.log.getByText("How do I pay?")).toHaveCount(1);
});
