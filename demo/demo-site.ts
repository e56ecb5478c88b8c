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

/** The articles that the agent quotes from are data of the service; the shop shows the same files to readers. */
const ARTICLES = new URL("./articles/", import.meta.url);

/** A host as a browser writes it, with or without a port: nothing that could leave an attribute or a header. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(:[0-9]{1,5})?$/;
/** The two names of this machine: the page on the one gets its widget from the other, as on a site with two origins. */
const OTHER_NAME: Readonly<Record<string, string>> = { localhost: "127.0.0.1", "127.0.0.1": "localhost" };
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The demo shop: every page and file is in memory from the start; a request picks one from a map and never names a path on disk. */
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
 * Where page and widget come from, by the request's Host; undefined when that is no host. On this machine's two names
 * they differ. Elsewhere, perhaps behind a proxy that speaks TLS, the widget's address is relative and `source` is 'self'.
 */
function originsOf(host = ""): { page: string; widget: string; source: string } | undefined {
  const port = HOST.exec(host)?.[1] ?? "";
  if (!HOST.test(host)) return undefined;
  const otherName = OTHER_NAME[host.slice(0, host.length - port.length)];
  if (otherName === undefined) return { page: host, widget: "", source: "'self'" };
  const widget = `http://${otherName}${port}`;
  return { page: `http://${host}`, widget, source: widget };
}

/** As strict as a site can be: the widget needs two sources and nothing else. */
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
