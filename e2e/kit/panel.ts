import { expect, type Frame, type FrameLocator, type Locator, type Page } from "@playwright/test";

/** Many times what a restored panel needs. */
const OPENS_WITHIN_MS = 15_000;

/** The panel as its users find it: by role and name. */
export interface Panel {
  readonly frame: FrameLocator;
  readonly launcher: Locator;
  readonly log: Locator;
  readonly composer: Locator;
  readonly open: () => Promise<void>;
  readonly say: (text: string) => Promise<void>;
  readonly button: (name: string) => Locator;
}

/** Whether the panel is open or opening, also by the loader's mark; a page whose storage throws has no mark. */
export function isOpening(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const launcher = document.querySelector("parley-chat")?.shadowRoot?.querySelector("button");
    if (launcher?.getAttribute("aria-expanded") === "true") return true;
    try {
      return localStorage["parley"]?.startsWith("open") ?? false;
    } catch {
      return false;
    }
  });
}

/** False where another tab set the mark after this page had read it: then nothing opens here. */
function opensByItself(page: Page): Promise<boolean> {
  const opened = page.locator('parley-chat button[aria-expanded="true"]');
  return opened.waitFor({ state: "attached", timeout: OPENS_WITHIN_MS }).then(
    () => true,
    () => false,
  );
}

/** Returns the panel on `page`; nothing is opened yet. */
export function panelOn(page: Page): Panel {
  const frame = page.frameLocator('iframe[title="Chat"]');
  const launcher = page.getByRole("button", { name: /^Open chat/ });
  const composer = frame.getByRole("textbox", { name: "Message" });
  return {
    frame,
    launcher,
    composer,
    log: frame.getByRole("log", { name: "Conversation" }),
    button: (name) => frame.getByRole("button", { name, exact: true }),
    open: async () => {
      // Firefox has one active window: a covered page has no focus.
      await page.bringToFront();
      await expect(page.locator("parley-chat")).toBeAttached();
      // A panel that was open on the page before is open again, without the focus.
      if (!((await isOpening(page)) && (await opensByItself(page)))) {
        await launcher.click();
        return expect(composer).toBeFocused();
      }
      // While its frame is still hidden, the box gets no focus.
      await expect(async () => {
        await composer.focus();
        await expect(composer).toBeFocused({ timeout: 1000 });
      }).toPass();
    },
    say: async (text) => {
      await composer.fill(text);
      await composer.press("Enter");
    },
  };
}

/** The panel's document. */
export function frameOf(page: Page): Frame {
  const frame = page.frames().find((each) => each.url().endsWith("/frame"));
  if (!frame) throw new Error("there is no panel");
  return frame;
}

/** Ends the conversation, and confirms when asked. */
export async function endConversation({ button, frame }: Panel): Promise<void> {
  await button("End conversation").click();
  await frame.getByRole("alertdialog").getByRole("button", { name: "End conversation" }).click();
}
