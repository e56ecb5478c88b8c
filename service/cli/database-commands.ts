import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Clock } from "../../shared/server/clock.ts";
import { StartError } from "../../shared/server/start-error.ts";
import type { Random } from "../ids.ts";
import { backUpDatabase } from "../store/sqlite/backup.ts";
import { checkDatabase, type DatabaseReport } from "../store/sqlite/check-database.ts";
import { compactDatabase, openDatabase } from "../store/sqlite/database.ts";
import { restoreDatabase } from "../store/sqlite/restore.ts";

export interface DatabaseCommandDeps {
  /** The service's database. */
  readonly path: string;
  /** Takes the data folder for this process; the answer releases it. @throws StartError while a service runs on it */
  readonly lock: () => () => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

export const DATABASE_USAGE = `  npm run service -- backup FILE                             a consistent copy, also while the service runs
  npm run service -- restore FILE [--force]                  puts a copy back; the service must be stopped
  npm run service -- check [FILE]                            verifies the database, or a backup
  npm run service -- compact                                 writes the database anew, without a trace of what was erased`;

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
      print(`Restored from ${from}: ${describe(report)}. Every client reads its conversation again.`);
      if (replaced !== undefined)
        print(`What was there is kept as ${replaced}: remove it when it is not needed.`);
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
  async compact({ path, clock, print }) {
    if (!existsSync(path)) throw new StartError(`There is no database ${path}.`);
    const database = openDatabase(path, clock.now());
    try {
      print(compactDatabase(database) ? COMPACTED : NOT_COMPACTED);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : "unknown reason";
      throw new StartError(`The database can't be written anew: ${reason}. It is as it was.`, { cause });
    } finally {
      database.close();
    }
  },
};

export const COMPACTED = "The database was written anew: no trace of what was erased is left in it.";
export const NOT_COMPACTED =
  "The database was written anew, but another process still reads its older pages: run compact again later.";

/** Whether these arguments name a command on the database file; it must not be opened for them as a store is. */
export function isDatabaseCommand([name = ""]: readonly string[]): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/**
 * Carries out `backup`, `restore`, `check` or `compact`.
 *
 * @throws StartError with sentences: wrong arguments, a faulty database, a service that runs
 */
export async function runDatabaseCommand(args: readonly string[], deps: DatabaseCommandDeps): Promise<void> {
  const { values, positionals } = parse(args);
  const [name = "", file, ...rest] = positionals;
  const command = COMMANDS[name];
  if (!command || rest.length > 0) throw new StartError(`There is no such command.\n${DATABASE_USAGE}`);
  await command(deps, file, { force: values.force ?? false });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { force: { type: "boolean" } } });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "Not understood.";
    throw new StartError(`${reason}\n${DATABASE_USAGE}`, { cause });
  }
}

function fileOf(file: string | undefined): string {
  if (!file) throw new StartError(`Name the file.\n${DATABASE_USAGE}`);
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new StartError(`There is no folder ${dirname(path)}.`);
  return path;
}

function describe({ conversations, events, keys, files }: DatabaseReport): string {
  return `${conversations} conversations, ${events} events, ${keys} message keys, ${files} files`;
}
