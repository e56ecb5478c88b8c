import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Frame, Page } from "@playwright/test";
import axe, { type FrameContext, type PartialResult, type PartialResults, type RunOptions } from "axe-core";

declare global {
  interface Window {
    /** In documents that axe has looked at. */
    axe: typeof axe;
  }
}

/** Less than half of the bytes of `axe.source`, which each frame of each page gets and compiles. */
const SOURCE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Every rule; axe disables the one about target size by default. */
const EVERY_RULE: RunOptions = { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } };

/** The rules that read colours and sizes. The others run once for each state: what CSS hides on one device only, they miss. */
const LOOK_RULES: RunOptions = {
  resultTypes: ["violations"],
  runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
};

/** Faults in `page`, including its frames and shadow roots. */
export const violationsOf = (page: Page): Promise<string[]> => faultsOf(page, EVERY_RULE);

/** Those of them that can be different in another look or on another device. */
export const lookViolationsOf = (page: Page): Promise<string[]> => faultsOf(page, LOOK_RULES);

async function faultsOf(page: Page, rules: RunOptions): Promise<string[]> {
  const partials = await partialsOf(page.mainFrame(), rules);
  // In this page, because another page of the browser would have to compile axe again.
  const { violations } = await axe.finishRun(partials, rules);
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}`));
}

/** The findings of axe in a frame and then in the frames inside; null for a frame that is gone. */
async function partialsOf(
  frame: Frame,
  rules: RunOptions,
  context?: FrameContext["frameContext"],
): Promise<PartialResults> {
  if (!(await frame.evaluate(() => "axe" in window))) await frame.evaluate(SOURCE);
  const inside = await frame.evaluate((given) => window.axe.utils.getFrameContexts(given), context);
  // As text, because the driver copies an object piece by piece, which took a third of the time.
  const own = await frame.evaluate(
    async ([given, options]) => JSON.stringify(await window.axe.runPartial(given ?? document, options)),
    [context, rules] as const,
  );
  const partials: PartialResults = [JSON.parse(own) as PartialResult];
  for (const { frameSelector, frameContext } of inside) {
    const found = await frame.evaluateHandle(
      (selector) => window.axe.utils.shadowSelect(selector),
      frameSelector,
    );
    const child = await found.asElement()?.contentFrame();
    partials.push(...(child ? await partialsOf(child, rules, frameContext) : [null]));
  }
  return partials;
}
