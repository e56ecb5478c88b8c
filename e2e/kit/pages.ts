import { createServer } from "node:http";
import { listenOnFreePort } from "../../shared/testing/listen.ts";

/**
 * One page of a customer's site. `{{widget}}` in it is replaced by the address of the script, `{{origin}}` by its
 * origin.
 */
export interface SitePage {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The widget's tag, as most pages have it. */
export const TAG = '<script async src="{{widget}}"></script>';

/** A page about lamps with `body` below its heading; `attributes` are those of its root. */
export function lampPage(body: string, attributes = 'lang="en"'): string {
  return `<!doctype html><html ${attributes}><title>Lamps</title><h1>Lamps</h1>${body}</html>`;
}

/** A customer's site on its own origin. */
export interface Site {
  readonly origin: string;
  /** Sets which widget the pages load, known once the product runs. `more` fills further `{{names}}`. */
  readonly embed: (widgetOrigin: string, more?: Readonly<Record<string, string>>) => void;
  readonly close: () => Promise<void>;
}

/** Serves `pages` by path on a free port, under the loopback name that the product does not use. */
export async function startSite(pages: Readonly<Record<string, SitePage>>): Promise<Site> {
  let names: Readonly<Record<string, string>> = {};
  const server = createServer((request, response) => {
    const page = pages[(request.url ?? "").replace(/\?.*/, "")];
    const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => names[name] ?? "");
    response.writeHead(page ? 200 : 404, {
      "content-type": "text/html; charset=utf-8",
      ...Object.fromEntries(Object.entries(page?.headers ?? {}).map(([name, value]) => [name, fill(value)])),
    });
    response.end(page ? fill(page.html) : "");
  });
  const { port, close } = await listenOnFreePort(server);
  return {
    origin: `http://localhost:${port}`,
    embed: (origin, more = {}) => {
      names = { widget: `${origin}/widget.js`, origin, ...more };
    },
    close,
  };
}
