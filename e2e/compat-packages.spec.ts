import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page, test } from "@playwright/test";
import { bundleApp } from "./kit/bundle.ts";
import { complaintsOf } from "./kit/complaints.ts";
import { lampPage, startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

/**
 * npm packages that sites use for other chats, as published, with their address changed as docs/switching.md says. Every
 * call that reaches the compat file either works or is refused in the console. `record` notes the calls. Needs npm's
 * registry.
 */

const ROOT = new URL("../", import.meta.url).pathname;
const INSTALL_MS = 600_000;

const RECORD = `
window.heard = [];
window.reached = [];
window.say = (name) => (...given) => heard.push([name, ...given]);
/** Notes the first arguments of each call of a global function. */
export function record(name, words) {
  const inner = window[name];
  window[name] = Object.assign((...given) => {
    reached.push(given.slice(0, words).join(" "));
    return inner(...given);
  }, inner);
}
`;

const ENTRIES = {
  intercom: `
import * as sdk from "@intercom/messenger-js-sdk";
import { record } from "./record.js";
window.sdk = sdk;
window.record = () => record("Intercom", 1);
sdk.Intercom({ app_id: "abc12345", name: "Ada", email: "ada@example.com", alignment: "left", widgetUrl: "{{origin}}/compat/intercom.js" });
`,
  "react-use-intercom": `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { IntercomProvider, useIntercom } from "react-use-intercom";
import { record } from "./record.js";
window.record = () => record("Intercom", 1);
function Page() {
  window.sdk = useIntercom();
  return createElement("p", null, window.sdk.isOpen ? "The chat is open" : "The chat is closed");
}
createRoot(document.querySelector("main")).render(
  createElement(IntercomProvider, {
    appId: "abc12345", autoBoot: true, autoBootProps: { name: "Ada", customAttributes: { plan: "pro" } },
    onShow: say("show"), onHide: say("hide"), onUnreadCountChange: say("unread"),
  }, createElement(Page)),
);
`,
  crisp: `
import { Crisp } from "crisp-sdk-web";
import "./record.js";
window.sdk = Crisp;
Crisp.configure("e606", { clientUrl: "{{origin}}/compat/crisp.js", locale: "de" });
Crisp.user.setEmail("ada@example.com");
Crisp.session.setData({ plan: "pro" });
Crisp.chat.onChatOpened(say("opened"));
`,
  "react-zendesk": `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import ZendeskModule, { ZendeskAPI } from "react-zendesk";
import { record } from "./record.js";
const Zendesk = ZendeskModule.default ?? ZendeskModule;
window.record = () => record("zE", 2);
window.sdk = ZendeskAPI;
createRoot(document.querySelector("main")).render(createElement(Zendesk, { zendeskKey: "k", onLoaded: say("loaded") }));
`,
  "react-use-zendesk": `
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { useZendesk, ZendeskProvider } from "react-use-zendesk";
import { record } from "./record.js";
window.record = () => record("zE", 2);
function Page() {
  window.sdk = useZendesk();
  return createElement("p", null, window.sdk.isOpen ? "The chat is open" : "The chat is closed");
}
const root = createRoot(document.querySelector("main"));
window.mount = () => root.render(
  createElement(ZendeskProvider, { apiKey: "k", onOpen: say("open"), onClose: say("close"), onResetWidget: say("reset") }, createElement(Page)),
);
window.unmount = () => root.render(null);
mount();
`,
  chatwoot: `
import { createChatWoot, useChatWoot } from "@productdevbook/chatwoot/vue";
import { createApp, h } from "vue";
import "./record.js";
const App = {
  setup() {
    window.sdk = useChatWoot();
    return () => h("p", null, window.sdk.isModalVisible.value ? "The chat is open" : "The chat is closed");
  },
};
createApp(App).use(createChatWoot({ init: { websiteToken: "t", baseUrl: "{{origin}}" }, settings: { position: "left", locale: "de" } })).mount("main");
`,
} as const;
type Entry = keyof typeof ENTRIES;

/** The addresses that the packages contain, and ours: the replacement of docs/switching.md. */
const ADDRESSES = [
  ["https://widget.intercom.io/widget/", "{{origin}}/compat/intercom.js?"],
  ["https://static.zdassets.com/ekr/snippet.js", "{{origin}}/compat/zendesk.js"],
  ["/packs/js/sdk.js", "/compat/chatwoot.js"],
] as const;
const moved = {
  name: "chat-address",
  transform: (code: string) =>
    ADDRESSES.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), code),
};

