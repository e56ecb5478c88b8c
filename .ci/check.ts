import { spawnSync } from "node:child_process";
import { run, type Step, script } from "./step.ts";

/** Budgets and some tests look at the built files. */
const FIRST: Step = { name: "build", command: ["node", "widget/build.ts", "--if-stale"] };
const REDIS: Step = { name: "redis", command: ["node", ".ci/install-redis.ts"] };
const PROJECTS = ["node", "apart", "dom", "without-dom"].flatMap((name) => ["--project", name]);
const VITEST = ["vitest", "run", ...PROJECTS] as const;
/** They read documents and sources as files, so no import tells that a change reaches them. */
const READERS = [
  ".ci/",
  "e2e/accessibility-sources",
  "e2e/deploy/",
  "e2e/documents",
  "e2e/observability",
  "shared/directions",
  "widget/app/locales/",
  "widget/elements/look",
];

/**
 * The unit tests whose imports lead to what differs from the main branch; `npm test` runs all of them
 * (docs/decisions/0088).
 */
function unitSteps(): Step[] {
  const base = mergeBase();
  if (base === undefined) return [script("unit")];
  return [
    REDIS,
    {
      name: `unit tests of what changed since ${base.slice(0, 10)}`,
      command: [...VITEST, "--changed", base],
    },
    { name: "unit tests that read documents and sources", command: [...VITEST, ...READERS] },
  ];
}

/** The commit at which this branch left the main one; undefined outside a repository that has it. */
function mergeBase(): string | undefined {
  for (const main of ["origin/main", "main"]) {
    const { status, stdout } = spawnSync("git", ["merge-base", "HEAD", main], { encoding: "utf8" });
    if (status === 0) return stdout.trim();
  }
  return undefined;
}

/**
 * Steps of a lane run one after another, lanes run concurrently: the tests sometimes wait, the other steps never do.
 */
const LANES: readonly (readonly Step[])[] = [
  [script("lint"), script("typecheck"), script("size")],
  unitSteps(),
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
