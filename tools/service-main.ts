import { readFileSync } from "node:fs";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { systemRandom } from "../shared/server/random.ts";
import { StartError } from "../shared/server/start-error.ts";
import { asksForHelp } from "./asks-for-help.ts";
import { outliveReader } from "./outlive-reader.ts";

// Commands write files with customers' messages: only the owner may read them.
process.umask(0o077);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const args = process.argv.slice(2);
if (args.length === 0) {
  await import("../service/main.ts");
} else {
  // Imported only here: without arguments, service/main.ts must turn on the compile cache before anything large is imported.
  const { USAGE } = await import("./service/command-line.ts");
  const { runOnFolder } = await import("./service/run-on-folder.ts");
  outliveReader(process.stdout);
  if (asksForHelp(args)) print(USAGE);
  else {
    await runOnFolder(args, {
      env: process.env,
      readFile: (path) => readFileSync(path, "utf8"),
      clock: systemClock,
      random: systemRandom,
      print,
    }).catch((error: unknown) => {
      if (!(error instanceof StartError || error instanceof Failure)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    });
  }
}
