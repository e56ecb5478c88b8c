import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { backUpDatabase } from "../../service/store/sqlite/backup.ts";
import { checkDatabase, type DatabaseReport } from "../../service/store/sqlite/check-database.ts";
import { compactDatabase, openDatabase } from "../../service/store/sqlite/database.ts";
import { hasDatabase } from "../../service/store/sqlite/database-files.ts";
import { MIGRATIONS } from "../../service/store/sqlite/migrations.ts";
import { restoreDatabase } from "../../service/store/sqlite/restore.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Random } from "../../shared/server/random.ts";
import { StartError } from "../../shared/server/start-error.ts";
import { counted } from "../counted.ts";
import { parseCommand } from "../parse-command.ts";

export interface DatabaseCommandDeps {
  /** The service's database. */
  readonly path: string;
  /**
   * Locks the data folder for this process; returns the function that unlocks it. @throws StartError while a service
   * uses it
   */
  readonly lock: () => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

export const DATABASE_USAGE = `  npm run service -- backup FILE                             makes a consistent copy, also while the service runs
  npm run service -- restore FILE [--force]                  restores a copy; stop the service first
  npm run service -- check [FILE]                            verifies the database, or a backup
  npm run service -- compact                                 rewrites the database without traces of what was erased`;

type DatabaseCommand = (
  deps: DatabaseCommandDeps,
  file: string | undefined,
  options: { force: boolean },
) => Promise<void>;

const COMMANDS: Readonly<Record<string, DatabaseCommand>> = {
  async backup({ path, print }, file) {
    const to = fileOf(file);
    const report = await backUpDatabase(path, to);
    print(`Backup ${to}: ${describe(report)}. It was checked.`);
  },
  async restore({ path, lock, clock, random, print }, file, { force }) {
    const from = fileOf(file);
    const release = lock();
    try {
      const { replaced, ...report } = await restoreDatabase({ from, to: path, force, clock, random });
      print(`Restored from ${from}: ${describe(report)}. Every client will read its conversation again.`);
      if (replaced !== undefined)
        print(`The former database is now ${replaced}. Remove it when you do not need it any more.`);
    } finally {
      release();
    }
  },
  async check({ path, print }, file) {
    const checked = file === undefined ? path : resolve(file);
    const report = checkDatabase(checked);
    if (report.faults.length > 0)
      throw new StartError([`${checked} is faulty.`, ...report.faults].join("\n"));
    print(`${checked}: ${describe(report)}. No fault was found.`);
  },
  async compact({ path, lock, clock, print }, file) {
    if (file !== undefined) throw new StartError(`compact takes no file: it rewrites ${path}.`);
    if (!hasDatabase(path)) throw new StartError(`There is no database ${path}: it is missing or empty.`);
    const database = openDatabase(path, clock.now(), MIGRATIONS, () => lock()());
    try {
      print(compactDatabase(database) ? COMPACTED : NOT_COMPACTED);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "unknown reason";
      throw new StartError(`The database can't be rewritten: ${reason}. It did not change.`, { cause });
    } finally {
      database.close();
    }
  },
};

export const COMPACTED = "The database was rewritten: it holds no trace of what was erased.";
export const NOT_COMPACTED =
  "The database was rewritten, but another process still reads its older pages. Run npm run service -- compact again later.";

/** Whether the arguments name a command on the database file, for which no store may be opened. */
export function isDatabaseCommand([name = ""]: readonly string[]): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/**
 * Runs `backup`, `restore`, `check` or `compact`.
 *
 * @throws StartError with sentences: wrong arguments, a faulty database, a running service
 */
export async function runDatabaseCommand(args: readonly string[], deps: DatabaseCommandDeps): Promise<void> {
  const { values, positionals } = parseCommand(args, { force: { type: "boolean" } }, DATABASE_USAGE);
  const [name = "", file, ...rest] = positionals;
  const command = COMMANDS[name];
  if (!command || rest.length > 0) throw new StartError(`Unknown command.\n${DATABASE_USAGE}`);
  const { force = false } = values;
  if (force && name !== "restore") throw new StartError(`${name} takes no --force.\n${DATABASE_USAGE}`);
  await command(deps, file, { force });
}

function fileOf(file: string | undefined): string {
  if (!file) throw new StartError(`Name the file.\n${DATABASE_USAGE}`);
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new StartError(`There is no folder ${dirname(path)}.`);
  return path;
}

function describe({ conversations, events, keys, files }: DatabaseReport): string {
  return [
    counted(conversations, "conversation"),
    counted(events, "event"),
    counted(keys, "message key"),
    counted(files, "file"),
  ].join(", ");
}
