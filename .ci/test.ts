import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const RESULTS = `${ROOT}test-results`;

interface Step {
  readonly name: string;
  readonly command: readonly string[];
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

function vitest(name: string, projects: readonly string[]): Step {
  const file = `${RESULTS}/${name}.json`;
  const flags = projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return { name, command: ["vitest", "run", ...flags, ...reporters], counts: { file, read: readVitest } };
}

const STEPS: readonly Step[] = [
  { name: "lint", command: ["npm", "run", "--silent", "lint"] },
  { name: "types", command: ["npm", "run", "--silent", "typecheck"] },
  { name: "build", command: ["npm", "run", "--silent", "build"] },
  { name: "redis", command: ["node", ".ci/install-redis.ts"] },
  { name: "nginx", command: ["node", ".ci/install-nginx.ts"] },
  { name: "sizes", command: ["npm", "run", "--silent", "size"] },
  vitest("unit", ["node", "apart", "dom"]),
  vitest("contract", ["contract"]),
  vitest("slow", ["slow"]),
  {
    name: "e2e",
    command: ["npm", "run", "--silent", "e2e"],
    counts: { file: `${RESULTS}/e2e.json`, read: readPlaywright },
  },
];

/** Runs one step. A runner that failed without counting a failure (it crashed, say) counts as one failed test. */
function run(step: Step): Counts {
  console.log(`\n== ${step.name}`);
  const [command = "", ...args] = step.command;
  const ok = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] }).status === 0;
  if (!step.counts) return { passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
  if (!existsSync(step.counts.file)) return { passed: 0, failed: 1 };
  const { passed, failed } = step.counts.read(JSON.parse(readFileSync(step.counts.file, "utf8")));
  return { passed, failed: ok ? failed : Math.max(failed, 1) };
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
let passed = 0;
let failed = 0;
for (const step of STEPS) {
  const counts = run(step);
  passed += counts.passed;
  failed += counts.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
