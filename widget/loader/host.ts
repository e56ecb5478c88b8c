import css from "./launcher.css?inline";
import { settings } from "./settings.ts";

export const host = document.createElement("parley-chat");
/** What stands in here is out of the reach of the page's styles. */
export const root = host.attachShadow({ mode: "open" });

/**
 * Where the host belongs: in the setting `container`, while the page has it. Else beside the body, not in it: a page that
 * replaces or hides its body keeps the chat, an open panel and its draft, and a transform on the body does not carry it
 * off.
 */
export function findPlace(): Element {
  const { container } = settings as { container: string };
  const box = isSelector(container) && document.querySelector(container);
  settings["inline"] = host.className = box ? "inline" : "";
  return box || document.documentElement;
}

/** Not for what can't be read, nor for nothing. */
export function isSelector(text: string): boolean {
  return CSS.supports(`selector(${text})`);
}

/**
 * What the frame told last: `count` of unread messages, `status` of its line, `css` for how it stands on the page, and
 * `title`, the launcher's name.
 */
export const told: { css: string; count: number; status: string; title?: string } = {
  css: "",
  count: 0,
  status: "idle",
};
const sheet = new CSSStyleSheet();
root.adoptedStyleSheets = [sheet];

/**
 * By a constructed sheet, for a strict CSP of the page refuses style elements and attributes. Only a number, a colour
 * and known words go in; the browser drops what is none, and the default of launcher.css stays. How the frame stands on
 * the page is needed when there is one, so it brings that along. With it goes what a keyboard on the screen leaves of the
 * window, for many browsers lay it over the page and make nothing smaller; who zooms in sees less too, and wants no
 * smaller panel.
 */
export function applyStyles(): void {
  // Reading it lays the page out: not before there is a frame that wants it.
  const { scale, offsetTop, height } = (told.css && visualViewport) as VisualViewport;
  // The side is the inline end, which follows the page's direction unless the owner names a side.
  sheet.replaceSync(
    css +
      told.css +
      `:host{z-index:${+(settings["zIndex"] as string)}!important;` +
      `color:${CSS.supports("color", settings["color"] as string) && settings["color"]}!important;` +
      `color-scheme:${/light|dark/.exec(settings["colorScheme"] as string)?.[0] ?? "light dark"}!important;` +
      `direction:${{ right: "ltr", left: "rtl" }[settings["position"] as "left"]}!important;${scale < 1.1 && `--y:${offsetTop}px;--h:${height}px`}}`,
  );
}
