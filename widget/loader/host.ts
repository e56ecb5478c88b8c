import css from "./launcher.css?inline";
import { settings } from "./settings.ts";

export const host = document.createElement("parley-chat");
/** The page's styles don't apply inside it. */
export const root = host.attachShadow({ mode: "open" });

/**
 * Returns the element that the host belongs in: the setting `container` while the page has it, else `<html>`. Not the
 * body: a page may replace, hide or transform its body, and the open panel with its draft must survive that.
 */
export function findPlace(): Element {
  const { container = "" } = settings;
  const box = isSelector(container) ? document.querySelector(container) : null;
  host.className = settings["inline"] = box ? "inline" : "";
  return box ?? document.documentElement;
}

/** Whether `text` is a valid selector; the empty text is not. */
export function isSelector(text: string): boolean {
  return CSS.supports(`selector(${text})`);
}

/**
 * The frame's latest report: the unread count, its connection, rules for `:host` and the frame, and the launcher's
 * name.
 */
export const frameReport: { css: string; count: number; status: string; title?: string } = {
  css: "",
  count: 0,
  status: "idle",
};
const sheet = new CSSStyleSheet();
root.adoptedStyleSheets = [sheet];

/**
 * Applies the owner's settings through a constructed style sheet, because a page's strict CSP refuses style elements
 * and attributes. Only a number, a colour that the browser parsed and known words are written, so no setting can add a
 * rule; without a valid setting the default of launcher.css applies.
 */
export function applyStyles(): void {
  const { zIndex = "", color = "", colorScheme = "", position } = settings;
  const rules = [`color-scheme:${/light|dark/.exec(colorScheme)?.[0] ?? "light dark"}!important`];
  if (/^-?\d+$/.test(zIndex)) rules.push(`z-index:${zIndex}!important`);
  if (CSS.supports("color", color)) rules.push(`color:${color}!important`);
  // The launcher is at the inline end, which follows the page's direction unless the owner names a side.
  if (position === "left") rules.push("direction:rtl!important");
  if (position === "right") rules.push("direction:ltr!important");
  // Reading the viewport forces a layout, so not before there is a frame.
  if (frameReport.css && visualViewport) {
    const { scale, offsetTop, height } = visualViewport;
    // The part that an on-screen keyboard leaves visible, because many browsers lay it over the page. A zoomed-in
    // reader sees a smaller part too, but needs no smaller panel.
    if (scale < 1.1) rules.push(`--y:${offsetTop}px`, `--h:${height}px`);
  }
  sheet.replaceSync(`${css}${frameReport.css}:host{${rules.join(";")}}`);
}
