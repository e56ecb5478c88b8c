import type { BrowserContext, Frame, Page } from "@playwright/test";

declare global {
  interface Window {
    /** The announcements of this document's live regions, in order. */
    parleySaid?: string[];
    /** Texts that grew inside a live region after they were added. */
    parleyGrew?: string[];
  }
}

/**
 * Listens as a screen reader does: what is added to a live region is announced once, as it is at that moment. Must be
 * called before the first page of the context is opened.
 */
export async function listenTo(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const said: string[] = [];
    const grew: string[] = [];
    window.parleySaid = said;
    window.parleyGrew = grew;
    const LIVE =
      '[aria-live="polite"], [aria-live="assertive"], [role="status"], [role="alert"], [role="log"]';
    const regionOf = (node: Node) => {
      const element = node instanceof Element ? node : node.parentElement;
      const region = element?.closest(LIVE);
      // Everything outside of an open modal dialog is inert, and not read.
      const modal = [...document.querySelectorAll("dialog:modal")].at(-1);
      return region &&
        (!modal || modal.contains(region)) &&
        region.getAttribute("aria-live") !== "off" &&
        !region.closest("[aria-hidden=true], [inert]")
        ? region
        : undefined;
    };
    const textOf = (node: Node) => (node.textContent ?? "").replace(/\s+/g, " ").trim();
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "characterData") {
          if (regionOf(target)) grew.push(textOf(target));
          continue;
        }
        for (const node of addedNodes) {
          const text = textOf(node);
          // A region that appears with its text is announced too, by those screen readers that notice it.
          if (text && (regionOf(target) || (node instanceof Element && node.matches(LIVE) && regionOf(node))))
            said.push(text);
        }
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
}

/** A document's announcements since it was opened. */
export function heard(where: Page | Frame): Promise<string[]> {
  return where.evaluate(() => [...(window.parleySaid ?? [])]);
}

/** Texts of live regions that changed after they were announced. */
export function changed(where: Page | Frame): Promise<string[]> {
  return where.evaluate(() => [...(window.parleyGrew ?? [])]);
}
