import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

const script = (name: string): Step => ({ name, command: ["npm", "run", "--silent", name] });

/** Its files are what budgets and some tests look at. */
const FIRST: Step = { name: "build", command: ["node", "widget/build.ts", "--if-stale"] };
/** Steps of a lane run one after another, the lanes side by side: the tests wait now and then, the others never. */
const LANES: readonly (readonly Step[])[] = [
  [script("lint"), script("typecheck"), script("size")],
  [script("unit")],
];

/** Runs one step, and shows what it printed in one piece when it has ended. True when it succeeded. */
async function run({ name, command: [program, ...args] }: Step): Promise<boolean> {
  const began = performance.now();
  const child = spawn(program, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      printed += piece;
    });
  }
  const ok = await new Promise<boolean>((resolve) => {
    child.once("error", (error) => {
      printed += `${error.message}\n`;
      resolve(false);
    });
    child.once("close", (code) => resolve(code === 0));
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`\n== ${name}: ${ok ? "ok" : "FAILED"}, ${seconds} s\n${printed.trimEnd()}`);
  return ok;
}

async function runLane(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const step of steps) if (!(await run(step))) failed.push(step.name);
  return failed;
}

const failed = await runLane([FIRST]);
if (failed.length === 0) failed.push(...(await Promise.all(LANES.map(runLane))).flat());
console.log(failed.length === 0 ? "\nAll checks passed." : `\nFAILED: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
