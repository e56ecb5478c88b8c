import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { type Context, Hono } from "hono";
import { Failure, PROBLEM_MEDIA_TYPE, problemOf } from "../shared/errors.ts";
import { CATALOGUE } from "./catalogue.ts";
import { readHelpPages } from "./help-pages.ts";
import {
  helpIndexPage,
  helpPage,
  homePage,
  missingPage,
  PAGE_ORIGIN,
  productPage,
  WIDGET_ORIGIN,
} from "./page.ts";

/** The service's agent quotes these articles, and the shop shows them to readers. */
const ARTICLES = new URL("./articles/", import.meta.url);

/** A host as browsers write it, with or without a port. Only this may go into an attribute or a header. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?$/;
/** This machine has two names: a page on one loads its widget from the other, so page and chat have different origins. */
const OTHER_NAME: Readonly<Record<string, string>> = { localhost: "127.0.0.1", "127.0.0.1": "localhost" };
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The demo shop. Pages and files are read at the start; a request picks one from a map and never names a path on disk. */
export function createDemoSite(): Hono {
  const pages = new Map([["/", homePage()]]);
  for (const product of CATALOGUE) pages.set(`/product/${product.slug}`, productPage(product));
  const help = readHelpPages(ARTICLES);
  pages.set("/help", helpIndexPage(help));
  for (const article of help) pages.set(`/help/${article.slug}`, helpPage(article));
  const missing = missingPage();
  const files = loadFiles(new URL("./site/", import.meta.url));

  const site = new Hono();
  site.use(async (c, next) => {
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Referrer-Policy", "strict-origin-when-cross-origin");
  });
  site.get("*", (c) => {
    const file = files.get(c.req.path);
    if (file)
      return c.body(file.text, 200, { "Content-Type": file.mediaType, "Cache-Control": "max-age=300" });
    const page = pages.get(c.req.path);
    if (page) return answerPage(c, page, 200);
    return c.req.header("accept")?.includes("text/html")
      ? answerPage(c, missing, 404)
      : refuse(c, "not_found");
  });
  site.all("*", (c) => refuse(c, "not_found"));
  return site;
}

function loadFiles(folder: URL): ReadonlyMap<string, { text: string; mediaType: string }> {
  return new Map(
    readdirSync(folder).map((name) => {
      const mediaType = MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
      if (mediaType === undefined)
        throw new Error(`The demo site can't serve ${name}: its type is not known.`);
      return [`/demo/${name}`, { text: readFileSync(new URL(name, folder), "utf8"), mediaType }];
    }),
  );
}

function answerPage(c: Context, page: string, status: 200 | 404): Response {
  const origins = originsOf(c.req.header("host"));
  if (!origins) return refuse(c, "bad_request");
  const html = page.replaceAll(WIDGET_ORIGIN, origins.widget).replaceAll(PAGE_ORIGIN, origins.page);
  return c.body(html, status, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyOf(origins.source),
    "Cache-Control": "no-cache",
    Vary: "Host",
  });
}

/**
 * Returns the origins of page and widget for the request's Host, or undefined when it is not a valid host. On this
 * machine's two names they differ. Elsewhere the widget's address is relative: a proxy in front may use TLS.
 */
function originsOf(host = ""): { page: string; widget: string; source: string } | undefined {
  const port = HOST.exec(host)?.[1] ?? "";
  if (!HOST.test(host)) return undefined;
  const otherName = OTHER_NAME[host.slice(0, host.length - port.length)];
  if (otherName === undefined) return { page: host, widget: "", source: "'self'" };
  const widget = `http://${otherName}${port}`;
  return { page: `http://${host}`, widget, source: widget };
}

/** The strictest policy that works: the widget needs two sources and nothing else. */
function policyOf(source: string): string {
  return [
    "default-src 'none'",
    `script-src ${source}`,
    `frame-src ${source}`,
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function refuse(c: Context, code: "not_found" | "bad_request"): Response {
  const problem = problemOf(new Failure(code), randomUUID());
  return c.body(JSON.stringify(problem), code === "not_found" ? 404 : 400, {
    "Content-Type": PROBLEM_MEDIA_TYPE,
    "Cache-Control": "no-store",
  });
}
