import { expect, type Frame, type Page, test } from "@playwright/test";
import { type Site, startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { chatInline, plunder } from "./kit/plunder.ts";
import { type Product, startProduct } from "./kit/product.ts";

const TAG = '<script async src="{{widget}}"></script>';
const page = (body: string) =>
  `<!doctype html><html lang="en"><title>Lamps</title><h1>Lamps</h1>${body}</html>`;
const PLUNDER = `<script>(${plunder.toString()})()</script>`;
const RAW_FRAME = '<iframe title="Raw" src="{{origin}}/frame"></iframe>';

const SECRET = "my account number is canary-7351";

let site: Site;
/** A site that nobody allowed. */
let stranger: Site;
let product: Product;
test.beforeAll(async () => {
  stranger = await startSite({
    "/": { html: page(RAW_FRAME) },
    "/tag": { html: page(TAG) },
    "/sibling": { html: page("") },
    "/around": { html: page('<iframe title="Site" src="{{around}}"></iframe>') },
  });
  site = await startSite({
    "/": { html: page(TAG) },
    "/hostile": { html: page(PLUNDER + TAG) },
    "/inline": { html: page(`${PLUNDER}<script>(${chatInline.toString()})()</script>`) },
    "/raw": { html: page(`<iframe title="Sibling" src="${stranger.origin}/sibling"></iframe>${RAW_FRAME}`) },
    "/overlay": {
      html: page(
        `<style>.lid{position:fixed;inset:0;z-index:2147483647;pointer-events:none}</style><div class="lid"></div>${TAG}`,
      ),
    },
  });
  product = await startProduct({ ["ALLOWED_ORIGINS"]: site.origin });
  const widget = `http://127.0.0.1:${product.port}`;
  site.embed(widget);
  stranger.embed(widget, { around: `${site.origin}/` });
});
test.afterAll(async () => {
  await product.dispose();
  await site.close();
  await stranger.close();
});

/** Every session token that the page's frames send; the page itself is not asked. */
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

function frameAt(tab: Page, path: string): Frame {
  const frame = tab.frames().find((one) => new URL(one.url(), "http://x").pathname === path);
  if (!frame) throw new Error(`no frame at ${path}`);
  return frame;
}

test("FRAME1 R14 a hostile page gets neither a word nor the token, and the chat works on", async ({
  page: tab,
}) => {
  const tokens = tokensOf(tab);
  await tab.goto(`${site.origin}/hostile`);
  const panel = panelOn(tab);
  await panel.open();
  await panel.composer.pressSequentially(SECRET);
  await panel.composer.press("Enter");
  await expect(panel.log.getByText(SECRET)).toBeVisible();
  await panel.say("How long does delivery take?");
  const answer = panel.log.getByText(/business days|working days/i).first();
  await expect(answer).toBeVisible();
  const words = (await answer.innerText()).slice(0, 40);
  // The next answer, to what the customer asks on another screen, is teased above the launcher.
  await panel.button("Close chat").click();
  const widget = `http://127.0.0.1:${product.port}`;
  const [token] = tokens;
  const asked = await fetch(`${widget}/api/conversation/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", origin: widget },
    body: JSON.stringify({ clientMessageId: "elsewhere-1", body: "How do I pay?" }),
  });
  expect(asked.status).toBe(201);
  await expect(panel.frame.locator(".teaser")).toBeVisible();
  const teased = (await panel.frame.locator(".teaser-text").innerText()).slice(0, 40);
  const loot = await lootOf(tab);
  expect(tokens.size).toBeGreaterThan(0);
  for (const one of tokens) expect(loot).not.toContain(one);
  for (const text of [SECRET, "canary-7351", "How long does delivery", words, teased]) {
    expect(loot).not.toContain(text);
  }
  // It was there, it looked, and it was refused.
  expect(loot).toMatch(/from the frame: .*"type":"ready"/);
  expect(loot).toMatch(/event message:received: /);
  for (const what of ["document", "localStorage", "sessionStorage", "address", "fetch", "listener"]) {
    expect(loot).toContain(`frame ${what}: refused: SecurityError`);
  }
});

test("R14 the same page gets both out of a chat that is drawn into it (control)", async ({ page: tab }) => {
  await tab.goto(`${site.origin}/inline`);
  const box = tab.getByLabel("Inline message");
  await box.pressSequentially(SECRET);
  await box.press("Enter");
  const loot = await lootOf(tab);
  expect(loot).toContain(SECRET);
  expect(loot).toContain("inline-token-0123456789abcdef");
});

test("R11 forged greetings get no answer, whoever sends them; the true one does (control)", async ({
  page: tab,
}) => {
  const errors: string[] = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  await tab.goto(`${site.origin}/raw`);
  const widget = `http://127.0.0.1:${product.port}`;
  await expect.poll(() => tab.frames().length).toBe(3);
  const panel = frameAt(tab, "/frame");
  await panel.waitForLoadState("load");

  // A window of another origin on the same page, with everything right but its place.
  const sibling = frameAt(tab, "/sibling");
  await sibling.evaluate((origin) => {
    const { port1, port2 } = new MessageChannel();
    Object.assign(window, { heard: [] as unknown[] });
    port1.onmessage = ({ data }) => (Reflect.get(window, "heard") as unknown[]).push(data);
    window.parent.frames[1]?.postMessage({ parley: 1, type: "connect" }, origin, [port2]);
  }, widget);

  // An event that no browser made, with the origin and the source that count.
  const synthetic = await panel.evaluate(
    (origin) =>
      new Promise<string[]>((resolve) => {
        const heard: string[] = [];
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => heard.push((data as { type: string }).type);
        const init = { data: { parley: 1, type: "connect" }, origin, source: window.parent, ports: [port2] };
        dispatchEvent(new MessageEvent("message", init));
        // A second, certain message on the same port: what would have come before it has come.
        port1.onmessageerror = () => undefined;
        const after = new MessageChannel();
        after.port1.onmessage = () => resolve(heard);
        after.port2.postMessage("after");
      }),
    site.origin,
  );
  expect(synthetic).toEqual([]);

  // The page itself, which may greet, in every wrong way and then in the right one.
  const heard = await tab.evaluate(async (origin) => {
    const target = document.querySelector<HTMLIFrameElement>('iframe[title="Raw"]')?.contentWindow;
    const cyclic: Record<string, unknown> = { parley: 1, type: "connect" };
    cyclic["self"] = cyclic;
    const hello = { parley: 1, type: "connect" };
    const wrong: [unknown, number][] = [
      [{ ...hello, parley: 2 }, 1],
      [{ ...hello, parley: "1" }, 1],
      [{ ...hello, type: "identify", token: "x" }, 1],
      [{ ...hello, padding: "x".repeat(1_000_000) }, 1],
      [cyclic, 1],
      [[hello], 1],
      [JSON.stringify(hello), 1],
      [null, 1],
      [new Map([["parley", 1]]), 1],
      [hello, 0],
      [hello, 2],
    ];
    const answers: string[] = [];
    const send = (message: unknown, ports: number) =>
      new Promise<void>((resolve) => {
        const channels = Array.from({ length: ports }, () => new MessageChannel());
        for (const { port1 } of channels) {
          port1.onmessage = ({ data }) => {
            answers.push((data as { type: string }).type);
            resolve();
          };
        }
        target?.postMessage(
          message,
          origin,
          channels.map(({ port2 }) => port2),
        );
        // What is wrong is not waited for: the right one comes after all of them.
        if (message !== hello || ports !== 1) resolve();
      });
    for (const [message, ports] of wrong) await send(message, ports);
    const getters = Object.defineProperty({ parley: 1 }, "type", {
      enumerable: true,
      get: () => {
        throw new Error("read");
      },
    });
    await send(getters, 1).catch((error: unknown) => answers.push(String(error)));
    await send(hello, 1);
    return answers;
  }, widget);
  // The throwing getter stops in the page that sent it. Then the true one's answer, and nothing before it.
  expect(heard.slice(0, 2)).toEqual(["Error: read", "ready"]);
  expect(await sibling.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
  expect(errors).toEqual([]);
});

test("R11 what a hostile page sends on the port can't break the panel", async ({ page: tab }) => {
  const errors: string[] = [];
  tab.on("pageerror", (error) => errors.push(error.message));
  await tab.goto(`${site.origin}/raw`);
  const widget = `http://127.0.0.1:${product.port}`;
  await expect.poll(() => tab.frames().length).toBe(3);
  await frameAt(tab, "/frame").waitForLoadState("load");
  const answers = await tab.evaluate(async (origin) => {
    const target = document.querySelector<HTMLIFrameElement>('iframe[title="Raw"]')?.contentWindow;
    const { port1, port2 } = new MessageChannel();
    const results: unknown[] = [];
    let last: () => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      last = resolve;
    });
    port1.onmessage = ({ data }) => {
      const message = data as { type: string; id?: number };
      if (message.type === "result") results.push(message);
      if (message.id === 99) last();
    };
    target?.postMessage({ parley: 1, type: "connect" }, origin, [port2]);
    const command = (id: unknown, name: unknown, text: unknown) => ({
      type: "command",
      id,
      command: { name, text },
    });
    const cyclic: Record<string, unknown> = command(2, "newMessage", "cyclic");
    cyclic["self"] = cyclic;
    let deep: unknown = "deep";
    for (let level = 0; level < 500; level++) deep = [deep];
    const hostile = [
      command(1, "newMessage", "x".repeat(1_000_000)),
      cyclic,
      { ...command(3, "newMessage", "big"), n: 1n },
      command("4", "newMessage", "id"),
      command(5, "__proto__", "proto"),
      command(6, "constructor", "constructor"),
      command(7, "fetch", "https://evil.example"),
      { type: "command", id: 8 },
      { type: "command", id: 9, command: null },
      { type: "settings" },
      { type: "settings", settings: deep, page: deep },
      {
        type: "settings",
        settings: { color: "red;} * {display:none", locale: "../../x", colorScheme: "<b>" },
        page: { url: {} },
      },
      { type: "opened", focus: "yes" },
      { type: "ready" },
      { type: "event", event: {} },
      { type: "__proto__" },
      new Date(),
      new Uint8Array(1_000_000),
      "connect",
      7,
    ];
    for (const message of hostile) port1.postMessage(message);
    port1.postMessage(command(99, "newMessage", "What the page suggests"));
    await done;
    return results;
  }, widget);
  expect(answers).toEqual([{ type: "result", id: 99 }]);
  const frame = tab.frameLocator('iframe[title="Raw"]');
  await expect(frame.getByRole("textbox", { name: "Message" })).toHaveValue("What the page suggests");
  expect(errors).toEqual([]);
});

test("R11 a message to the page itself opens nothing and is taken for no answer", async ({ page: tab }) => {
  await tab.goto(`${site.origin}/`);
  await expect(panelOn(tab).launcher).toBeVisible();
  await tab.evaluate(async () => {
    for (const type of ["open", "ready", "connect", "event", "result"]) {
      const message = { parley: 1, type, id: 1, event: { type: "unread", count: 7 } };
      window.postMessage(message, "*", [new MessageChannel().port2]);
      window.dispatchEvent(new MessageEvent("message", { data: message, origin: "http://evil.example" }));
    }
    await new Promise<void>((resolve) => {
      addEventListener("message", ({ data }) => data === "after" && resolve());
      window.postMessage("after", "*");
    });
  });
  expect(await tab.evaluate("[Parley.isOpen, Parley.unreadCount, frames.length]")).toEqual([false, 0, 0]);
});

test("FRAME2 R90 a page that is not on the list can't frame the panel, itself or around a page that is", async ({
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
  await tab.goto(`${site.origin}/`);
  await panelOn(tab).open();
  expect(refusals).toHaveLength(2);
});

test("R90 a click that an overlay lured to End asks first, and twice at the same place ends nothing", async ({
  page: tab,
}) => {
  const ended: string[] = [];
  tab.on("request", (request) => {
    if (request.method() === "DELETE") ended.push(request.url());
  });
  await tab.goto(`${site.origin}/overlay`);
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
  // The control: pressed where it stands, its own button does end it.
  if (!(await question.isVisible())) await end.click();
  await question.getByRole("button", { name: "End conversation" }).click();
  await expect.poll(() => ended.length).toBe(1);
});
