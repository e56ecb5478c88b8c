import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArticle } from "../article.ts";
import { htmlArticle } from "./html-article.ts";
import { fetchRobots, type Robots } from "./robots.ts";
import { type FetchDeps, type Fetched, fetchFromSite, isSameHost, SiteFault } from "./site-fetch.ts";
import { readSitemap, type Sitemap } from "./sitemap.ts";
import type { StoredPage } from "./stored-pages.ts";

/** A help centre has some hundreds. More than this would be products or forum threads, and take an hour. */
const MAX_ADDRESSES = 5000;
const MAX_SITEMAPS = 50;
const SITEMAP_NAME = /\.xml(?:\.gz)?$/i;

export interface CrawlDeps extends FetchDeps {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

export interface Crawled {
  readonly pages: readonly StoredPage[];
  /** What could not be read: sentences without their end. */
  readonly faults: readonly string[];
  /** How many of the pages are of an earlier time, because they can't be fetched now. */
  readonly stale: number;
  /** Some of the faults may be over soon. */
  readonly mayPass: boolean;
}

interface Crawl {
  readonly deps: CrawlDeps;
  readonly before: readonly StoredPage[];
  readonly pages: Map<string, StoredPage>;
  readonly stale: Set<string>;
  readonly faults: string[];
  readonly robots: Map<string, Promise<Robots>>;
  addressesLeft: number;
  sitemapsLeft: number;
  mayPass: boolean;
}

/**
 * Fetches the pages that `urls` name, each a page or a sitemap, one after the other. Only their own hosts are asked. A
 * page that can't be fetched now stays as it was in `before`.
 */
export async function crawlSite(
  urls: readonly string[],
  before: readonly StoredPage[],
  deps: CrawlDeps,
): Promise<Crawled> {
  const crawl: Crawl = {
    deps,
    before,
    pages: new Map(),
    stale: new Set(),
    faults: [],
    robots: new Map(),
    addressesLeft: MAX_ADDRESSES,
    sitemapsLeft: MAX_SITEMAPS,
    mayPass: false,
  };
  for (const root of urls.map((url) => new URL(url))) {
    await readFrom(crawl, root, root, SITEMAP_NAME.test(root.pathname));
  }
  const { pages, stale, faults, mayPass } = crawl;
  return { pages: [...pages.values()], stale: stale.size, faults, mayPass };
}

/** Reads a page, or all that the sitemap there names. */
async function readFrom(crawl: Crawl, url: URL, root: URL, isSitemap: boolean): Promise<void> {
  const sitemap = await readAddress(crawl, url, root, isSitemap);
  if (sitemap === "unknown") {
    // Without its sitemap nobody knows which pages are there.
    for (const page of crawl.before) if (isSameHost(new URL(page.url), root)) keep(crawl, page);
  } else if (sitemap) await readAll(crawl, sitemap, root);
}

async function readAll(crawl: Crawl, { sitemaps, pages }: Sitemap, root: URL): Promise<void> {
  for (const address of sitemaps) {
    crawl.sitemapsLeft -= 1;
    const url = URL.parse(address, root);
    if (crawl.sitemapsLeft >= 0 && url) await readFrom(crawl, url, root, true);
  }
  for (const address of pages) {
    const url = URL.parse(address, root);
    if (url) await readAddress(crawl, url, root);
  }
}

/** Reads a page, or returns the sitemap that is there. "unknown": nobody can say now what is there. */
async function readAddress(
  crawl: Crawl,
  url: URL,
  root: URL,
  isSitemap = false,
): Promise<Sitemap | "unknown" | undefined> {
  const { deps, pages, faults } = crawl;
  url.hash = "";
  if (!isSameHost(url, root) || url.username !== "" || (pages.has(url.href) && !crawl.stale.has(url.href))) {
    return undefined;
  }
  crawl.addressesLeft -= 1;
  if (crawl.addressesLeft === -1) {
    faults.push(`there are more than ${MAX_ADDRESSES} addresses, and the others are left out`);
  }
  if (crawl.addressesLeft < 0) return undefined;
  const stored = crawl.before.find((page) => page.url === url.href);
  deps.stopping.throwIfAborted();
  try {
    const robots = crawl.robots.get(url.origin) ?? fetchRobots(url, deps);
    crawl.robots.set(url.origin, robots);
    const { isAllowed, delayMs } = await robots;
    if (!isAllowed(url.href)) throw new SiteFault("is disallowed by robots.txt", { status: 403 });
    if (delayMs > 0) await deps.pause(delayMs);
    const fetched = await fetchFromSite(url, stored ?? {}, { ...deps, isAllowed });
    const sitemap = fetched.kind === "content" ? readSitemap(fetched.text) : undefined;
    if (sitemap) return sitemap;
    // A site under maintenance may answer every address with the same page.
    if (isSitemap && fetched.kind === "content") throw new SiteFault("is no sitemap", { mayPass: true });
    const page = pageOf(fetched, url, stored, deps.now());
    if (page) pages.set(url.href, page);
    crawl.stale.delete(url.href);
  } catch (error) {
    if (!(error instanceof SiteFault)) throw error;
    // Without its query, which may have a key: anybody can read the notes of /readyz.
    faults.push(`${url.origin}${url.pathname}${url.search && "?…"} ${error.message}`);
    crawl.mayPass ||= error.mayPass;
    // The site says itself that the page is not there any more, or not for us.
    const isGone = error.status !== undefined && [403, 404, 410].includes(error.status);
    if (!isGone && stored) keep(crawl, stored);
    else if (!isGone) return "unknown";
  } finally {
    // Parsing a page takes milliseconds; customers are answered between two of them.
    await nextTurn();
  }
  return undefined;
}

function keep(crawl: Crawl, page: StoredPage): void {
  if (crawl.pages.has(page.url)) return;
  crawl.pages.set(page.url, page);
  crawl.stale.add(page.url);
}

function pageOf(
  fetched: Fetched,
  url: URL,
  stored: StoredPage | undefined,
  fetchedAt: number,
): StoredPage | undefined {
  if (fetched.kind === "unchanged") return stored && { ...stored, fetchedAt };
  const { etag, modified } = fetched;
  return { url: url.href, text: articleOf(fetched), etag, modified, fetchedAt };
}

function articleOf({ type, text, url }: Extract<Fetched, { kind: "content" }>): string {
  if (type !== "" && type !== "text/markdown" && type !== "text/html" && type !== "application/xhtml+xml") {
    throw new SiteFault(`is ${type.replace(/[^\w/.+-]/g, "?").slice(0, 60)} and no page`, { status: 403 });
  }
  const isMarkdown = type === "text/markdown";
  try {
    const article = isMarkdown ? text : htmlArticle("", text, url).text;
    // Once it is stored, a page that can't be read would stop each start.
    parseArticle("", article);
    return article;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new SiteFault(`can't be read as ${isMarkdown ? "Markdown" : "HTML"}`, { cause });
  }
}
