import { expect, test } from "@playwright/test";
import { complaintsOf, errorsOf } from "./kit/complaints.ts";
import { recordGuest } from "./kit/guest-record.ts";
import { lampPage, startSite, TAG } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const STUB =
  "window.Parley=window.Parley||function(){(Parley.q=Parley.q||[]).push(arguments)};seen=[];Parley('on','ready',(e)=>seen.push(e.type));";
/** As a tag manager does it: a script's text that creates a script. */
const MANAGER =
  "const make=document.createElement('script');make.text=\"const s=document.createElement('script');s.src='{{widget}}';document.head.append(s)\";document.head.append(make)";

/** As a page does that hardens itself against polluted prototypes. */
const FREEZE =
  "for(const each of [Object,Function,Array,Error,Promise,String])for(const one of [each,each.prototype])Object.freeze(one)";

const PAGES = {
  "/": { html: lampPage(TAG) },
  "/frozen": { html: lampPage(`<script>${FREEZE}</script>${TAG}`) },
  // The name takes the place of document.title.
  "/named": { html: lampPage(`<img name="title" alt="Lamps">${TAG}`) },
  "/app": { html: lampPage("") },
  "/async": { html: lampPage(`<script>${STUB}</script>${TAG}`) },
  "/defer": { html: lampPage(`<script>${STUB}</script><script defer src="{{widget}}"></script>`) },
  "/module": { html: lampPage(`<script>${STUB}</script><script type="module" src="{{widget}}"></script>`) },
  "/head": {
    html: `<!doctype html><html lang="en"><head><title>Lamps</title><script>${STUB}</script><script src="{{widget}}"></script></head><h1>Lamps</h1></html>`,
  },
  "/manager": { html: lampPage(`<script>${STUB}${MANAGER}</script>`) },
  "/late": {
    html: lampPage(
      `<script>${STUB}addEventListener('load',()=>setTimeout(()=>{const s=document.createElement('script');s.src='{{widget}}';document.body.append(s)}))</script>`,
    ),
  },
  "/base": {
    html: `<!doctype html><html lang="en"><head><title>Lamps</title><base href="https://elsewhere.example/deep/" target="_blank"><script>${STUB}</script>${TAG}</head><h1>Lamps</h1></html>`,
  },
  "/framed": { html: lampPage('<iframe title="Shop" src="/" width="700" height="600"></iframe>') },
  "/sandboxed": {
    html: lampPage(
      '<iframe title="Shop" sandbox="allow-scripts" width="700" height="600" srcdoc="<h1>Lamps</h1><script async src={{widget}}></script>"></iframe>',
    ),
  },
  "/rtl": { html: lampPage(TAG, 'lang="ar" dir="rtl"') },
  "/bar": { html: lampPage(`<style>parley-chat{--lift:96px}</style>${TAG}`) },
  "/box": {
    html: lampPage(
      '<div id="chat" style="height:500px;width:600px;border-radius:10px"></div><script async src="{{widget}}" data-container="#chat"></script>',
    ),
  },
  "/own": {
    html: lampPage(
      '<button id="help">Help</button><button aria-haspopup="menu" class="menu">More</button><script async src="{{widget}}" data-launcher="#help"></script>',
    ),
  },
};

let shop: Shop;
test.beforeAll(async () => {
  shop = await openShop(await startSite(PAGES));
});
test.afterAll(() => shop.dispose());

/**
 * The page boots and destroys the chat, as a single-page application does; every tenth time it is opened. Returns the
 * snapshots before and after. They are taken here, because the browser's driver registers listeners in between.
 */
async function comeAndGo([src, times]: readonly [string, number]) {
  const once = async (turn: number) => {
    history.replaceState(null, "", `/app?page=${turn % 7}`);
    const script = Object.assign(document.createElement("script"), { src });
    script.dataset["launcher"] = turn % 3 ? "" : "h1";
    script.dataset["container"] = turn % 4 === 1 ? "h1" : "";
    const loaded = new Promise((resolve) => {
      script.onload = resolve;
    });
    document.head.append(script);
    await loaded;
    if (turn % 20 === 0) document.body.replaceWith(document.body.cloneNode(true));
    const opened = turn % 10 === 0 ? window.Parley.open() : Promise.resolve();
    if (turn % 20 === 0) await opened;
    await window.Parley.destroy();
    await opened.catch(() => "destroyed meanwhile");
    script.remove();
  };
  const before = window.pictureOfPage();
  for (let turn = 0; turn < times; turn++) await once(turn);
  history.replaceState(null, "", "/app");
  return [before, window.pictureOfPage()] as const;
}

