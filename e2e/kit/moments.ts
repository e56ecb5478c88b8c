import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { frameOf } from "./panel.ts";

declare global {
  interface Window {
    /** In the frame: since when what was watched for is in its document no more. */
    parleyClearedAt?: number;
    /** On the page: when the panel was to be seen, and when its visitor was named. */
    parleyShownAt?: number;
    parleyIdentifiedAt?: number;
  }
}

/**
 * Has the page vouch for a customer, by the tokens that `sign` gives when it is asked. From the very call on, each frame
 * that is drawn is looked at, until the panel is to be seen.
 */
export async function identify(page: Page, sign: () => Promise<string>): Promise<void> {
  // One page may name several customers, and what it was given once stays.
  const name = `signToken_${randomUUID()}`;
  await page.exposeFunction(name, sign);
  await page.evaluate((given) => {
    const getToken = () => (Reflect.get(window, given) as () => Promise<string>)();
    void window.Parley("identify", { getToken });
    const look = () => {
      const frame = document.querySelector("parley-chat")?.shadowRoot?.querySelector("iframe");
      const isShown = frame && getComputedStyle(frame).visibility === "visible";
      if (isShown) window.parleyShownAt = performance.timeOrigin + performance.now();
      else requestAnimationFrame(look);
    };
    window.parleyIdentifiedAt = performance.timeOrigin + performance.now();
    look();
  }, name);
}

/** Notes in the frame when a text is in its document no more, looking at each change and at each frame that is drawn. */
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

/** When the page named somebody else, when nothing of the first was left in the frame, and when the frame was to be seen. */
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
