import { createElement } from "./element.ts";
import { applyStyles, isSelector } from "./host.ts";
import { settings } from "./settings.ts";

export const button = document.createElement("button");
/** Here empty from the start: a live region that comes with its text is not read out. */
export const note = createElement("div", { role: "status" });
/** The selector of the page's own elements that open the chat; without any it is empty. */
export let own: string | false | undefined;
let following = new AbortController();

/**
 * Has the launcher open the chat, or the page's own elements: those of the setting `launcher`, found when they
 * are used, so that a page may draw them later or again. Pointer, finger or focus on it is intent; a click opens.
 * A selector that matches nothing ("none") means no launcher, one that can't be read means ours, for customers must have
 * a way in.
 */
export function followLauncher(onIntent: () => void, onPress: () => void): void {
  own = isSelector(settings["launcher"] as string) && settings["launcher"];
  unfollowLauncher();
  following = new AbortController();
  note.onclick = onPress;
  for (const type of ["scroll", "resize", "click", "focusin", "pointerover"]) {
    // What is visible changes its size and place alone, the launcher never: one list serves both.
    visualViewport?.addEventListener(type, applyStyles, following);
    (own ? document : button).addEventListener(
      type,
      (event) => {
        if (own && !(event.target as Element).closest?.(own)) return;
        onIntent();
        if (type !== "click") return;
        event.preventDefault();
        // The second half of a double click takes nothing back.
        if ((event as UIEvent).detail < 2) onPress();
      },
      // Its `signal` is the option meant.
      following,
    );
  }
}

/** The page's own elements are again as they were. */
export function unfollowLauncher(): void {
  following.abort();
  for (const element of document.querySelectorAll("[data-parley]")) {
    for (const name of ["aria-haspopup", "aria-expanded", "data-parley"]) element.removeAttribute(name);
  }
}

/**
 * `isExpanded` without being hidden means: pressed, and the panel is still on its way. What the frame told is `title`, the
 * launcher's name in its language with the count; until there is one it has the owner's name or an English one.
 */
export function paintLauncher(
  isHidden: boolean,
  isExpanded: boolean,
  { count, title }: { readonly count?: number; readonly title?: string },
): void {
  // Those that the page describes itself are left to it; ours are known by the count.
  for (const element of [
    button,
    ...document.querySelectorAll<HTMLElement>(`:is(${own || "x"}):not([aria-haspopup]),[data-parley]`),
  ]) {
    element.dataset["parley"] = `${count || ""}`;
    element.setAttribute("aria-haspopup", "dialog");
    element.setAttribute("aria-expanded", `${isExpanded}`);
  }
  button.setAttribute("aria-label", title || settings["label"] || "Open chat");
  button.hidden = isHidden;
}

/** Says that the chat could not be reached, and what the owner offers. Launcher and note are both the way to try again. */
export function showUnreachable(): void {
  note.textContent = "Chat could not be reached. Try again.";
  if (/^(http|mail|tel)/.test(settings["fallback"] as string)) {
    note.append(
      createElement("a", {
        href: settings["fallback"],
        textContent: (settings["fallback"] as string).replace(/\w+:\/*/, ""),
      }),
    );
  }
}
