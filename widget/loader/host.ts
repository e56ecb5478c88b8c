import css from "./launcher.css?inline";
import { settings } from "./settings.ts";

/** A page that takes the host away again and again is left alone after so many times. */
const MAX_ATTACHMENTS = 200;

export const host = document.createElement("parley-chat");
/** What stands in here is out of the reach of the page's styles. */
export const root = host.attachShadow({ mode: "open" });
export const observer = new MutationObserver(attach);
let attachments = 0;

/**
 * Beside the body, not in it: a page that replaces or hides its body keeps the chat, an open panel and its draft, and a
 * transform on the body does not carry it off.
 */
export function attach(): void {
  const { documentElement, body } = document;
  observer.observe(documentElement, { childList: true });
  if (body && !host.isConnected && attachments++ < MAX_ATTACHMENTS) documentElement.append(host);
}

/**
 * By a constructed sheet, for a strict CSP of the page refuses style elements and attributes. Only a number, a colour
 * and known words go in; the browser drops what is none, and the default of launcher.css stays.
 */
export function applyStyles(): void {
  const { zIndex, position, colorScheme = "", color = "" } = settings;
  const sheet = new CSSStyleSheet();
  // The side is the inline end, which follows the page's direction unless the owner names a side.
  sheet.replaceSync(
    css +
      `:host{z-index:${Number(zIndex)}!important;color:${CSS.supports("color", color) && color}!important;` +
      `color-scheme:${/light|dark/.exec(colorScheme)?.[0] ?? "light dark"}!important;` +
      `direction:${position && (position === "left" ? "rtl" : "ltr")}!important}`,
  );
  root.adoptedStyleSheets = [sheet];
}