test("PAGE2 PAGE5 a chat that was created and removed a hundred times leaves nothing: no global, listener, node, style, timer or observer", async ({
  page: tab,
}) => {
  const complaints = complaintsOf(tab);
  await tab.addInitScript(recordGuest);
  await tab.goto(`${shop.site.origin}/app`);
  const widget = `${shop.chat}/widget.js`;
  // The browser's driver registers its own listeners when it first handles an element.
  await tab.evaluateHandle(() => document.body);
  const [before, after] = await tab.evaluate(comeAndGo, [widget, 100] as const);
  expect(after).toEqual(before);
  expect(complaints.filter((text) => !text.includes("target origin"))).toEqual([]);

  // The control: while the chat exists the snapshot differs, and so it does for each thing that a script could leave.
  await tab.evaluate((src) => {
    document.head.append(Object.assign(document.createElement("script"), { src }));
  }, widget);
  await expect(panelOn(tab).launcher).toBeVisible();
  const during = await tab.evaluate(() => window.pictureOfPage());
  for (const what of ["globals", "observers", "html"]) expect(during[what]).not.toEqual(before[what]);
  await tab.evaluate(() => window.Parley.destroy());
  const leaks = await tab.evaluate(() => {
    const leak: Record<string, () => void> = {
      globals: () => Reflect.set(window, "left", 1),
      handlers: () => Reflect.set(window, "onmessage", () => undefined),
      listeners: () => addEventListener("scroll", () => undefined),
      timers: () => void setInterval(() => undefined, 1000),
      observers: () => new MutationObserver(() => undefined).observe(document, { childList: true }),
      frames: () => document.body.append(document.createElement("iframe")),
      html: () => document.body.append("left"),
      styles: () => void document.adoptedStyleSheets.push(new CSSStyleSheet()),
      storage: () => localStorage.setItem("left", "1"),
    };
    return Object.entries(leak).filter(([name, run]) => {
      const clean = JSON.stringify(window.pictureOfPage()[name]);
      run();
      return JSON.stringify(window.pictureOfPage()[name]) === clean;
    });
  });
  expect(leaks).toEqual([]);
});

test("PAGE3 the tag works as async, defer, module, in the head, from a tag manager, late, and with a base; earlier calls are honoured", async ({
  page: tab,
}) => {
  const complaints = complaintsOf(tab);
  for (const path of ["/async", "/defer", "/module", "/head", "/manager", "/late", "/base"] as const) {
    await tab.goto(shop.site.origin + path);
    await expect(panelOn(tab).launcher, path).toBeVisible();
    await expect.poll(() => tab.evaluate("seen"), path).toEqual(["ready"]);
    await expect(tab.locator("parley-chat"), path).toHaveCount(1);
  }
  // The last page has a base elsewhere: the frame still comes from the script's origin.
  await panelOn(tab).open();
  expect(complaints).toEqual([]);
});

for (const [what, path] of [
  ["frozen prototypes", "/frozen"],
  ["an image named title", "/named"],
] as const)
  test(`PAGE3 on a page with ${what} the chat works, and a refused call rejects with its code`, async ({
    page: tab,
  }) => {
    const complaints = complaintsOf(tab);
    await tab.goto(shop.site.origin + path);
    const panel = panelOn(tab);
    await panel.open();
    const code = await tab.evaluate(() =>
      window.Parley.endConversation().then(String, (error: { code?: unknown }) => error.code),
    );
    expect(code).toBe("no_conversation");
    await panel.say("How do I pay?");
    await expect(panel.log.getByText("Sent").first()).toBeVisible();
    expect(complaints).toEqual([]);
  });

test("a host page in a frame gets its chat; a sandboxed one without an origin gets an error, and nothing is thrown", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  await tab.goto(`${shop.site.origin}/framed`);
  const framed = tab.frameLocator('iframe[title="Shop"]');
  await framed.getByRole("button", { name: "Open chat" }).click();
  await expect(
    framed.frameLocator('iframe[title="Chat"]').getByRole("textbox", { name: "Message" }),
  ).toBeVisible();
  await tab.goto(`${shop.site.origin}/sandboxed`);
  await framed.getByRole("button", { name: "Open chat" }).click();
  await expect(framed.getByText("couldn't load the chat")).toBeVisible();
  expect(errors).toEqual([]);
});

