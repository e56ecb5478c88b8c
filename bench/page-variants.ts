import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import type { SitePage } from "../e2e/kit/pages.ts";

/** The chat on the host page: none, or one of three. */
export const VARIANTS = ["nothing", "button", "prototype", "parley"] as const;
export type Variant = (typeof VARIANTS)[number];

/** The name of each variant's script, which is loaded before the visitor shows intent. */
export const SCRIPTS: Readonly<Record<Variant, string>> = {
  nothing: "",
  button: "/button.js",
  prototype: "/prototype.js",
  parley: "/widget.js",
};

const LAUNCHER_CSS =
  "position:fixed;inset:auto 20px 20px auto;width:56px;height:56px;border:0;border-radius:50%;background:#0b5d5f;" +
  "color:#fff;font:600 24px system-ui;cursor:pointer;z-index:9;box-shadow:0 4px 24px #0004";
const FRAME_CSS =
  "position:fixed;inset:auto 20px 20px auto;width:400px;height:680px;border:1px solid #8883;border-radius:18px;z-index:9";

/** The smallest possible chat: a button, which opens a frame of another site with a text box in it. */
const button = (frame: string) => `(() => {
  const button = document.createElement("button");
  button.id = "launcher";
  button.style.cssText = "${LAUNCHER_CSS}";
  button.textContent = "?";
  button.setAttribute("aria-label", "Open chat");
  button.onclick = () => {
    const frame = document.createElement("iframe");
    frame.title = "Chat";
    frame.src = new URL("${frame}", document.currentScript?.src ?? "{{frames}}");
    frame.style.cssText = "${FRAME_CSS}";
    frame.onload = () => frame.focus();
    document.body.append(frame);
    button.hidden = true;
  };
  document.body.append(button);
})();`;

const EMPTY_PANEL = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title>
<textarea aria-label="Message"></textarea>
<script>addEventListener("focus", () => document.querySelector("textarea").focus())</script></html>`;

/** A chat's first view drawn by Preact and nothing else: the cost of the approach itself. */
const PROTOTYPE_PANEL = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title>
<style>body{margin:0;font:16px/1.5 system-ui;display:grid;grid-template-rows:auto 1fr auto;height:100vh}
header{padding:20px;background:#0b5d5f;color:#fff}textarea{margin:16px;font:inherit}</style>
<script type="module">
import { h, render } from "/preact.mjs";
render(h("main", {}, h("header", {}, h("h1", {}, "Support"), h("p", {}, "Hello, how can we help?")),
  h("div", { role: "log" }), h("textarea", { "aria-label": "Message" })), document.body);
const focus = () => document.querySelector("textarea").focus();
if (document.hasFocus()) focus();
addEventListener("focus", focus);
</script></html>`;

const WORDS = "A lamp is chosen by its light, and then by everything else. ".repeat(12);

const hostPage = (tag: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Lamps</title>
<style>body{font:16px/1.5 system-ui;max-width:60ch;margin:2rem auto}</style>
<h1>Lamps</h1>${`<h2>A lamp</h2><p>${WORDS}</p>`.repeat(6)}${tag}</html>`;

const asScript = (body: string): SitePage => ({
  html: body,
  headers: { "content-type": "text/javascript; charset=utf-8" },
});

/** The pages of the site: one for each variant, and what the controls load. */
export function pagesOfSite(): Readonly<Record<string, SitePage>> {
  const tag = (address: string) => hostPage(`<script async src="${address}"></script>`);
  const preact = new URL("../node_modules/preact/dist/preact.mjs", import.meta.url);
  return {
    "/nothing": { html: hostPage("") },
    "/button": { html: tag("{{frames}}/button.js") },
    "/prototype": { html: tag("{{frames}}/prototype.js") },
    "/parley": { html: tag("{{widget}}") },
    "/button.js": asScript(button("/button-frame")),
    "/prototype.js": asScript(button("/prototype-frame")),
    "/button-frame": { html: EMPTY_PANEL },
    "/prototype-frame": { html: PROTOTYPE_PANEL },
    "/preact.mjs": asScript(readFileSync(preact, "utf8")),
  };
}

/** The compressed size of `text`, compressed as the build does. */
export function brotliBytes(text: string): number {
  return brotliCompressSync(text).length;
}
