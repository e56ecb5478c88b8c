import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { frameOf } from "./panel.ts";

declare global {
  interface Window {
    /** In the frame: when the watched text left its document. */
    parleyClearedAt?: number;
    /** On the page: when the panel was visible, and when its visitor was named. */
    parleyShownAt?: number;
    parleyIdentifiedAt?: number;
  }
}

/**
 * Makes the page identify a customer with the tokens that `sign` returns on demand. From that call on, each drawn frame
 * is checked until the panel is visible.
 */
export async function identify(page: Page, sign: () => Promise<string>): Promise<void> {
  // One page may name several customers, and earlier ones are remembered.
  const name = `signToken_${randomUUID()}`;
  await page.exposeFunction(name, sign);
  await page.evaluate((given) => {
    const getToken = () => (Reflect.get(window, given) as () => Promise<string>)();
    void window.Parley("identify", { getToken });
    const look = () => {
      const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
      const isShown = frame?.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (isShown) window.parleyShownAt = performance.timeOrigin + performance.now();
      else requestAnimationFrame(look);
    };
    window.parleyIdentifiedAt = performance.timeOrigin + performance.now();
    look();
  }, name);
}

/** Records in the frame when a text leaves its document, checking at each change and at each drawn frame. */
export async function watchText(page: Page, words: string): Promise<void> {
  await frameOf(page).evaluate((text) => {
    const isThere = () => {
      const names = [...document.querySelectorAll("[aria-label], textarea")].map(
        (element) => `${element.getAttribute("aria-label")} ${(element as HTMLTextAreaElement).value ?? ""}`,
      );
      return `${document.body.textContent} ${names.join()}`.includes(text);
    };
    const look = () => {
      if (isThere()) delete window.parleyClearedAt;
      else window.parleyClearedAt ??= performance.timeOrigin + performance.now();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    const each = () => {
      look();
      requestAnimationFrame(each);
    };
    each();
  }, words);
}

/**
 * When the page named somebody else, when nothing of the first was left in the frame, and when the frame was visible.
 */
export async function momentsOf(
  page: Page,
): Promise<{ identifiedAt: number; clearedAt: number; shownAt: number }> {
  const [identifiedAt = 0, shownAt = 0] = await page.evaluate(() => [
    window.parleyIdentifiedAt,
    window.parleyShownAt,
  ]);
  const clearedAt = (await frameOf(page).evaluate(() => window.parleyClearedAt)) ?? 0;
  return { identifiedAt, clearedAt, shownAt };
}
