import { join } from "node:path";
import { type Browser, chromium } from "@playwright/test";
import fc from "fast-check";
import { WIDE_LIMITS } from "../../bff/testing/wide-limits.ts";
import { type Product, startProduct } from "../kit/product.ts";
import { BROWSER_OPTIONS } from "./browser-campaign.ts";
import { openLedger } from "./ledger.ts";
import { openPageBrowser, type PageBrowser } from "./page-browser.ts";
import { createSiteSigner, type SiteSigner } from "./site-signer.ts";
import { closeTab, commandOf, oneRestart, type Step, secondTab } from "./step.ts";

const MOST_COMMANDS = 14;
const BLINK_MS = 150;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const STEPS: readonly Step<PageBrowser>[] = [
  { name: "send", act: ({ write }, at) => write(at) },
  { name: "send", act: ({ write }, at) => write(at) },
  { name: "send", act: ({ write }, at) => write(at) },
  { name: "retry", act: ({ retry }, at) => retry(at) },
  {
    name: "offline",
    async act({ context }) {
      await context.setOffline(true);
      await pause(BLINK_MS);
      await context.setOffline(false);
    },
  },
  { name: "reload", act: ({ reload }, at) => reload(at) },
  secondTab,
  closeTab,
  { name: "identify", act: ({ signIn }, at, choice) => signIn(at, choice) },
  { name: "logout", act: ({ logout }, at) => logout(at) },
  {
    name: "kill",
    ...oneRestart,
    act: ({ product }) => product.crash(),
  },
];

/** After each step: no fault so far. */
async function look(browser: PageBrowser): Promise<void> {
  const fault = await browser.look();
  if (fault) throw new Error(fault);
}

export interface PageModelOptions {
  readonly runs: number;
  readonly seed: number;
  /** The path of a failure. */
  readonly path?: string;
  /** The path within its commands. */
  readonly replayPath?: string;
}

/**
 * Runs sequences of commands in pages of Chromium, against the product as `npm start` runs it. Returns how many
 * messages were stored.
 *
 * @throws Error with the shortest sequence that was found, its seed and its path
 */
export async function runPageModel(options: PageModelOptions): Promise<number> {
  const site = await createSiteSigner();
  const product = await startProduct({ ...WIDE_LIMITS, IDENTITY_KEYS: site.keySet });
  const browser = await chromium.launch(BROWSER_OPTIONS);
  try {
    return await runPagesOf({ ...options, site, product, browser });
  } finally {
    await browser.close();
    await product.dispose();
  }
}

export interface PageModelParts extends PageModelOptions {
  readonly site: SiteSigner;
  readonly product: Product;
  readonly browser: Browser;
}

/** The same with running parts. */
export async function runPagesOf({
  runs,
  seed,
  path,
  replayPath,
  ...parts
}: PageModelParts): Promise<number> {
  const ledger = openLedger(join(parts.product.dataDir, "service.sqlite"));
  let count = 0;
  const steps = STEPS.map((step) => fc.nat(11).map((choice) => commandOf(step, choice, look)));
  const property = fc.asyncProperty(
    fc.commands(steps, { maxCommands: MOST_COMMANDS, size: "max", ...(replayPath ? { replayPath } : {}) }),
    async (commands) => {
      count += 1;
      const pages = await openPageBrowser({ ...parts, ledger, name: `pages-${seed}-${count}` });
      try {
        await pages.openTab();
        await fc.asyncModelRun(() => ({ model: { tabs: 1, restarts: 0 }, real: pages }), commands);
        const faults = await pages.settle();
        if (faults.length > 0) throw new Error(faults.join("; "));
      } finally {
        await pages.dispose();
      }
    },
  );
  try {
    await fc.assert(property, { numRuns: runs, seed, ...(path ? { path } : {}), endOnFailure: false });
    return ledger.count();
  } finally {
    ledger.close();
  }
}
