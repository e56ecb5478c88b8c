import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Runs every measurement, one after another, so that they don't disturb each other. Fails when one exceeds its budget.
 */
const MEASUREMENTS = [
  "durable-writes.ts",
  "server.ts",
  "log-append.ts",
  "desk-queue.ts",
  "page.ts",
  "knowledge.ts",
];

/** Parts of `server.ts` may be named: `npm run bench -- floods`. `knowledge` takes the folder of its corpora. */
const given = process.argv.slice(2);
const isKnowledge = given[0] === "knowledge";
const parts = isKnowledge ? given.slice(1) : given;
const named = isKnowledge ? ["knowledge.ts"] : ["server.ts"];
const asked = given.length > 0 ? named : MEASUREMENTS;

const failed = asked.filter((name) => {
  console.log(`\n== ${name}`);
  const file = fileURLToPath(new URL(name, import.meta.url));
  return (
    spawnSync(process.execPath, [file, ...parts], { stdio: ["ignore", "inherit", "inherit"] }).status !== 0
  );
});
console.log(
  failed.length === 0 ? "\nEvery budget that was measured holds." : `\nOver its budget: ${failed.join(", ")}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
