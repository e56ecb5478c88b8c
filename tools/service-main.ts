import { readFileSync } from "node:fs";
import { parseConfig } from "../service/config.ts";
import { databaseOf, openStore, refuseMissing } from "../service/open-service.ts";
import { hasDatabase } from "../service/store/sqlite/database-files.ts";
import { Failure } from "../shared/errors.ts";
import { systemClock } from "../shared/server/clock.ts";
import { systemRandom } from "../shared/server/random.ts";
import { StartError } from "../shared/server/start-error.ts";
import { asksForHelp } from "./asks-for-help.ts";
import { outliveReader } from "./outlive-reader.ts";
import { runCommand, USAGE } from "./service/command-line.ts";
import { isDatabaseCommand, runDatabaseCommand } from "./service/database-commands.ts";

// Commands write files with customers' messages: only the owner may read them.
process.umask(0o077);

const clock = systemClock;
const random = systemRandom;

/** Runs one command of `npm run service -- …`. */
async function run(args: readonly string[]): Promise<void> {
  const { dataDir } = parseConfig(process.env, (path) => readFileSync(path, "utf8"));
  const { path, lock } = databaseOf(dataDir);
  if (isDatabaseCommand(args)) return runDatabaseCommand(args, { path, lock, clock, random, print });
  const isNewWorkspace = args.includes("workspace") && args.includes("create");
  if (!isNewWorkspace && !hasDatabase(path)) {
    refuseMissing(dataDir);
    throw new StartError(`There is no database ${path}: is DATA_DIR the folder of a service?`);
  }
  const store = openStore(dataDir, { clock, random, requireUnused: () => lock()() }, () => undefined);
  try {
    await runCommand(args, { store, random, print });
  } finally {
    await store.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const args = process.argv.slice(2);
if (args.length === 0) {
  await import("../service/main.ts");
} else {
  outliveReader(process.stdout);
  if (asksForHelp(args)) print(USAGE);
  else {
    await run(args).catch((error: unknown) => {
      if (!(error instanceof StartError || error instanceof Failure)) throw error;
      process.stderr.write(`${error.message}\n`);
      process.exitCode = 1;
    });
  }
}