const folder = mkdtempSync(join(tmpdir(), "parley-vendors-"));
let shop: Shop;
test.beforeAll(async () => {
  test.setTimeout(INSTALL_MS);
  cpSync(`${ROOT}e2e/vendors`, folder, { recursive: true });
  const flags = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", flags, { cwd: folder, env: { ...process.env, ["NODE_ENV"]: "" } });
  writeFileSync(join(folder, "record.js"), RECORD);
  const pages: [string, { html: string }][] = [];
  for (const [name, code] of Object.entries(ENTRIES)) {
    writeFileSync(join(folder, `${name}.js`), code);
    const script = await bundleApp({ root: folder, file: join(folder, `${name}.js`), plugins: [moved] });
    pages.push([`/${name}`, { html: lampPage(`<main></main><script>${script}</script>`) }]);
  }
  shop = await openShop(await startSite(Object.fromEntries(pages)));
});
test.afterAll(async () => {
  await shop?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function visit(tab: Page, name: Entry) {
  const complaints = complaintsOf(tab);
  await tab.goto(`${shop.site.origin}/${name}`);
  const panel = panelOn(tab);
  await expect(tab.locator("parley-chat")).toBeAttached();
  return { panel, complaints };
}
const heardOf = (tab: Page, name: string) =>
  tab.evaluate(
    (wanted) =>
      (Reflect.get(window, "heard") as unknown as unknown[][]).filter(([each]) => each === wanted).length,
    name,
  );
/** The names of calls that the console reports as having no counterpart. */
const refusedIn = (complaints: readonly string[]) =>
  complaints.flatMap((text) => /^console: Parley: (.*?) has no/.exec(text)?.[1] ?? []).sort();
const reachedIn = async (tab: Page) => [...new Set((await tab.evaluate("reached")) as string[])];
/** Calls every function of the package's API once, in its order. */
const callAll = (tab: Page) =>
  tab.evaluate(() => {
    const visit = (api: Record<string, unknown>) => {
      for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(api) ?? {}).concat(
        Object.keys(api),
      )) {
        const call = api[name];
        if (
          typeof call !== "function" ||
          /^(constructor|Intercom|default|configure|load|is[A-Z].*|__.*|hasOwn.*|propertyIs.*|to[A-Z].*|valueOf)$/.test(
            name,
          )
        )
          continue;
        const isListener = /^on[A-Z]/.test(name);
        const isRecord =
          /^(boot|update|setData|setConversationFields|setCookies|setCustomize|setCustomAttributes|setConversationCustomAttributes|setAuthTokens)$/.test(
            name,
          );
        call.call(
          api,
          isListener ? () => undefined : isRecord ? {} : "x",
          name === "setUser" ? {} : isListener ? () => undefined : undefined,
        );
      }
    };
    const sdk = Reflect.get(window, "sdk") as Record<string, unknown>;
    visit(sdk);
    for (const part of ["chat", "session", "user", "message", "trigger", "scenario", "hugo"])
      if (Object(sdk[part]) === sdk[part]) visit(sdk[part] as Record<string, unknown>);
  });

