import { SCRIPTS, type Variant } from "./page-variants.ts";
import type { Stage } from "./page-visit.ts";

interface TraceEvent {
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time, which other programs do not lengthen. */
  readonly tdur?: number;
  readonly tid: number;
  readonly args?: { readonly data?: { readonly url?: string }; readonly fileName?: string };
}

const CATEGORIES = ["devtools.timeline", "v8", "disabled-by-default-v8.compile"];

/** Processor time that compiling and running the variant's script took on the page's main thread, in ms. */
export async function scriptTime(stage: Stage, variant: Variant): Promise<number> {
  const { browser, address } = stage;
  const context = await browser.newContext();
  const page = await context.newPage();
  await browser.startTracing(page, { categories: CATEGORIES });
  await page.goto(address(variant), { waitUntil: "networkidle" });
  const trace = await browser.stopTracing();
  await context.close();
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const own = traceEvents.filter(
    ({ name, args }) =>
      (name === "EvaluateScript" || name === "v8.compile") &&
      (args?.data?.url ?? args?.fileName ?? "").endsWith(SCRIPTS[variant]),
  );
  const outer = own.filter((event) => !own.some((other) => other !== event && holds(other, event)));
  return outer.reduce((sum, { tdur, dur = 0 }) => sum + (tdur ?? dur), 0) / 1_000;
}

function holds(outer: TraceEvent, { tid, ts }: TraceEvent): boolean {
  return (
    outer.tid === tid && outer.ts <= ts && ts < outer.ts + (outer.dur ?? 0) && outer.name === "EvaluateScript"
  );
}
