import { readFileSync } from "node:fs";
import { StartError } from "../shared/server/start-error.ts";
import { outliveReader } from "./outlive-reader.ts";
import { runSessions } from "./sessions/command-line.ts";

outliveReader(process.stdout);
runSessions({
  args: process.argv.slice(2),
  env: process.env,
  readFile: (path) => readFileSync(path, "utf8"),
  print: (line) => void process.stdout.write(`${line}\n`),
}).catch((error: unknown) => {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
