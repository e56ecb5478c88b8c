import type { Browser } from "@playwright/test";
import { type BrowserKind, type Visit, visitWith } from "./browser-kinds.ts";
import type { Findings } from "./check.ts";
import type { Ledger } from "./ledger.ts";
import { type PageWatch, watchPages } from "./page-watch.ts";

const SETTLE_MS = 40_000;
const POLL_MS = 50;
/** The minimum number of messages per visit; the last ones are written after the fault. */
const AT_LEAST = 3;

export interface BrowserRun {
  readonly browser: Browser;
  readonly ledger: Ledger;
  /** A page with the tag. */
  readonly url: string;
  readonly kind: BrowserKind;
  readonly run: number;
  /** A unique name. */
  readonly name: string;
  /** How often the fault starts and ends; once if absent. */
  readonly rounds?: number;
}

/** One visit during which the fault starts and ends; then the screen is compared with the store. */
export async function runInBrowser(options: BrowserRun): Promise<Findings> {
  const { browser, ledger, url, kind, run, name, rounds = 1 } = options;
  const context = await browser.newContext();
  try {
    const watch = await watchPages(context, ledger);
    const visit = await visitWith({ context, url, kind, run, name, rounds });
    const stored = () => ledger.bodiesWith(`${name} writes`);
    const isSettled = async () => {
      await retryAll(visit);
      const shown = await shownOf(visit, name);
      return (
        shown.join("\n") === stored().join("\n") && shown.length >= AT_LEAST && (await doubts(visit)) === 0
      );
    };
    const deadline = performance.now() + SETTLE_MS;
    while (!(await isSettled()) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const left = await doubts(visit);
    return findingsOf({ shown: await shownOf(visit, name), stored: stored(), left, watch, ledger });
  } finally {
    await context.close();
  }
}

async function retryAll({ panel }: Visit): Promise<void> {
  for (const retry of await panel.button("Retry").all()) {
    // A button that disappeared meanwhile needs no click.
    await retry.click({ timeout: 1000 }).catch(() => undefined);
  }
}

const doubts = ({ panel }: Visit) => panel.button("Retry").count();

/** Reads the document, not the rendering: the browser skips what is scrolled away. */
async function shownOf({ panel }: Visit, name: string): Promise<string[]> {
  const text = (await panel.log.textContent()) ?? "";
  return [...text.matchAll(new RegExp(`${name} writes \\d+\\.`, "g"))].map(([body]) => body);
}

interface Seen {
  readonly shown: readonly string[];
  readonly stored: readonly string[];
  /** The number of unconfirmed messages. */
  readonly left: number;
  readonly watch: PageWatch;
  readonly ledger: Ledger;
}

function findingsOf({ shown, stored, left, watch, ledger }: Seen): Findings {
  const onScreen = new Set(shown);
  const inStore = new Set(stored);
  const unshown = stored.filter((body) => !onScreen.has(body)).length;
  const unstored = [...watch.told].filter((id) => !ledger.hasMessage(id)).length;
  const known = shown.filter((body) => inStore.has(body));
  const isOrdered = known.join("\n") === stored.filter((body) => onScreen.has(body)).join("\n");
  const other = [...watch.errors];
  if (left > 0) other.push(`${left} not confirmed`);
  if (known.length < shown.length) other.push(`${shown.length - known.length} on the screen and not stored`);
  if (stored.length < AT_LEAST) other.push(`only ${stored.length} stored`);
  if (watch.told.size === 0) other.push("nothing was ever called sent");
  return {
    messages: stored.length,
    lost: unshown + unstored,
    doubled: stored.length - inStore.size + shown.length - onScreen.size,
    disordered: isOrdered ? 0 : 1,
    falseSent: watch.falselyTold.length,
    other,
  };
}
