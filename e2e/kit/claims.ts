import type { BrowserContext, Frame, Page } from "@playwright/test";

/** Words that claim a success, by request. */
export const CLAIMS = {
  message: /\b(sent|delivered|received)\b/gi,
  person: /\bconnected\b|\basked a teammate\b|\bjoined\b|\bis here\b/gi,
  summary: /\b(sent|delivered|received)\b/gi,
  end: /\bended\b|\bclosed\b/gi,
  file: /\b(sent|delivered|received|uploaded|attached|saved)\b/gi,
  feedback: /\bis pressed\b/gi,
  rating: /\bthank|\bhas arrived\b/gi,
  erasure: /\bhas been (deleted|erased)\b|\bis gone\b/gi,
} as const;

declare global {
  interface Window {
    /** Every text that was added to this document since the list was last emptied, however briefly. */
    parleySeen?: string[];
  }
}

/** Records every text that is added to any document of the context, from before its first script. */
export async function recordTexts(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const seen: string[] = [];
    window.parleySeen = seen;
    const keep = (node: Node) => {
      if (node.textContent) seen.push(node.textContent);
      if (!(node instanceof Element)) return;
      for (const element of [node, ...node.querySelectorAll("*")]) {
        for (const name of ["aria-label", "title", "alt", "aria-description", "placeholder"]) {
          const value = element.getAttribute(name);
          if (value) seen.push(value);
        }
        if (element.getAttribute("aria-pressed") === "true") seen.push("is pressed");
      }
    };
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "childList") for (const node of addedNodes) keep(node);
        else if (type === "characterData") keep(target);
        else if (target instanceof Element) keep(target);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
  });
}

/** The claims of a frame. */
interface Said {
  /** Everything that can be seen or heard now, including live regions and accessible names. */
  readonly standing: string;
  /** Every text that was added since the last reading, however briefly. */
  readonly passed: readonly string[];
  /** Which of the given strings the document contains. */
  readonly contained: readonly string[];
}

/** Reads and empties what a frame recorded: one call for all of it, because a call costs some milliseconds. */
function read(frame: Frame, unwanted: readonly string[] = []): Promise<Said> {
  return frame.evaluate((wanted) => {
    const names = [...document.querySelectorAll("[aria-label], [title], [aria-description]")].flatMap(
      (element) =>
        ["aria-label", "title", "aria-description"].map((name) => element.getAttribute(name) ?? ""),
    );
    const pressed = [...document.querySelectorAll("[aria-pressed=true]")].map(() => "is pressed");
    const html = document.documentElement.outerHTML;
    return {
      standing: [document.body.textContent ?? "", ...names, ...pressed].join("\n"),
      passed: window.parleySeen?.splice(0) ?? [],
      contained: wanted.filter((text) => html.includes(text)),
    };
  }, unwanted);
}

/** Watches what a page and its frames say from now on. */
export interface ClaimWatch {
  /**
   * The claims since then: those that came and went, and those that are shown now and were not before. And which of
   * `secrets` a document contains.
   */
  readonly claims: (secrets?: readonly string[]) => Promise<string[]>;
}

/** Starts to watch for `words` in the page and in all of its frames. */
export async function watchClaims(page: Page, words: RegExp): Promise<ClaimWatch> {
  const before = new Map<Frame, number>();
  const passed: string[] = [];
  for (const frame of page.frames()) before.set(frame, countOf((await read(frame)).standing, words));
  return {
    claims: async (secrets) => {
      const found: string[] = [];
      for (const frame of page.frames()) {
        const said = await read(frame, secrets);
        passed.push(...said.passed.filter((text) => countOf(text, words) > 0));
        if (countOf(said.standing, words) > (before.get(frame) ?? 0))
          found.push(`standing: ${said.standing}`);
        found.push(...said.contained.map((text) => `secret: ${text}`));
      }
      return [...passed, ...found];
    },
  };
}

function countOf(text: string, words: RegExp): number {
  return [...text.matchAll(words)].length;
}
