import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Every measurement, one after another: two at once would measure each other. Fails when one is over its budget. */
const MEASUREMENTS = ["durable-writes.ts", "server.ts", "log-append.ts", "page.ts"];

const failed = MEASUREMENTS.filter((name) => {
  console.log(`\n== ${name}`);
  const file = fileURLToPath(new URL(name, import.meta.url));
  return spawnSync(process.execPath, [file], { stdio: ["ignore", "inherit", "inherit"] }).status !== 0;
});
console.log(failed.length === 0 ? "\nEvery budget holds." : `\nOver its budget: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
