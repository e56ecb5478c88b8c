import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { run, type Step, script } from "./step.ts";

const RESULTS = fileURLToPath(new URL("../test-results", import.meta.url));

/** The tests start the product about a hundred times; a start takes 0.8 s of processor time with this cache, else 1.5. */
process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(new URL("../.cache/compile", import.meta.url));

interface CountedStep extends Step {
  /** File and reader of the runner's own counts; a step without one counts as a single test. */
  readonly counts?: { readonly file: string; readonly read: (report: unknown) => Counts };
}
interface Counts {
  readonly passed: number;
  readonly failed: number;
}

function readVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests } = report as { numPassedTests: number; numFailedTests: number };
  return { passed: numPassedTests, failed: numFailedTests };
}

function readPlaywright(report: unknown): Counts {
  const { stats } = report as { stats: { expected: number; unexpected: number; flaky: number } };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
}

function vitest(name: string, ...flags: string[]): CountedStep {
  const file = `${RESULTS}/${name}.json`;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return { name, command: ["vitest", "run", ...flags, ...reporters], counts: { file, read: readVitest } };
}

/** They measure how long something takes, so nothing runs beside them. */
const TIMED = ["bff/drain.slow.test.ts", "bff/slow-clients.slow.test.ts"];

/** One after another: side by side on two cores they take as long in all, and a busy machine makes tests red. */
const STEPS: readonly CountedStep[] = [
  script("lint"),
  { ...script("typecheck"), name: "types" },
  script("build"),
  { name: "redis", command: ["node", ".ci/install-redis.ts"] },
  { name: "proxies", command: ["node", ".ci/install-proxies.ts"] },
  { ...script("size"), name: "sizes" },
  vitest("timed", "--project", "slow", ...TIMED),
  vitest("unit", ...["node", "apart", "dom"].flatMap((project) => ["--project", project])),
  vitest("contract", "--project", "contract"),
  vitest("slow", "--project", "slow", ...TIMED.flatMap((file) => ["--exclude", file])),
  { ...script("e2e"), counts: { file: `${RESULTS}/e2e.json`, read: readPlaywright } },
];

/** Test runners sum up their failures in their last lines. */
const SUMMARY_LINES = 60;
const summaries: string[] = [];

/** Runs one step. A runner that fails without counting a failure (such as a crash) counts as one failed test. */
async function count(step: CountedStep): Promise<Counts> {
  const { ok, printed } = await run(step);
  if (!ok)
    summaries.push(
      `== ${step.name} FAILED, its last lines:\n${printed.trimEnd().split("\n").slice(-SUMMARY_LINES).join("\n")}`,
    );
  if (!step.counts) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  if (!existsSync(step.counts.file)) return { passed: 0, failed: 1 };
  const { passed, failed } = step.counts.read(JSON.parse(readFileSync(step.counts.file, "utf8")));
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const counts: Counts[] = [];
for (const step of STEPS) counts.push(await count(step));
const passed = counts.reduce((sum, step) => sum + step.passed, 0);
const failed = counts.reduce((sum, step) => sum + step.failed, 0);
// The steps print thousands of lines after a failure, so it is repeated where a reader looks first.
for (const summary of summaries) console.log(`\n${summary}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
