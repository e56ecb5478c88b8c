import { run, type Step, script } from "./step.ts";

/** Budgets and some tests look at the built files. */
const FIRST: Step = { name: "build", command: ["node", "widget/build.ts", "--if-stale"] };
/**
 * Steps of a lane run one after another, lanes run concurrently: the tests sometimes wait, the other steps never do.
 */
const LANES: readonly (readonly Step[])[] = [
  [script("lint"), script("typecheck"), script("size")],
  [script("unit")],
];

async function runLane(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of steps) if (!(await run(step)).ok) failed.push(step.name);
  return failed;
}

const failed = await runLane([FIRST]);
if (failed.length === 0) failed.push(...(await Promise.all(LANES.map(runLane))).flat());
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFAILED: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
