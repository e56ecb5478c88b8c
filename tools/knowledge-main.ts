import { readFileSync } from "node:fs";
import { runKnowledge } from "./knowledge/command-line.ts";
import { outliveReader } from "./outlive-reader.ts";

outliveReader(process.stdout);
const { output, errors, exitCode } = await runKnowledge({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  now: Date.now(),
});
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = exitCode;
