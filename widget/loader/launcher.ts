import { createElement } from "./element.ts";
import { applyStyles, isSelector } from "./host.ts";
import { settings } from "./settings.ts";
import { words } from "./words.ts";

export const button = document.createElement("button");
/** On the page from the start, because screen readers don't announce a live region that appears with its text. */
export const note = createElement("div", { role: "status", lang: words.lang });
/** The selector of the page's own elements that open the chat; empty when our launcher does. */
export let ownSelector = "";
let following = new AbortController();

/**
 * Makes the launcher open the chat, or the page's own elements that the setting `launcher` selects. Those are looked up
 * at each event, so a page may draw them later or again. A pointer, finger or focus on one is intent; a click opens. A
 * selector that matches nothing ("none") means no launcher. An invalid selector means ours, because customers must have
 * a way in.
 */
export function followLauncher(onIntent: () => unknown, onPress: () => void): void {
  const { launcher = "" } = settings;
  ownSelector = isSelector(launcher) ? launcher : "";
  unfollowLauncher();
  following = new AbortController();
  // Not on its link, which leads elsewhere.
  note.onclick = ({ target }) => target === note && onPress();
  for (const type of ["scroll", "resize"]) visualViewport?.addEventListener(type, applyStyles, following);

  // The path leads into open shadow roots, and ends with the document and the window, which have no `matches`.
  const isMeant = (event: Event) =>
    !ownSelector || event.composedPath().some((each) => (each as Partial<Element>).matches?.(ownSelector));
  const target = ownSelector ? document : button;
  for (const type of ["focusin", "pointerover"]) {
    target.addEventListener(type, (event) => isMeant(event) && onIntent(), following);
  }
  const onClick = (event: Event) => {
    if (!isMeant(event)) return;
    onIntent();
    event.preventDefault();
    // The second half of a double click must not undo the first.
    if ((event as UIEvent).detail < 2) onPress();
  };
  target.addEventListener("click", onClick, following);
}

/** Stops following, and restores the page's own elements. */
export function unfollowLauncher(): void {
  following.abort();
  for (const element of document.querySelectorAll("[data-parley]")) {
    for (const name of ["aria-haspopup", "aria-expanded", "data-parley"]) element.removeAttribute(name);
  }
}

/**
 * Shows the launcher's state, here and on the page's own elements. Expanded but not hidden means that it was pressed and
 * the panel is still loading. `title` is the launcher's name from the frame, in its language and with the unread count;
 * without one the owner's `label` applies, else the loader's own text.
 */
export function paintLauncher(
  isHidden: boolean,
  isExpanded: boolean,
  { count, title }: { readonly count?: number; readonly title?: string },
): void {
  // An element with its own `aria-haspopup` is described by the page. `data-parley` marks those that we described.
  const own = ownSelector && `:is(${ownSelector}):not([aria-haspopup]),`;
  for (const element of [button, ...document.querySelectorAll<HTMLElement>(`${own}[data-parley]`)]) {
    element.dataset["parley"] = `${count || ""}`;
    element.setAttribute("aria-haspopup", "dialog");
    element.setAttribute("aria-expanded", `${isExpanded}`);
  }
  const name = title || settings["label"];
  // The language of a name that somebody else gave is unknown here.
  button.lang = name ? "" : words.lang;
  button.setAttribute("aria-label", name || words.launcher);
  button.hidden = isHidden;
}

/** Shows that the chat can't be reached, with the owner's fallback. Pressing the launcher or the note retries. */
export function showUnreachable(): void {
  note.textContent = words.note;
  const { fallback = "" } = settings;
  const [, textContent] = /^(?:https?|mailto|tel):\/*(.+)/.exec(fallback) ?? [];
  if (textContent) note.append(createElement("a", { href: fallback, target: "_blank", textContent }));
}
