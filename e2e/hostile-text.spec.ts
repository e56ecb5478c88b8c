import { expect, type Page, test } from "@playwright/test";
import { setUpDesk } from "./kit/desk.ts";
import { hostileDirectory } from "./kit/hostile-articles.ts";
import { PAYLOADS, packed } from "./kit/hostile-payloads.ts";
import { foreignNodes, type HostileWatch, watchHostile } from "./kit/hostile-watch.ts";
import { type Site, startSite } from "./kit/pages.ts";
import { type Panel, panelOn } from "./kit/panel.ts";
import { type Product, startProduct } from "./kit/product.ts";
import { issueCredential, talkToService } from "./kit/service-client.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; object-src 'none'";
const escaped = JSON.stringify(PAYLOADS).replaceAll("<", "\\u003c");
/** A careless chat: it puts text into the page as markup. */
const CARELESS = `<!doctype html><html lang="en"><title>Careless</title><body><script nonce="n0nce">
for (const text of ${escaped}) { try { document.body.appendChild(document.createElement("div")).innerHTML = text } catch {} }
</script></body></html>`;

let site: Site;
let product: Product;
let widget: string;
let call: ReturnType<typeof talkToService>;
let removeArticles: () => void;
test.beforeAll(async () => {
  site = await startSite({
    "/": {
      html: '<!doctype html><html lang="en"><title>Lamps</title><script async src="{{widget}}"></script></html>',
    },
    "/careless": { html: CARELESS },
    "/careless-with-policy": {
      html: CARELESS,
      headers: { "content-security-policy": POLICY.replace("script-src 'self'", "script-src 'nonce-n0nce'") },
    },
  });
  const articles = hostileDirectory();
  removeArticles = articles.remove;
  product = await startProduct({
    ["ALLOWED_ORIGINS"]: site.origin,
    ["KNOWLEDGE_DIR"]: articles.path,
    ["TRUSTED_PROXIES"]: "1",
  });
  widget = `http://127.0.0.1:${product.port}`;
  site.embed(widget);
  call = talkToService(widget, issueCredential(product));
});
test.afterAll(async () => {
  await product.dispose();
  await site.close();
  removeArticles();
});

test.beforeEach(async ({ context }, { testId }) => {
  // Each test comes from an address of its own, so that no limit of one touches another.
  const last = Number.parseInt(testId.slice(-4), 16) & 65_535;
  await context.setExtraHTTPHeaders({ "x-forwarded-for": `10.9.${last >> 8}.${last & 255}` });
});

async function openPanel(tab: Page): Promise<Panel> {
  await tab.goto(`${site.origin}/`);
  const panel = panelOn(tab);
  await panel.open();
  return panel;
}

/** Nothing of the payloads was more than text, in any frame. */
async function expectTextAlone(tab: Page, { found, complaints }: HostileWatch): Promise<void> {
  const ours = tab.frames().filter((frame) => /\/(frame|desk)\b/.test(frame.url()));
  expect(ours).toHaveLength(1);
  for (const frame of ours) expect(await foreignNodes(frame)).toEqual([]);
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
}

function panelFrame(tab: Page) {
  const frame = tab.frames().find((one) => one.url().startsWith(`${widget}/frame`));
  if (!frame) throw new Error("no panel");
  return frame;
}

test("there are at least 120 payloads, each its own", () => {
  expect(new Set(PAYLOADS).size).toBe(PAYLOADS.length);
  expect(PAYLOADS.length).toBeGreaterThanOrEqual(120);
  for (const payload of PAYLOADS) expect(payload.length, payload).toBeLessThanOrEqual(200);
});

test("R35 the payloads have teeth: a careless page runs them, and a policy alone reports them (control)", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [site.origin]);
  // No content: what a payload asks for is seen, and one that sends the page away leaves it where it is.
  await tab.route(/evil\.example/, (route) => route.fulfill({ status: 204 }));
  await tab.goto(`${site.origin}/careless`);
  await expect.poll(() => watch.found.filter((what) => what === "a script ran").length).toBeGreaterThan(5);
  await expect.poll(() => watch.found.join()).toMatch(/a request to https:https:\/\/evil\.example/);
  const nodes = await foreignNodes(tab.mainFrame());
  expect(nodes.length).toBeGreaterThan(40);
  watch.found.splice(0);
  await tab.goto(`${site.origin}/careless-with-policy`);
  await expect.poll(() => watch.found.join()).toMatch(/violation of img-src by https:\/\/evil\.example/);
  expect(watch.found.filter((what) => what.startsWith("violation")).length).toBeGreaterThan(20);
});

test("FRAME3 R35 R39 in the panel a customer's words, the page's title, greeting and address are text", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [site.origin, widget]);
  await tab.goto(`${site.origin}/`);
  await tab.evaluate((payloads) => {
    history.replaceState(null, "", `/?${encodeURIComponent(payloads[0] ?? "")}#${payloads[1]}`);
    document.title = payloads.join(" ").slice(0, 300);
  }, PAYLOADS);
  const panel = panelOn(tab);
  await panel.open();
  const frame = panelFrame(tab);
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

