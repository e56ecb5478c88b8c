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

/** The name of what has the focus in this document, in the open shadow roots too. */
const FOCUSED = `
  let one = document.activeElement;
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  return one?.getAttribute("aria-label") ?? one?.textContent.trim();`;

/** Finds and presses what a person would, by name. */
export function createLook(browser: Browser) {
  const named = async (name: string) => (await browser.until(BY_NAME, name)) as Found;
  const press = async (name: string) => browser.click(await named(name));
  const into = async () => {
    await browser.lookInto(await named("Chat"));
    await named("Message");
  };
  return {
    named,
    press,
    /** Waits until the current document reads so. */
    reads: (text: string) => browser.until("return document.body.textContent.includes(arguments[0])", text),
    /** The current document's text, with what is in its text boxes. */
    text: () =>
      browser.run(
        "return document.body.textContent + [...document.querySelectorAll('textarea')].map((box) => box.value)",
      ) as Promise<string>,
    focused: () => browser.run(FOCUSED) as Promise<string | null>,
    into,
    /** Looks into the frame of this page's panel, with the focus in its text box. Where it was open before, it opens by itself. */
    async open() {
      await browser.until("return document.querySelector('parley-chat')");
      const opensByItself = await browser.run("return localStorage?.parley?.startsWith('open') ?? false");
      if (!opensByItself) await press("Open chat");
      await into();
      if (opensByItself) await press("Message");
    },
    /** Leaves the frame and goes to a page. */
    async visit(url: string) {
      await browser.lookInto(null);
      await browser.goto(url);
    },
    async say(text: string) {
      await browser.type(text);
      await browser.press("enter");
    },
  };
}