test("COMPAT2 @intercom/messenger-js-sdk: its calls work, and all others are refused aloud", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "intercom");
  const session = tab.waitForRequest(
    (each) => each.url().endsWith("/api/session") && each.method() === "POST",
  );
  await tab.evaluate(
    "sdk.onShow(say('show'));sdk.onHide(say('hide'));sdk.showNewMessage('Where is my lamp?')",
  );
  await expect(panel.composer).toHaveValue("Where is my lamp?");
  expect((await session).postDataJSON()).toMatchObject({ traits: { name: "Ada", email: "ada@example.com" } });
  await panel.composer.press("Enter");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  await tab.evaluate("sdk.hide()");
  await expect.poll(() => heardOf(tab, "hide")).toBe(1);
  expect(await heardOf(tab, "show")).toBe(1);
  await tab.evaluate("record()");
  await callAll(tab);
  const refused = refusedIn(complaints).map((text) => /^Intercom\('(.*)'\)$/.exec(text)?.[1] ?? text);
  const works = (await reachedIn(tab)).filter((name) => !refused.includes(name)).sort();
  expect(works).toEqual(
    "boot hide onHide onShow onUnreadCountChange show showMessages showNewMessage showSpace shutdown update".split(
      " ",
    ),
  );
  expect(refused).toEqual(
    expect.arrayContaining(["trackEvent", "getVisitorId", "whoami", "startConversation"]),
  );
});

test("COMPAT2 react-use-intercom: its hook works, and all others are refused aloud", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "react-use-intercom");
  await expect(tab.getByText("The chat is closed")).toBeVisible();
  await tab.evaluate("sdk.show()");
  await expect(panel.composer).toBeVisible();
  await expect(tab.getByText("The chat is open")).toBeVisible();
  await tab.evaluate("sdk.hide()");
  await expect(tab.getByText("The chat is closed")).toBeVisible();
  await tab.evaluate("sdk.shutdown()");
  await expect(panel.launcher).toBeHidden();
  await tab.evaluate("sdk.boot({name:'Bo'})");
  await expect(panel.launcher).toBeVisible();
  await tab.evaluate("delete sdk.hardShutdown;delete sdk.shutdown;record()");
  await callAll(tab);
  const refused = refusedIn(complaints).map((text) => /^Intercom\('(.*)'\)$/.exec(text)?.[1] ?? text);
  const works = (await reachedIn(tab)).filter((name) => !refused.includes(name)).sort();
  expect(works).toEqual("hide show showMessages showNewMessage showSpace update".split(" "));
});

test("COMPAT2 crisp-sdk-web: its calls work, and all others are refused aloud", async ({ page: tab }) => {
  const { panel, complaints } = await visit(tab, "crisp");
  const session = tab.waitForRequest(
    (each) => each.url().endsWith("/api/session") && each.method() === "POST",
  );
  await tab.evaluate("sdk.chat.open()");
  await expect(panel.frame.getByRole("textbox", { name: "Nachricht" })).toBeVisible();
  expect((await session).postDataJSON()).toMatchObject({ traits: { email: "ada@example.com", plan: "pro" } });
  await expect.poll(() => heardOf(tab, "opened")).toBe(1);
  expect(
    await tab.evaluate(
      "[sdk.chat.isChatOpened(),sdk.chat.isVisible(),sdk.user.getEmail(),sdk.chat.unreadCount()]",
    ),
  ).toEqual([true, true, "ada@example.com", 0]);
  await tab.evaluate(`
    const { push, get, is } = $crisp;
    $crisp.push = (...calls) => { for (const [verb, name] of calls) reached.push(verb + " " + name); push(...calls); };
    $crisp.get = (name) => { reached.push("get " + name); return get(name); };
    $crisp.is = (name) => { reached.push("is " + name); return is(name); };
  `);
  await callAll(tab);
  await tab.evaluate("sdk.user.setCompany('Acme', { url: 'https://acme.example' })");
  const refused = refusedIn(complaints).map((text) => text.replace(/^\$crisp[. ]/, ""));
  expect(refused).toContain("user:company's details");
  // Removing a handler that was refused does nothing either.
  const works = (await reachedIn(tab))
    .filter((name) => !refused.includes(name) && !name.startsWith("off "))
    .sort();
  expect(works).toEqual([
    "config container:index",
    "config position:reverse",
    "do chat:close",
    "do chat:hide",
    "do chat:open",
    "do chat:show",
    "do message:send",
    "do session:reset",
    "get chat:unread:count",
    "get user:email",
    "get user:nickname",
    "get user:phone",
    "on chat:closed",
    "on chat:initiated",
    "on chat:opened",
    "on message:received",
    "on message:sent",
    "on session:loaded",
    "safe x",
    "set message:text",
    "set session:data",
    "set session:segments",
    "set user:company",
    "set user:email",
    "set user:nickname",
    "set user:phone",
  ]);
});

