import { parseConfig } from "../../service/config.ts";
import { databaseOf, openStore, refuseMissing } from "../../service/open-store.ts";
import { hasDatabase } from "../../service/store/sqlite/database-files.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Environment, ReadFile } from "../../shared/server/environment.ts";
import { makeDataFolder } from "../../shared/server/make-folder.ts";
import type { Random } from "../../shared/server/random.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { runCommand } from "./command-line.ts";
import { isDatabaseCommand, runDatabaseCommand } from "./database-commands.ts";

/**
 * Runs one command of `npm run service -- …` on the data folder that the environment names. Only `workspace create`
 * makes a new database. @throws StartError with one sentence, Failure of the store
 */
export async function runOnFolder(
  args: readonly string[],
  deps: {
    readonly env: Environment;
    readonly readFile: ReadFile;
    readonly clock: Clock;
    readonly random: Random;
    /** Takes one line of output. */
    readonly print: (line: string) => void;
  },
): Promise<void> {
  const { env, readFile, clock, random, print } = deps;
  const { dataDir } = parseConfig(env, readFile);
  const { path, lock } = databaseOf(dataDir);
  if (isDatabaseCommand(args)) return runDatabaseCommand(args, { path, lock, clock, random, print });
  const isNewWorkspace = args.includes("workspace") && args.includes("create");
  if (!isNewWorkspace && !hasDatabase(path)) {
    refuseMissing(dataDir);
    throw new StartError(`There is no database ${path}: is DATA_DIR the folder of a service?`);
  }
  makeDataFolder(dataDir);
  const store = openStore(dataDir, { clock, random, requireUnused: () => lock()() }, () => undefined);
  try {
    await runCommand(args, { store, random, print });
  } finally {
    await store.close();
  }
}
