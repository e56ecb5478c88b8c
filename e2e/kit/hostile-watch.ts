import { type BrowserContext, expect, type Frame, type Page } from "@playwright/test";

declare global {
  interface Window {
    pwned: () => void;
  }
}

/** The faults since the watch began, in words; empty if there were none. */
export interface HostileWatch {
  readonly found: string[];
  /** A second list: what the browser itself reported on the console. */
  readonly complaints: string[];
}

/** Watches every page and frame of a context: scripts that ran, requests to elsewhere, violations, dialogs, new windows, errors. */
export async function watchHostile(
  context: BrowserContext,
  origins: readonly string[],
): Promise<HostileWatch> {
  const found: string[] = [];
  const complaints: string[] = [];
  await context.exposeBinding("reportHostile", (_, what: string) => void found.push(what));
  await context.addInitScript(() => {
    const report = (what: string) => (Reflect.get(window, "reportHostile") as (what: string) => void)(what);
    window.pwned = () => report("a script ran");
    for (const name of ["alert", "confirm", "prompt", "print"]) {
      Reflect.set(window, name, () => report(`${name} was called`));
    }
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      report(`violation of ${violatedDirective} by ${blockedURI}`),
    );
  });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (!origins.includes(origin)) found.push(`a request to ${protocol}${origin}`);
  });
  context.on("dialog", (dialog) => {
    found.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("weberror", (error) => found.push(`an error: ${error.error().message}`));
  context.on("console", (message) => {
    if (/Content Security Policy|Trusted/.test(message.text())) complaints.push(message.text());
  });
  return { found, complaints };
}

/** Elements and attributes in our document that our code never creates; empty if all text is text. */
export function foreignNodes(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const OURS =
      /^(html|head|meta|title|script|link|body|div|span|p|section|header|footer|main|aside|nav|h[1-6]|ul|ol|li|dl|dt|dd|button|textarea|input|label|form|a|strong|em|code|pre|time|bdi|i|svg|g|path|circle|rect|line|polyline|polygon|ellipse|noscript|fieldset|legend|details|summary|hr|br|kbd|output)$/;
    const wrong: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      const name = element.localName;
      const where = element.outerHTML.slice(0, 120);
      if (!OURS.test(name)) wrong.push(`<${name}>: ${where}`);
      if (element.closest("body") && /^(script|link|meta|title)$/.test(name))
        wrong.push(`<${name}> in the body`);
      for (const { name: attribute, value } of element.attributes) {
        if (/^on|^(srcset|srcdoc|action|formaction|background|poster|ping)$/.test(attribute)) {
          wrong.push(`${attribute}: ${where}`);
        }
        if (attribute === "style" && /url|expression|import/i.test(value)) wrong.push(`style: ${where}`);
        if (attribute === "src" && element.closest("body")) wrong.push(`src: ${where}`);
      }
      if (!(element instanceof HTMLAnchorElement)) continue;
      const isSafe =
        /^(https:|mailto:|tel:)/.test(element.protocol) ||
        /^(localhost|127\.0\.0\.1)$/.test(element.hostname);
      if (!isSafe || element.username) wrong.push(`address: ${where}`);
      const isOwnPage = element.getAttribute("href")?.startsWith("#") === true && element.target === "";
      if (!isOwnPage && (element.target !== "_blank" || !/noopener.*noreferrer/.test(element.rel)))
        wrong.push(`rel: ${where}`);
      const shown = /([\p{L}\p{N}-]+\.)+[\p{L}]{2,}/iu.exec(element.textContent ?? "")?.[0]?.toLowerCase();
      if (element.protocol === "https:" && shown && shown !== element.host)
        wrong.push(`shows another host: ${where}`);
    }
    return wrong;
  });
}

/** None of the payloads had an effect beyond text, in any frame. */
export async function expectTextAlone(tab: Page, { found, complaints }: HostileWatch): Promise<void> {
  const ours = tab.frames().filter((frame) => /\/(frame|desk)\b/.test(frame.url()));
  expect(ours).toHaveLength(1);
  for (const frame of ours) expect(await foreignNodes(frame)).toEqual([]);
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
}
