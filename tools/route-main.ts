import { readFileSync } from "node:fs";
import { outliveReader } from "./outlive-reader.ts";
import { explainRoute } from "./route/explain.ts";

outliveReader(process.stdout);
const { output, errors, exitCode } = explainRoute({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  now: Date.now(),
});
process.stdout.write(output);
process.stderr.write(errors);
process.exitCode = exitCode;
