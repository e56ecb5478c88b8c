import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The tests start the product about a hundred times; a start takes 0.8 s of processor time with this cache, else 1.5. */
process.env["NODE_COMPILE_CACHE"] ??= `${ROOT}.cache/compile`;

export interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...args: string[]];
}

/** A script of package.json. */
export const script = (name: string): Step => ({ name, command: ["npm", "run", "--silent", name] });

export interface Ended {
  readonly ok: boolean;
  readonly printed: string;
}

/** Runs one step and prints its output in one piece when it has ended. */
export async function run({ name, command: [program, ...args] }: Step): Promise<Ended> {
  console.log(`\n== ${name} …`);
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
  return { ok, printed };
}
