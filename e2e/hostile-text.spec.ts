import { expect, type Page, test } from "@playwright/test";
import { hostileDirectory } from "./kit/hostile-articles.ts";
import { PAYLOADS, packed } from "./kit/hostile-payloads.ts";
import { expectTextAlone, foreignNodes, watchHostile } from "./kit/hostile-watch.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { endConversation, frameOf, type Panel, panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'";
const escaped = JSON.stringify(PAYLOADS).replaceAll("<", "\\u003c");
/** A careless chat, which inserts text into the page as markup. */
const CARELESS = `<!doctype html><html lang="en"><title>Careless</title><body><script nonce="n0nce">
for (const text of ${escaped}) { try { document.body.appendChild(document.createElement("div")).innerHTML = text } catch {} }
</script></body></html>`;

let shop: Shop;
let articles: ReturnType<typeof hostileDirectory>;
test.beforeAll(async () => {
  const site = await startSite({
    "/": { html: lampPage(TAG) },
    "/careless": { html: CARELESS },
    "/careless-with-policy": {
      html: CARELESS,
      headers: { "content-security-policy": POLICY.replace("script-src 'self'", "script-src 'nonce-n0nce'") },
    },
  });
  articles = hostileDirectory();
  shop = await openShop(site, { ["KNOWLEDGE_DIR"]: articles.path, ["TRUSTED_PROXIES"]: "1" });
});
test.afterAll(async () => {
  await shop.dispose();
  articles.remove();
});

test.beforeEach(async ({ context }, { testId }) => {
  // Each test uses its own client address, so that their limits do not interfere.
  const last = Number.parseInt(testId.slice(-4), 16) & 65_535;
  await context.setExtraHTTPHeaders({ "x-forwarded-for": `10.9.${last >> 8}.${last & 255}` });
});

async function openPanel(tab: Page): Promise<Panel> {
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  return panel;
}

test("there are at least 120 different payloads", () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(120);
  for (const payload of PAYLOADS) expect(payload.length, payload).toBeLessThanOrEqual(200);
});

test("the payloads are effective: a careless page runs them, and a policy reports them (control)", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [shop.site.origin]);
  // 204 answers: a payload's request is recorded, and a navigation leaves the page in place.
  await tab.route(/evil\.example/, (route) => route.fulfill({ status: 204 }));
  await tab.goto(`${shop.site.origin}/careless`);
  await expect.poll(() => watch.found.filter((what) => what === "a script ran").length).toBeGreaterThan(5);
  await expect.poll(() => watch.found.join()).toMatch(/a request to https:https:\/\/evil\.example/);
  const nodes = await foreignNodes(tab.mainFrame());
  expect(nodes.length).toBeGreaterThan(40);
  watch.found.splice(0);
  await tab.goto(`${shop.site.origin}/careless-with-policy`);
  await expect.poll(() => watch.found.join()).toMatch(/violation of img-src by https:\/\/evil\.example/);
  expect(watch.found.filter((what) => what.startsWith("violation")).length).toBeGreaterThan(20);
});

test("FRAME3 in the panel a customer's messages, the page's title, greeting and address are text", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [shop.site.origin, shop.chat]);
  await tab.goto(`${shop.site.origin}/`);
  await tab.evaluate((payloads) => {
    history.replaceState(null, "", `/?${encodeURIComponent(payloads[0] ?? "")}#${payloads[1]}`);
    document.title = payloads.join(" ").slice(0, 300);
  }, PAYLOADS);
  const panel = panelOn(tab);
  await panel.open();
  const frame = frameOf(tab);
  for (const payload of PAYLOADS) {
    await tab.evaluate((text) => {
      void Parley.update({
        title: text,
        greeting: text,
        color: text,
        locale: text,
        position: text as "left",
        zIndex: text,
      });
    }, payload);
    await expect(panel.frame.getByRole("dialog").first()).toContainText(payload.trim().slice(0, 12));
  }
  await expectTextAlone(tab, watch);
  await tab.evaluate((text) => Parley.newMessage(text), PAYLOADS[0] ?? "");
  await expect(panel.composer).toHaveValue(PAYLOADS[0] ?? "");
  for (const message of packed()) {
    await panel.say(message);
    await expect(panel.composer).toHaveValue("");
  }
  const last = PAYLOADS.at(-1) ?? "";
  await expect(panel.log.getByText(last).first()).toBeVisible();
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  const shown = await frame.evaluate(() => document.body.textContent ?? "");
  for (const payload of PAYLOADS) expect(shown).toContain(payload);
  await expectTextAlone(tab, watch);
});

test("an agent that quotes hostile articles produces text, and so are its sources", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [shop.site.origin, shop.chat]);
  const panel = await openPanel(tab);
  let shown = "";
  for (const [index] of packed().entries()) {
    await panel.say(`wardrobe${index} quoted`);
    await expect(panel.log.getByText(`wardrobe${index} quoted, in these steps`).first()).toBeVisible();
    shown += await frameOf(tab).evaluate(() => document.body.textContent ?? "");
    await expectTextAlone(tab, watch);
    // Earlier messages would be part of the next question.
    await endConversation(panel);
    await expect(panel.frame.getByText(/conversation has ended/i).first()).toBeVisible();
  }
  expect(shown).toContain("<img src=x:x onerror=");
  expect(shown).toContain("{{constructor.constructor('pwned()')()}}");
  await expectTextAlone(tab, watch);
});

test("whatever a service sends in names, messages, sources and errors is text in the panel", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [shop.site.origin, shop.chat]);
  const at = new Date().toISOString();
  await tab.route("**/api/session", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const answer = await route.fetch();
    const state = (await answer.json()) as Record<string, unknown>;
    const messages = PAYLOADS.flatMap((text, index) =>
      (["human", "agent", "system", "customer"] as const).map((role, offset) => ({
        id: `m_${index}_${offset}`,
        seq: index * 4 + offset + 1,
        role,
        body: text,
        at,
        ...(role === "human" ? { author: { name: text } } : {}),
        citations: [{ citationId: "c1", title: text, url: text, excerpt: text }],
      })),
    );
    const lastSeq = messages.length;
    const handoff = { id: "h1", status: "accepted", human: { name: PAYLOADS[0] } };
    const conversation = { id: "c_1", status: "open", epoch: "e1", lastSeq, messages, handoff };
    const customer = { externalId: "anon_1", displayName: PAYLOADS[16], identified: false };
    await route.fulfill({ response: answer, json: { ...state, customer, conversation } });
  });
  await tab.route("**/api/conversation/events", (route) => route.abort());
  await tab.route("**/api/conversation/messages", (route) => {
    const text = PAYLOADS[16] ?? "";
    const problem = {
      type: text,
      title: text,
      status: 400,
      code: "invalid_request",
      detail: text,
      requestId: text,
    };
    return route.fulfill({ status: 400, contentType: "application/problem+json", json: problem });
  });
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  await panel.launcher.click();
  await expect(panel.log.getByText(PAYLOADS.at(-1) ?? "").first()).toBeVisible();
  await panel.say("Hello");
  await expect(panel.button("Retry").first()).toBeVisible();
  const texts = await frameOf(tab).evaluate(() =>
    [
      ...document.querySelectorAll(
        ".log__author, .message__source, .rich-text__plain, .rich-text__rich, .log__note",
      ),
    ].map((node) => node.textContent ?? ""),
  );
  const all = texts.join("\n");
  for (const payload of PAYLOADS) expect(all).toContain(payload.split(/[*_`[\]]/)[0]?.trim() ?? "");
  await expectTextAlone(tab, watch);
});
