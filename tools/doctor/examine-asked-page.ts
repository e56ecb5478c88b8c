import { LRUCache } from "lru-cache";
import { createRateLimit } from "../../bff/gate/rate-limit.ts";
import type { UseCounts } from "../../bff/store/use-counts.ts";
import type { Finding } from "../../shared/api/doctor.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { examinePage, type SitePage } from "./examine-page.ts";
import { fault } from "./finding.ts";
import { PageFault } from "./read-page.ts";

/** Pages that are read in any minute, whoever asks: this process is nobody's means to load a site. */
const READINGS = { name: "doctor-pages", max: 10, windowMs: 60_000 };
const KEEP_MS = 10_000;
const MAX_KEPT = 20;

export interface AskedPageDeps {
  readonly clock: Clock;
  readonly counts: UseCounts;
  /** Where browsers find this BFF. */
  readonly ownOrigins: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly readPage: (url: string) => Promise<SitePage>;
}

type Findings = Promise<readonly Finding[]>;

/**
 * What stands between a page and the panel. Nothing is asked of a page whose origin is not on the list, and a page that was
 * just read is not read again. Rejects with Failure `rate_limited`.
 */
export function createExamineAskedPage(deps: AskedPageDeps): (page: URL) => Findings {
  const { clock, ownOrigins, allowedOrigins, readPage } = deps;
  const readings = createRateLimit(deps, READINGS);
  const kept = new LRUCache<string, { readonly at: number; readonly findings: Findings }>({ max: MAX_KEPT });

  async function examine(url: string): Findings {
    await readings.take("all");
    try {
      const page = await readPage(url);
      const tagged = ownOrigins.find((origin) => page.html.includes(`${origin}/widget.js`));
      return examinePage(page, { chatOrigin: tagged ?? ownOrigins[0] ?? "", allowedOrigins });
    } catch (error) {
      if (!(error instanceof PageFault)) throw error;
      return [fault("page", `${url} can't be read from here: ${error.message}.`)];
    }
  }

  return async ({ origin, pathname }) => {
    const url = origin + pathname;
    if (!allowedOrigins.includes(origin)) {
      const sentence = `${origin} may not show the panel: add it to ALLOWED_ORIGINS, exactly as it stands here.`;
      return [fault("page", sentence)];
    }
    const now = clock.now();
    const last = kept.get(url);
    if (last && now - last.at < KEEP_MS) return last.findings;
    const findings = examine(url);
    kept.set(url, { at: now, findings });
    // A refusal is of now, and nothing that is known of the page.
    findings.catch(() => kept.delete(url));
    return findings;
  };
}
