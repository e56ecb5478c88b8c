import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { bundleApp } from "./kit/bundle.ts";
import { errorsOf } from "./kit/complaints.ts";
import { startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const APP = `
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { Parley, useParley } from "@parley/react";

function Help({ settings }) {
  const parley = useParley();
  const [count, setCount] = useState(-1);
  useEffect(() => parley?.on("unread", (event) => setCount(event.count)), [parley]);
  return <>
    <Parley src={window.source} launcher="none" {...settings} />
    <button disabled={!parley} onClick={() => parley?.open()}>Ask us {count}</button>
  </>;
}
function App() {
  const [here, setHere] = useState(1);
  const [settings, setSettings] = useState({ title: "First" });
  const [visitor, setVisitor] = useState(1);
  return <>
    {here > 0 && <Help key={visitor} settings={settings} />}
    {here > 1 && <Help settings={{ title: "Route" }} />}
    <button onClick={() => setHere(1)}>Leave</button>
    <button onClick={() => setHere(0)}>None</button>
    <button onClick={() => { void window.Parley.logout(); setHere(0); }}>Sign out</button>
    <button onClick={() => setHere(2)}>Two</button>
    <button onClick={() => setSettings({ title: "Second" })}>Rename</button>
    <button onClick={() => setVisitor(2)}>Next visitor</button>
    <button onClick={() => setSettings({})}>Default</button>
    <button onClick={() => setSettings({ title: "Third", texts: window, onOpen: () => 1 })}>Wrong</button>
  </>;
}
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode><App /></StrictMode>);
`;

const SERVER = `
import { renderToString } from "react-dom/server";
import { Parley, useParley } from "@parley/react";
function Help() {
  return <><Parley origin="https://chat.example.com" /><button disabled={!useParley()}>Ask us</button></>;
}
export const html = renderToString(<Help />);
`;

let folder: string;
let shop: Shop;
let code: string;

const bundle = (name: string, isServer: boolean) =>
  bundleApp({
    root: folder,
    file: join(folder, name),
    isServer,
    alias: {
      "@parley/react": `${ROOT}packages/react/parley.ts`,
      "react-dom": `${ROOT}node_modules/react-dom`,
      react: `${ROOT}node_modules/react`,
    },
  });

test.beforeAll(async () => {
  folder = mkdtempSync(join(ROOT, "test-results-react-"));
  writeFileSync(join(folder, "app.tsx"), APP);
  writeFileSync(join(folder, "server.tsx"), SERVER);
  code = await bundle("app.tsx", false);
  const site = await startSite({
    "/": {
      html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Lamps</title><body><script>source="{{widget}}"</script><script>${code}</script></html>`,
    },
    "/without": {
      html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Lamps</title><body><script>source=undefined</script><script>${code}</script></html>`,
    },
  });
  shop = await openShop(site);
});
test.afterAll(async () => {
  await shop.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test("PAGE2 @parley/react: mounted twice by StrictMode, used by two components, updated, and removed without a trace", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  await tab.goto(`${shop.site.origin}/`);
  const panel = panelOn(tab);
  const ask = tab.getByRole("button", { name: /^Ask us/ });
  await expect(ask).toBeEnabled();
  await ask.click();
  await expect(panel.frame.getByRole("heading", { name: "First" })).toBeVisible();
  await expect(ask).toHaveText("Ask us 0");
  await tab.getByRole("button", { name: "Rename" }).click();
  await expect(panel.frame.getByRole("heading", { name: "Second" })).toBeVisible();
  await tab.getByRole("button", { name: "Default" }).click();
  await expect(panel.frame.getByRole("heading", { name: "Second" })).toHaveCount(0);
  await tab.getByRole("button", { name: "Two" }).click();
  await expect(ask).toHaveCount(2);
  await expect(tab.locator("parley-chat")).toHaveCount(1);
  await tab.getByRole("button", { name: "None" }).click();
  await expect(tab.locator("parley-chat, iframe, head script")).toHaveCount(0);
  expect(await tab.evaluate("typeof Parley")).toBe("undefined");
  await tab.getByRole("button", { name: "Two" }).click();
  await expect(ask.first()).toBeEnabled();
  await expect(tab.locator("parley-chat")).toHaveCount(1);
  expect(errors).toEqual([]);
});

test("PKG1 @parley/react: a property that is no JSON costs neither the application nor the other settings", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  await tab.goto(`${shop.site.origin}/`);
  await tab.getByRole("button", { name: /^Ask us/ }).click();
  await tab.getByRole("button", { name: "Wrong" }).click();
  const { frame } = panelOn(tab);
  await expect(frame.getByRole("heading", { name: "Third" })).toBeVisible();
  await tab.getByRole("button", { name: "Rename" }).click();
  await expect(frame.getByRole("heading", { name: "Second" })).toBeVisible();
  expect(errors).toEqual([]);
});

test("PKG1 @parley/react: without an address the application works without the chat", async ({
  page: tab,
}) => {
  const errors = errorsOf(tab);
  const warned = tab.waitForEvent("console", (message) => message.text().startsWith("Parley did not load"));
  await tab.goto(`${shop.site.origin}/without`);
  await warned;
  await tab.getByRole("button", { name: "Two" }).click();
  await expect(tab.getByRole("button", { name: /^Ask us/ })).toHaveCount(2);
  expect(errors).toEqual([]);
});

test("PKG2 of two <Parley> the last one's settings apply, and the other's again once it is gone, also across bundles", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/`);
  await tab.getByRole("button", { name: /^Ask us/ }).click();
  const { frame } = panelOn(tab);
  await expect(frame.getByRole("heading", { name: "First" })).toBeVisible();
  await tab.getByRole("button", { name: "Two" }).click();
  await expect(frame.getByRole("heading", { name: "Route" })).toBeVisible();
  await tab.getByRole("button", { name: "Leave" }).click();
  await expect(frame.getByRole("heading", { name: "First" })).toBeVisible();
  await expect(tab.locator("parley-chat")).toHaveCount(1);

  // Another bundle of the page, with copies of the packages, shows and removes its own.
  await tab.addScriptTag({ content: code });
  await tab.getByRole("button", { name: "Two" }).last().click();
  await expect(frame.getByRole("heading", { name: "Route" })).toBeVisible();
  await tab.getByRole("button", { name: "None" }).last().click();
  await expect(frame.getByRole("heading", { name: "First" })).toBeVisible();
  await tab.getByRole("button", { name: "Rename" }).first().click();
  await expect(frame.getByRole("heading", { name: "Second" })).toBeVisible();
  await tab.getByRole("button", { name: "None" }).first().click();
  await expect(tab.locator("parley-chat, iframe, head script[src]")).toHaveCount(0);
});

test("PKG2 after a logout a <Parley> with another key sends its settings again", async ({ page: tab }) => {
  await tab.goto(`${shop.site.origin}/`);
  const ask = tab.getByRole("button", { name: /^Ask us/ });
  await ask.click();
  await tab.getByRole("button", { name: "Rename" }).click();
  const { frame } = panelOn(tab);
  await expect(frame.getByRole("heading", { name: "Second" })).toBeVisible();
  await tab.evaluate("Parley.logout()");
  await ask.click();
  await expect(frame.getByRole("heading", { name: "First" })).toBeVisible();
  await tab.getByRole("button", { name: "Next visitor" }).click();
  await expect(frame.getByRole("heading", { name: "Second" })).toBeVisible();
});

test("IDENT7 a logout reaches the server although <Parley> is unmounted at once, before its frame has loaded", async ({
  page: tab,
}) => {
  await tab.goto(`${shop.site.origin}/`);
  const ask = tab.getByRole("button", { name: /^Ask us/ });
  await ask.click();
  const panel = panelOn(tab);
  await panel.say("How long does delivery take?");
  await expect(panel.log.getByText("Sent").first()).toBeVisible();
  // The next page does not follow the conversation before any intent, so there is no frame yet.
  await tab.evaluate("localStorage.clear()");
  await tab.reload();
  await expect(ask).toBeEnabled();
  await expect(tab.locator("parley-chat iframe")).toHaveCount(0);
  const ended = tab.waitForResponse(
    (answer) => answer.request().method() === "DELETE" && answer.url().endsWith("/api/session"),
  );
  await tab.getByRole("button", { name: "Sign out" }).click();
  expect((await ended).ok()).toBe(true);
  await expect(tab.locator("parley-chat, iframe, head script")).toHaveCount(0);
  await tab.getByRole("button", { name: "Two" }).click();
  await expect(ask.first()).toBeEnabled();
});

test("rendered on a server the package does nothing and throws nothing", async () => {
  const file = join(folder, "server.mjs");
  writeFileSync(file, await bundle("server.tsx", true));
  const { html } = (await import(file)) as { html: string };
  expect(html).toBe('<button disabled="">Ask us</button>');
});
