import { createElement } from "./element.ts";
import { root } from "./host.ts";
import { settings } from "./settings.ts";

export const button = document.createElement("button");
/** Here empty from the start: a live region that comes with its text is not read out. */
export const note = createElement("div", { role: "status" });
export let following = new AbortController();

/**
 * Puts the launcher up, or has the page's own elements open the chat: those of the setting `launcher`, found when they
 * are used, so that a page may draw them later or again. Pointer, finger or focus on it is intent; a click opens.
 * Returns whether the page's own are in force: a selector that matches nothing ("none") means no launcher, one that
 * can't be read means ours, for customers must have a way in.
 */
export function followLauncher(onIntent: () => void, onPress: () => void): boolean {
  const { launcher = "" } = settings;
  const isOwn = CSS.supports(`selector(${launcher})`);
  following.abort();
  following = new AbortController();
  root.append(button, note);
  note.onclick = onPress;
  for (const type of ["pointerover", "focusin", "click"]) {
    (isOwn ? document : button).addEventListener(
      type,
      (event) => {
        if (isOwn && !(event.target as Element).closest?.(launcher)) return;
        if (type !== "click") return onIntent();
        event.preventDefault();
        onPress();
      },
      // Its `signal` is the option meant.
      following,
    );
  }
  return isOwn;
}

/** `isExpanded` without being hidden means: pressed, and the panel is still on its way. */
export function paintLauncher(isHidden: boolean, isExpanded: boolean, unread: number): void {
  const attributes = {
    "aria-haspopup": "dialog",
    "aria-expanded": isExpanded,
    "aria-label": `Open chat${unread ? `, ${unread} unread` : ""}`,
    "data-unread": unread > 99 ? "99+" : unread || "",
  };
  for (const [name, value] of Object.entries(attributes)) button.setAttribute(name, `${value}`);
  button.hidden = isHidden;
}

/** Says that the chat could not be reached, and what the owner offers. Launcher and note are both the way to try again. */
export function showUnreachable(): void {
  const { fallback: href = "" } = settings;
  note.textContent = "Chat could not be reached. Try again.";
  if (/^(http|mail|tel)/.test(href)) {
    note.append(createElement("a", { href, textContent: href.replace(/\w+:\/*/, "") }));
  }
}
