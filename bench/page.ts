import { loadavg } from "node:os";
import { chromium } from "@playwright/test";
import { launchOptions } from "../e2e/browser.ts";
import { startSite } from "../e2e/kit/pages.ts";
import { startProduct } from "../e2e/kit/product.ts";
import { scriptTime } from "./page-trace.ts";
import { brotliBytes, pagesOfSite, VARIANTS, type Variant } from "./page-variants.ts";
import { longTasksSlowed, type Stage, type Visit, visit, warmOpening } from "./page-visit.ts";

/**
 * Measures the chat's cost for its host page: the real build, started as in production, on its own origin, in a browser
 * with an empty cache, next to a page without a chat and two controls in the same run. Medians. Countable values
 * (requests, bytes, layout shift) decide the exit code; times are only reported, because other programs use this
 * machine as well.
 */
const RUNS = Number(process.argv[2] ?? 7);
const HOVER_MS = 150;
const SLOWER = 4;
const MB = 1024 * 1024;

interface Run extends Visit {
  readonly warm: number;
  readonly script: number;
  readonly longTasksSlowed: number;
}
type Runs = Readonly<Record<Variant, Run[]>>;

async function runOf(stage: Stage, variant: Variant): Promise<Run> {
  const isChat = variant !== "nothing";
  return {
    ...(await visit(stage, variant)),
    warm: isChat ? await warmOpening(stage, variant, HOVER_MS) : 0,
    script: isChat ? await scriptTime(stage, variant) : 0,
    longTasksSlowed: await longTasksSlowed(stage, variant, SLOWER),
  };
}

async function measure(): Promise<Runs> {
  const pages = pagesOfSite();
  const site = await startSite(pages);
  const product = await startProduct({ ["ALLOWED_ORIGINS"]: site.origin, ["LOG_LEVEL"]: "error" });
  site.embed(`http://127.0.0.1:${product.port}`, { frames: site.origin.replace("localhost", "127.0.0.1") });
  const browser = await chromium.launch({
    ...launchOptions,
    // As in every desktop Chrome: a frame of another site has its own process.
    args: ["--site-per-process"],
  });
  const stage: Stage = { browser, address: (variant) => `${site.origin}/${variant}` };
  const runs: Runs = { nothing: [], button: [], prototype: [], parley: [] };
  try {
    // Not measured: the first visit of a browser and of a server pays for one-time work.
    await visit(stage, "parley");
    for (let run = 0; run < RUNS; run += 1) {
      // Interleaved, so that other load on the machine affects all of them.
      for (const variant of VARIANTS) runs[variant].push(await runOf(stage, variant));
    }
  } finally {
    await browser.close();
    await product.dispose();
    await site.close();
  }
  return runs;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

interface Figure {
  readonly name: string;
  readonly of: (variant: Variant) => number;
  readonly budget?: { readonly words: string; readonly limit: number };
  readonly isCounted?: boolean;
  readonly digits?: number;
}

function figuresOf(runs: Runs): readonly Figure[] {
  const med = (key: keyof Run) => (variant: Variant) => median(runs[variant].map((run) => run[key]));
  const upTo = (limit: number, words = `${limit}`) => ({ limit, words });
  const launcher = med("launcher");
  const opening = med("opening");
  const slowed = med("longTasksSlowed");
  const heap = (variant: Variant) => (med("heap")(variant) - med("heap")("nothing")) / MB;
  return [
    { name: "requests before intent", of: med("requestsBefore"), budget: upTo(1), isCounted: true },
    { name: "bytes before intent, br", of: med("bytesBefore"), budget: upTo(4_000), isCounted: true },
    { name: "cookies and stored items before intent", of: med("stored"), budget: upTo(0), isCounted: true },
    { name: "requests from press to composer", of: med("requestsOpening"), budget: upTo(4), isCounted: true },
    {
      name: "the same, bytes of scripts and styles, br",
      of: med("bytesOpening"),
      budget: upTo(36_000),
      isCounted: true,
    },
    { name: "the same, bytes of document and session", of: med("bytesBeside") },
    { name: "layout shift of the page", of: med("shift"), budget: upTo(0), isCounted: true, digits: 4 },
    {
      name: "launcher visible, ms",
      of: launcher,
      budget: upTo(1.1 * launcher("button"), "1.10 x button"),
    },
    {
      name: "compile and evaluate the script, ms of processor",
      of: med("script"),
      budget: upTo(5),
      digits: 1,
    },
    {
      name: "press to focused composer, ms",
      of: opening,
      budget: upTo(1.3 * opening("prototype"), "1.3 x prototype"),
    },
    {
      name: `the same after ${HOVER_MS} ms over the button, ms`,
      of: med("warm"),
      budget: upTo(0.6 * opening("prototype"), "0.6 x prototype, cold"),
    },
    { name: "the page's heap after that, MB more", of: heap, budget: upTo(0.4), digits: 2 },
    { name: "processor of the page's main thread for all that, ms", of: med("busy"), digits: 1 },
    { name: "long tasks of the page, opening and chatting", of: med("longTasks"), budget: upTo(0) },
    {
      name: `long tasks while it loads, ${SLOWER} x slower`,
      of: slowed,
      budget: upTo(slowed("nothing"), "as with nothing"),
    },
  ];
}

/** Prints one line; returns whether a countable budget is exceeded. */
function print({ name, of, budget, isCounted = false, digits = 0 }: Figure): boolean {
  const isOver = budget !== undefined && !(of("parley") <= budget.limit);
  const columns = VARIANTS.map((variant) => of(variant).toFixed(digits).padStart(10)).join("");
  const verdict = isOver ? (isCounted ? "OVER" : "over") : "ok  ";
  const limit = budget ? `${verdict} ${budget.words}` : "";
  console.log(`${name.padEnd(50)}${columns}   ${limit}`);
  return isOver && isCounted;
}

const load = () =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");
const before = load();
const runs = await measure();
const control = pagesOfSite()["/button.js"]?.html ?? "";
console.log(
  `load before ${before}, after ${load()}; ${RUNS} runs, medians; button.js is ${brotliBytes(control)} B br`,
);
console.log(`${"".padEnd(50)}${VARIANTS.map((variant) => variant.padStart(10)).join("")}   budget`);
const over = figuresOf(runs).map(print).filter(Boolean).length;
process.exitCode = over === 0 ? 0 : 1;
