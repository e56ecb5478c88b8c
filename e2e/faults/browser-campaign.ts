import { join } from "node:path";
import { chromium } from "@playwright/test";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import { launchOptions } from "../browser.ts";
import { startProduct } from "../kit/product.ts";
import type { BrowserKind } from "./browser-kinds.ts";
import { runInBrowser } from "./browser-run.ts";
import { addRun, emptyTotal, failed, type Total } from "./campaign.ts";
import { openLedger } from "./ledger.ts";
import { createSeededRandom } from "./random.ts";

/** A full Chromium keeps pages in its back-forward cache, unless the test runner's flag disables it; the headless shell has none. */
export const BROWSER_OPTIONS = {
  ...launchOptions,
  ignoreDefaultArgs: ["--disable-back-forward-cache"],
};
export interface BrowserCampaign {
  readonly kinds: readonly BrowserKind[];
  readonly runs: number;
  readonly firstRun: number;
  readonly seed: string;
  readonly onTotal: (total: Total) => void;
}

/** Runs every kind of browser fault, in Chromium against the product as `npm start` runs it. */
export async function runBrowserCampaign(options: BrowserCampaign): Promise<readonly Total[]> {
  const { kinds, runs, firstRun, seed, onTotal } = options;
  if (kinds.length === 0) return [];
  const product = await startProduct(WIDE_LIMITS);
  const ledger = openLedger(join(product.dataDir, "service.sqlite"));
  const browser = await chromium.launch(BROWSER_OPTIONS);
  try {
    const totals: Total[] = [];
    for (const kind of kinds) {
      const total = emptyTotal(kind.name);
      const startedAt = performance.now();
      for (let run = firstRun; run < firstRun + runs; run += 1) {
        const name = `${kind.name}-${run}-${createSeededRandom(`${seed}/${kind.name}/${run}`).hex(6)}`;
        const found = await runInBrowser({ browser, ledger, url: product.site, kind, run, name }).catch(
          failed,
        );
        addRun(total, found, `--seed ${seed} --kind ${kind.name} --from ${run} --runs 1`);
      }
      total.ms = Math.round(performance.now() - startedAt);
      totals.push(total);
      onTotal(total);
    }
    return totals;
  } finally {
    await browser.close();
    ledger.close();
    await product.dispose();
  }
}
