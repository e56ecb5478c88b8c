import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs every measurement, one after another, so that they don't disturb each other. Fails when one exceeds its budget.
 */
const MEASUREMENTS = ["durable-writes.ts", "server.ts", "log-append.ts", "desk-queue.ts", "page.ts"];

/** Parts of `server.ts` may be named: `npm run bench -- floods`. */
const parts = process.argv.slice(2);
const asked = parts.length > 0 ? ["server.ts"] : MEASUREMENTS;

const failed = asked.filter((name) => {
  console.log(`\n== ${name}`);
  const file = fileURLToPath(new URL(name, import.meta.url));
  return (
    spawnSync(process.execPath, [file, ...parts], { stdio: ["ignore", "inherit", "inherit"] }).status !== 0
  );
});
console.log(failed.length === 0 ? "\nEvery budget holds." : `\nOver its budget: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
