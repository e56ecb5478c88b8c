import type { Browser, Found } from "./webdriver.ts";

/**
 * A button or box of this document or of an open shadow root in it, by its accessible name as far as these tests need
 * it.
 */
const BY_NAME = `
  const all = (root) => [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const name = (one) => one.getAttribute("aria-label") ?? one.textContent.trim();
  return all(document).find((one) => one.matches("button, textarea, iframe, [role]")
    && (name(one).startsWith(arguments[0]) || one.title === arguments[0]) && one.checkVisibility());`;

export type Look = ReturnType<typeof createLook>;

/** Finds and presses what a person would, by name. */
export function createLook(browser: Browser) {
  const named = async (name: string) => (await browser.until(BY_NAME, name)) as Found;
  return {
    named,
    press: async (name: string) => browser.click(await named(name)),
    /** Waits until the current document reads so. */
    reads: (text: string) => browser.until("return document.body.textContent.includes(arguments[0])", text),
  };
}