test("COMPAT2 react-zendesk and react-use-zendesk: their calls work, and all others are refused aloud", async ({
  page: tab,
}) => {
  const one = await visit(tab, "react-zendesk");
  await expect.poll(() => heardOf(tab, "loaded")).toBe(1);
  await tab.evaluate("sdk('messenger', 'open')");
  await expect(one.panel.composer).toBeVisible();
  const { panel, complaints } = await visit(tab, "react-use-zendesk");
  await expect.poll(() => tab.evaluate("typeof zE")).toBe("function");
  await tab.evaluate("sdk.open()");
  await expect(tab.getByText("The chat is open")).toBeVisible();
  await tab.evaluate("sdk.close()");
  await expect(tab.getByText("The chat is closed")).toBeVisible();
  await expect(panel.launcher).toBeVisible();

  // Mounted again it loads the file again, and the page's handler is still called once.
  const opened = await heardOf(tab, "open");
  await tab.evaluate("zE.isFirst=true;unmount()");
  await expect(tab.getByText("The chat is closed")).toHaveCount(0);
  await tab.evaluate("mount()");
  await expect.poll(() => tab.evaluate("typeof zE==='function'&&!zE.isFirst")).toBe(true);
  await tab.evaluate("sdk.open()");
  await expect(tab.getByText("The chat is open")).toBeVisible();
  expect(await heardOf(tab, "open")).toBe(opened + 1);
  await tab.evaluate("sdk.close()");
  await expect(panel.launcher).toBeVisible();

  await tab.evaluate("record()");
  await callAll(tab);
  const refused = refusedIn(complaints).flatMap(
    (text) => /^zE\('(.*)', '(.*)'\)$/.exec(text)?.slice(1).join(" ") ?? [],
  );
  const works = (await reachedIn(tab)).filter((name) => !refused.includes(name)).sort();
  expect(works).toEqual([
    "messenger close",
    "messenger hide",
    "messenger loginUser",
    "messenger logoutUser",
    "messenger open",
    "messenger resetWidget",
    "messenger show",
    "messenger:set locale",
    "messenger:set zIndex",
  ]);
  // The package resets when it is unmounted.
  await expect.poll(() => heardOf(tab, "reset")).toBe(2);
});

test("COMPAT2 @productdevbook/chatwoot: its calls work, and all others are refused aloud", async ({
  page: tab,
}) => {
  const { panel, complaints } = await visit(tab, "chatwoot");
  await tab.evaluate("sdk.setUser('u-1', { name: 'Ada' });sdk.toggle('open')");
  await expect(panel.frame.getByRole("textbox", { name: "Nachricht" })).toBeVisible();
  await expect(tab.getByText("The chat is open")).toBeVisible();
  await tab.evaluate("sdk.toggle('close')");
  await expect(tab.getByText("The chat is closed")).toBeVisible();
  await callAll(tab);
  expect(refusedIn(complaints)).toEqual([
    "$chatwoot.popoutChatWindow",
    "$chatwoot.setLabel",
    "$chatwoot.setUser as a proof",
    "chatwootSettings.launcherTitle",
    "chatwootSettings.type",
  ]);
  expect(complaints.filter((text) => text.startsWith("error"))).toEqual([]);
});