test("PAGE6 right to left, 400 % zoom and paper: mirrored, fully visible, and not printed", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/rtl`);
  const panel = panelOn(tab);
  expect((await panel.launcher.boundingBox())?.x).toBeLessThan(100);
  await panel.launcher.click();
  const frame = tab.locator('iframe[title="Chat"]');
  await expect(frame).toBeVisible();
  await expect.poll(async () => (await frame.boundingBox())?.x).toBe(20);
  // A window of 1280 by 1024 at 400 %.
  await tab.setViewportSize({ width: 320, height: 256 });
  await expect.poll(() => frame.boundingBox()).toEqual({ x: 0, y: 0, width: 320, height: 256 });
  await expect(panel.frame.getByRole("textbox")).toBeInViewport({ ratio: 1 });
  expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await tab.emulateMedia({ media: "print" });
  await expect(frame).toBeHidden();
  await tab.emulateMedia({ media: "screen" });
  await expect(frame).toBeVisible();
});

test("PAGE7 above the page's own bottom bar: launcher and panel are higher and the panel is fully visible; on a phone it fills the window", async ({
  page: tab,
}) => {
  await tab.setViewportSize({ width: 1000, height: 600 });
  await tab.goto(`${shop.site.origin}/bar`);
  const panel = panelOn(tab);
  expect(await panel.launcher.boundingBox()).toMatchObject({ y: 600 - 20 - 96 - 56 });
  await panel.open();
  const frame = tab.locator('iframe[title="Chat"]');
  await expect.poll(() => frame.boundingBox()).toMatchObject({ y: 20, height: 600 - 40 - 96 });
  await tab.setViewportSize({ width: 400, height: 600 });
  await expect.poll(() => frame.boundingBox()).toEqual({ x: 0, y: 0, width: 400, height: 600 });
});

test("PAGE4 a panel in an element of the page fills it, requests nothing until somebody uses it, and moves with the page", async ({
  page: tab,
}) => {
  const complaints = complaintsOf(tab);
  const calls: string[] = [];
  tab.on("request", (request) => calls.push(new URL(request.url()).pathname));
  await tab.goto(`${shop.site.origin}/box`);
  const panel = panelOn(tab);
  const frame = tab.locator('iframe[title="Chat"]');
  await expect(panel.composer).toBeVisible();
  expect(await frame.boundingBox()).toEqual(await tab.locator("#chat").boundingBox());
  await expect(panel.launcher).toBeHidden();
  await expect(panel.frame.getByRole("region", { name: "Chat" })).toBeVisible();
  await expect(panel.button("Close chat")).toHaveCount(0);
  await expect(tab.locator("body")).toBeFocused();
  expect(calls.filter((path) => path.startsWith("/api"))).toEqual([]);
  await panel.say("How do I pay?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await expect(panel.log.getByRole("link").first()).toBeVisible();

  // The next route has no box, the one after it has one again.
  await tab.evaluate(() => document.querySelector("#chat")?.remove());
  await expect(panel.launcher).toBeVisible();
  await expect(frame).toBeHidden();
  await tab.evaluate(() => {
    const main = document.createElement("main");
    main.append(Object.assign(document.createElement("div"), { id: "chat" }));
    document.body.append(main);
  });
  await expect(panel.composer).toBeVisible();
  await expect(panel.launcher).toBeHidden();
  // A box without its own height gets a usable one.
  expect((await frame.boundingBox())?.height).toBe(400);
  await panel.composer.focus();
  await expect(panel.log.getByText("How do I pay?")).toHaveCount(1);
  await tab.emulateMedia({ media: "print" });
  await expect(frame).toBeHidden();
  // Moving removes a frame that may be loading. Chromium reports its cancelled requests, without the reason that any
  // refused request has.
  expect(complaints.filter((line) => !/^console: Fetch API cannot load \S+\. $/.test(line))).toEqual([]);
});

test("PAGE5 the page's own launcher opens the panel, reports its state and is restored afterwards", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/own`);
  const help = tab.getByRole("button", { name: "Help" });
  await expect(help).toHaveAttribute("aria-expanded", "false");
  await expect(help).toHaveAttribute("aria-haspopup", "dialog");
  const panel = panelOn(tab);
  await expect(panel.launcher).toBeHidden();
  await help.press("Enter");
  await expect(panel.composer).toBeFocused();
  await expect(help).toHaveAttribute("aria-expanded", "true");
  await tab.keyboard.press("Escape");
  await expect(help).toBeFocused();
  await expect(help).toHaveAttribute("aria-expanded", "false");
  await tab.evaluate(() => window.Parley.update({ launcher: ".menu" }));
  await expect(tab.locator("#help")).toHaveJSProperty("outerHTML", '<button id="help">Help</button>');
  await tab.evaluate(() => window.Parley.destroy());
  await expect(tab.locator(".menu")).toHaveJSProperty(
    "outerHTML",
    '<button aria-haspopup="menu" class="menu">More</button>',
  );
});