test("R35 R44 an agent that quotes hostile articles says text, and its sources are text", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [site.origin, widget]);
  const panel = await openPanel(tab);
  for (const [index] of packed().entries()) {
    await panel.say(`wardrobe${index} quoted`);
    await expect(panel.log.getByText(`wardrobe${index} quoted, in these steps`).first()).toBeVisible();
  }
  const shown = await panelFrame(tab).evaluate(() => document.body.textContent ?? "");
  expect(shown).toContain("<img src=x:x onerror=");
  expect(shown).toContain("{{constructor.constructor('pwned()')()}}");
  await expectTextAlone(tab, watch);
});

test("R35 R37 R38 whatever a service says in names, words, sources and errors is text in the panel", async ({
  page: tab,
  context,
}) => {
  const watch = await watchHostile(context, [site.origin, widget]);
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
  await tab.goto(`${site.origin}/`);
  const panel = panelOn(tab);
  await panel.launcher.click();
  await expect(panel.log.getByText(PAYLOADS.at(-1) ?? "").first()).toBeVisible();
  await panel.say("Hello");
  await expect(panel.button("Retry").first()).toBeVisible();
  const texts = await panelFrame(tab).evaluate(() =>
    [...document.querySelectorAll(".author, .source, .plain, .rich, .note")].map(
      (node) => node.textContent ?? "",
    ),
  );
  const all = texts.join("\n");
  for (const payload of PAYLOADS) expect(all).toContain(payload.split(/[*_`[\]]/)[0]?.trim() ?? "");
  await expectTextAlone(tab, watch);
});

/** One waiting customer for each payload, whose every field it is; gives how many. */
async function fillQueue(): Promise<void> {
  const make = async (text: string, index: number) => {
    const line = text.trim();
    const externalId = `${line} ${index}`;
    await call("POST", "/v1/customers/identify", {
      externalId,
      displayName: line,
      email: `o'x+${index}@evil.example`,
    });
    const attributes = { identified: true, note: line };
    const { token } = (await call("POST", "/v1/sdk/sessions", {
      externalId,
      displayName: line,
      attributes,
    })) as {
      token: string;
    };
    const { conversation } = (await call("POST", "/v1/support/conversations", { subject: line }, token)) as {
      conversation: { id: string };
    };
    const content = { body: text, format: "plain" };
    const turn = { clientMessageId: `m-${index}`, content, attachments: [] };
    await call("POST", `/v1/support/conversations/${conversation.id}/turns`, turn, token);
    const handoff = { conversationId: conversation.id, reason: text, currentIntent: text, transcript: text };
    await call("POST", "/v1/support/handoffs", handoff, token);
  };
  for (let at = 0; at < PAYLOADS.length; at += 10) {
    await Promise.all(PAYLOADS.slice(at, at + 10).map((text, index) => make(text, at + index)));
  }
}

/** Opens every row of the queue in turn; gives what stood on the screen each time. Runs in the page, at its speed. */
function openEveryRow(desk: Page): Promise<string[]> {
  return desk.evaluate(async () => {
    const shown: string[] = [];
    const rows = [...document.querySelectorAll<HTMLElement>("button.row")];
    for (const row of rows) {
      const name = row.querySelector(".row-name")?.textContent ?? "";
      row.click();
      while (
        row.getAttribute("aria-current") !== "true" ||
        document.querySelector("aside h2")?.textContent !== name
      ) {
        await new Promise(requestAnimationFrame);
      }
      shown.push(document.body.querySelector(".desk")?.textContent ?? "");
    }
    return shown;
  });
}

test("R35 R40 R48 at the desk every field of every customer is text; so is the name and the words of who answers", async ({
  browser,
  page: tab,
  context,
}) => {
  test.setTimeout(120_000);
  const name = "<img src=x onerror=pwned()>";
  await fillQueue();
  const deskContext = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const deskWatch = await watchHostile(deskContext, [new URL(product.setupLink()).origin]);
  const desk = await deskContext.newPage();
  await setUpDesk(desk, product.setupLink(), name);
  await expect.poll(() => desk.locator("button.row").count()).toBeGreaterThanOrEqual(PAYLOADS.length);
  const shown = (await openEveryRow(desk)).join("\n");
  for (const payload of PAYLOADS) expect(shown).toContain(payload);
  await expectTextAlone(desk, deskWatch);

  // And what that person writes, on the customer's screen.
  const watch = await watchHostile(context, [site.origin, widget]);
  const panel = await openPanel(tab);
  await panel.say("I need Maya");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await panel.button("Talk to a person").click();
  await desk
    .getByRole("button", { name: /I need Maya|visitor/i })
    .first()
    .click();
  await desk.getByRole("button", { name: "Take conversation" }).click();
  await expect(panel.frame.getByText(name).first()).toBeVisible();
  for (const message of packed()) {
    await desk.getByRole("textbox", { name: "Reply" }).fill(message);
    await desk.getByRole("button", { name: "Send reply" }).click();
    await expect(desk.getByRole("textbox", { name: "Reply" })).toHaveValue("");
  }
  await expect(panel.log.getByText(PAYLOADS.at(-1) ?? "").first()).toBeVisible();
  await expectTextAlone(tab, watch);
  await expectTextAlone(desk, deskWatch);
  await deskContext.close();
});

test("R35 an address that is markup is refused at the door", async () => {
  for (const email of [
    "<img src=x onerror=pwned()>@evil.example",
    '"><script>pwned()</script>@evil.example',
  ]) {
    const refused = call("POST", "/v1/customers/identify", { externalId: "mail-1", email });
    await expect(refused).rejects.toThrow(/answered 4\d\d/);
  }
});
