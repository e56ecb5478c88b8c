import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { build } from "vite";
import { errorsOf } from "./kit/complaints.ts";
import { startSite } from "./kit/pages.ts";
import { panelOn } from "./kit/panel.ts";
import { openShop, type Shop } from "./kit/shop.ts";

const ROOT = new URL("../", import.meta.url).pathname;
/** The hook as printed in the document. */
const HOOK =
  /```tsx\n(import \{ useEffect[\s\S]*?)```/.exec(readFileSync(`${ROOT}docs/react.md`, "utf8"))?.[1] ?? "";

const APP = `
import { StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { useParley } from "./hook.tsx";

function Help({ title }: { title: string }) {
  const parley = useParley(window.source, { launcher: "none", title });
  const [count, setCount] = useState(-1);
  useEffect(() => parley?.on("unread", (event) => setCount(event.count)), [parley]);
  return <button disabled={!parley} onClick={() => parley?.open()}>Ask us {count}</button>;
}
function App() {
  const [here, setHere] = useState(1);
  const [title, setTitle] = useState("First");
  return <>
    {here > 0 && <Help title={title} />}
    {here > 1 && <Help title={title} />}
    <button onClick={() => setHere(0)}>None</button>
    <button onClick={() => setHere(2)}>Two</button>
    <button onClick={() => setTitle("Second")}>Rename</button>
  </>;
}
createRoot(document.querySelector("main")).render(<StrictMode><App /></StrictMode>);
`;

const SERVER = `
import { renderToString } from "react-dom/server";
import { useParley } from "./hook.tsx";
function Help() {
  return <button disabled={!useParley("https://chat.example.com/widget.js")}>Ask us</button>;
}
export const html = renderToString(<Help />);
`;

let folder: string;
let shop: Shop;

/** The bundle of an application with the hook. React's development builds mount twice. */
async function bundle(name: string, isServer: boolean): Promise<string> {
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    mode: "development",
    define: { "process.env.NODE_ENV": '"development"' },
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
    resolve: { alias: { "react-dom": `${ROOT}node_modules/react-dom`, react: `${ROOT}node_modules/react` } },
    ...(isServer ? { ssr: { noExternal: true } } : {}),
    build: {
      write: false,
      minify: false,
      ...(isServer ? { ssr: true } : {}),
      rolldownOptions: { input: join(folder, name), output: { format: isServer ? "esm" : "iife" } },
    },
  });
  const [first] = Array.isArray(result) ? result : [result];
  const chunk = first && "output" in first ? first.output[0] : undefined;
  if (chunk?.type !== "chunk") throw new Error("no bundle");
  return chunk.code;
}

test.beforeAll(async () => {
  folder = mkdtempSync(join(ROOT, "test-results-react-"));
  writeFileSync(join(folder, "hook.tsx"), HOOK);
  writeFileSync(join(folder, "app.tsx"), APP);
  writeFileSync(join(folder, "server.tsx"), SERVER);
  const code = (await bundle("app.tsx", false)).replaceAll("</script", "<\\/script");
  const site = await startSite({
    "/": {
      html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Lamps</title><main></main><script>source="{{widget}}"</script><script>${code}</script></html>`,
    },
  });
  shop = await openShop(site);
});
test.afterAll(async () => {
  await shop.dispose();
  rmSync(folder, { recursive: true, force: true });
});

test("PAGE2 the document's hook: mounted twice by StrictMode, used by two components, updated, and removed without a trace", async ({
  page: tab,
}) => {
  expect(HOOK.trim().split("\n").length).toBeLessThanOrEqual(40);
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

test("rendered on a server the hook does nothing and throws nothing", async () => {
  const file = join(folder, "server.mjs");
  writeFileSync(file, await bundle("server.tsx", true));
  const { html } = (await import(file)) as { html: string };
  expect(html).toBe('<button disabled="">Ask us</button>');
});
