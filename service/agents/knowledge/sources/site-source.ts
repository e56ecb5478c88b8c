import { join } from "node:path";
import { pause } from "../../../../shared/server/clock.ts";
import { errorFacts } from "../../../../shared/server/log.ts";
import { sha256 } from "../../../ids.ts";
import type { AgentDeps } from "../../provider.ts";
import type { ArticleFile } from "./article-file.ts";
import type { ArticleSource } from "./article-source.ts";
import { firstFew } from "./first-few.ts";
import { crawlSite } from "./site-crawl.ts";
import { readStoredPages, type StoredPage, type StoredPages, storePages } from "./stored-pages.ts";

const HOUR_MS = 3_600_000;
/** After a fetch in which something failed that may be over soon. */
const RETRY_MS = HOUR_MS / 4;

interface SiteSourceDeps extends AgentDeps {
  /** For one address; shorter in tests. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The pages of the owner's site, fetched on a schedule and stored in the data folder, so a restart needs no network. A
 * page that can't be fetched keeps its last version.
 */
export function createSiteSource(
  { urls, everyHours }: { readonly urls: readonly string[]; readonly everyHours: number },
  deps: SiteSourceDeps,
): ArticleSource {
  const { clock, log, stopping } = deps;
  const folder = join(deps.dataDir, "knowledge");
  let stored: StoredPages | undefined;
  let fault: string | undefined;
  let retriesSoon = false;

  const refresh = async (changed: () => void) => {
    const before = stored?.pages ?? [];
    const crawlDeps = { ...deps, now: () => clock.now(), pause: (ms: number) => pause(clock, ms) };
    const { pages, faults, stale, mayPass } = await crawlSite(urls, before, crawlDeps);
    fault = faults.length === 0 ? undefined : noteOf(faults, stale);
    // A site without any page is more often a fault of the moment.
    retriesSoon = mayPass || pages.length === 0;
    log.info({ pages: pages.length, stale, faults: faults.length }, "pages fetched");
    if (fault !== undefined) log.warn({ reason: fault }, "pages can't be fetched");
    if (pages.length === 0 && before.length === 0) return;
    const refreshedAt = clock.now();
    stored = { version: 1, for: [...urls], refreshedAt, fault, retriesSoon, pages: [...pages] };
    if (isOther(pages, before)) changed();
    await storePages(folder, stored);
  };
  const pauseMs = () => (retriesSoon ? RETRY_MS : everyHours * HOUR_MS);
  const schedule = (ms: number, changed: () => void) => {
    if (stopping.aborted) return;
    const cancel = clock.after(ms, () => {
      refresh(changed)
        .catch((error: unknown) => {
          fault = "The pages of KNOWLEDGE_URLS could not be fetched or stored.";
          retriesSoon = true;
          if (!stopping.aborted) log.error(errorFacts(error), "pages can't be fetched");
        })
        .finally(() => {
          stopping.removeEventListener("abort", cancel);
          schedule(pauseMs(), changed);
        });
    });
    stopping.addEventListener("abort", cancel, { once: true });
  };
  const isSame = (pages: StoredPages | undefined): pages is StoredPages => pages?.for.join() === urls.join();
  return {
    async read() {
      if (stored === undefined) {
        stored = await readStoredPages(folder);
        if (isSame(stored)) ({ fault, retriesSoon = false } = stored);
      }
      return filesOf(stored?.pages ?? []);
    },
    watch(changed) {
      const age = isSame(stored) ? clock.now() - stored.refreshedAt : Number.POSITIVE_INFINITY;
      // Nobody knows how old the pages are if the machine's clock was ahead, and a process may restart each day.
      schedule(age < 0 ? 0 : Math.max(0, pauseMs() - age), changed);
    },
    notes: () => (fault === undefined ? [] : [fault]),
    waitsFor: () =>
      stored === undefined || stored.pages.length === 0
        ? (fault ?? "The pages of KNOWLEDGE_URLS are being fetched.")
        : undefined,
  };
}

function noteOf(faults: readonly string[], stale: number): string {
  const count = faults.length > 1 ? ` (${faults.length} faults)` : "";
  const kept = stale > 0 ? ` Pages whose last version is used: ${stale}.` : "";
  return `Not all pages of KNOWLEDGE_URLS could be read${count}: ${firstFew(faults)}.${kept}`;
}

function isOther(pages: readonly StoredPage[], before: readonly StoredPage[]): boolean {
  if (pages.length !== before.length) return true;
  return pages.some(({ url, text }, index) => url !== before[index]?.url || text !== before[index]?.text);
}

function filesOf(pages: readonly StoredPage[]): ArticleFile[] {
  const seen = new Set<string>();
  return pages.flatMap(({ url, text }) => {
    // Two addresses may lead to one page, which would compete with itself.
    const own = text.replace(/^url: .*$/m, "");
    if (seen.has(own)) return [];
    seen.add(own);
    return [{ path: pathOf(new URL(url)), text }];
  });
}

/** Ids are made from letters and digits of the path. A path with other characters or a query gets a digest. */
function pathOf({ pathname, search, href }: URL): string {
  const plain = pathname
    .replace(/\.html?$/i, "")
    .replace(/^\/+|\/+$/g, "")
    .replaceAll(".", "-");
  const needsDigest = search !== "" || /[^\w/-]/.test(plain) || plain === "";
  return needsDigest ? `${plain || "page"}-${sha256(href).slice(0, 8)}.md` : `${plain}.md`;
}
