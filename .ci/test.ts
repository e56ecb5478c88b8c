import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { run, type Step, script } from "./step.ts";

const RESULTS = fileURLToPath(new URL("../test-results", import.meta.url));

interface CountedStep extends Step {
  /** File and reader of the runner's own counts; a step without one counts as a single test. */
  readonly counts?: { readonly file: string; readonly read: (report: unknown) => Counts };
  /** Commands that run only what failed, by the report of the run, `TRIES_ALONE` times and with nothing beside it. */
  readonly alone?: (report: unknown) => readonly Step["command"][];
}
interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped?: number;
}

/** A red test that passes this often with nothing beside it was red because of the machine: docs/decisions/0065. */
const TRIES_ALONE = 3;

/** More red tests than these have a cause. */
const MOST_TRIED_ALONE = 3;

function readVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests } = report as {
    numPassedTests: number;
    numFailedTests: number;
    numPendingTests: number;
  };
  // A file whose preparation fails has no failed test.
  const failed = Math.max(numFailedTests, failedFiles(report).length);
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

function readPlaywright(report: unknown): Counts {
  const { stats } = report as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

function vitest(name: string, projects: readonly string[], ...flags: string[]): CountedStep {
  const file = `${RESULTS}/${name}.json`;
  const start = ["vitest", "run", ...projects.flatMap((project) => ["--project", project])] as const;
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return {
    name,
    command: [...start, ...flags, ...reporters],
    counts: { file, read: readVitest },
    alone: (report) => Array.from({ length: TRIES_ALONE }, () => [...start, ...failedFiles(report)]),
  };
}

function failedFiles(report: unknown): string[] {
  const { testResults } = report as { testResults: readonly { name: string; status: string }[] };
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => name);
}

/** Playwright's report, and each part of it. */
interface Suite {
  readonly suites?: readonly Suite[];
  readonly specs?: readonly { readonly ok: boolean; readonly file: string; readonly line: number }[];
}

function failedLines({ suites = [], specs = [] }: Suite): string[] {
  const own = specs.filter(({ ok }) => !ok).map(({ file, line }) => `${file}:${line}`);
  return [...new Set([...own, ...suites.flatMap(failedLines)])];
}

/** More than two cores: they often wait, for processes, for limits and for npm. */
const WORKERS = Math.max(6, availableParallelism());

/** They measure how long something takes, so nothing runs beside them. */
const TIMED = ["bff/drain.slow.test.ts", "bff/slow-clients.slow.test.ts"];

/** One after another, each with enough workers to keep two cores busy. */
const STEPS: readonly CountedStep[] = [
  script("lint"),
  { ...script("typecheck"), name: "types" },
  script("build"),
  { name: "redis", command: ["node", ".ci/install-redis.ts"] },
  { name: "proxies", command: ["node", ".ci/install-proxies.ts"] },
  { ...script("size"), name: "sizes" },
  vitest("timed", ["slow"], ...TIMED),
  vitest("unit", ["node", "apart", "dom", "without-dom"]),
  vitest("contract", ["contract"]),
  vitest("slow", ["slow"], `--maxWorkers=${WORKERS}`, ...TIMED.flatMap((file) => ["--exclude", file])),
  {
    ...script("e2e"),
    counts: { file: `${RESULTS}/e2e.json`, read: readPlaywright },
    // By their lines, because --last-failed repeats nothing. In a folder of their own: the first failure keeps its screenshots.
    alone: (report) => [
      [
        "playwright",
        "test",
        ...failedLines(report as Suite),
        "--workers=1",
        `--repeat-each=${TRIES_ALONE}`,
        "--trace=retain-on-failure",
        `--output=${RESULTS}/alone`,
      ],
    ],
  },
];

/** Test runners sum up their failures in their last lines. */
const SUMMARY_LINES = 60;
const summaries: string[] = [];

const lastLines = (printed: string) => printed.trimEnd().split("\n").slice(-SUMMARY_LINES).join("\n");

/** Runs one step. A runner that fails without counting a failure (such as a crash) counts as one failed test. */
async function count(step: CountedStep): Promise<Counts> {
  const { ok, printed } = await run(step);
  if (!step.counts || !existsSync(step.counts.file)) {
    if (!ok) summaries.push(`== ${step.name} FAILED, its last lines:\n${lastLines(printed)}`);
    return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  }
  const report: unknown = JSON.parse(readFileSync(step.counts.file, "utf8"));
  const counted = step.counts.read(report);
  if (ok) return counted;
  const { passed, failed } = counted;
  // Vitest counts an error that no test caught nowhere, and its file need not be among those that failed.
  const isCaught = !printed.includes("Unhandled Errors");
  const isMachine = isCaught && failed > 0 && (await passesAlone(step, report, failed));
  const verdict = isMachine ? `${failed} red beside others, green ${TRIES_ALONE} times alone` : "FAILED";
  summaries.push(`== ${step.name}: ${verdict}; the last lines of its run:\n${lastLines(printed)}`);
  return isMachine
    ? { ...counted, passed: passed + failed, failed: 0 }
    : { ...counted, failed: Math.max(failed, 1) };
}

/** Whether the few tests that failed pass each time with nothing beside them. */
async function passesAlone({ name, alone }: CountedStep, report: unknown, failed: number): Promise<boolean> {
  if (!alone || failed > MOST_TRIED_ALONE) return false;
  for (const command of alone(report)) if (!(await run({ name: `${name}, alone`, command })).ok) return false;
  return true;
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const counts: Counts[] = [];
for (const step of STEPS) counts.push(await count(step));
const passed = counts.reduce((sum, step) => sum + step.passed, 0);
const failed = counts.reduce((sum, step) => sum + step.failed, 0);
const skipped = counts.reduce((sum, step) => sum + (step.skipped ?? 0), 0);
// The steps print thousands of lines after a failure, so it is repeated where a reader looks first.
for (const summary of summaries) console.log(`\n${summary}`);
if (skipped > 0) console.log(`\n${skipped} skipped`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
