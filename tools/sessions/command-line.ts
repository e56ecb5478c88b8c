import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyDatabase, KeptError, moveDurably, removeDatabase, withDatabase } from "./database-file.ts";
import { eraseCustomer } from "./erase-customer.ts";
import { restoreKept } from "./restore-kept.ts";

export const USAGE = `npm run sessions -- backup FILE                              a consistent copy, also while the BFF runs
npm run sessions -- restore FILE [--force] [--without-sessions]  puts a copy back; the BFF must be stopped
npm run sessions -- erase --external-id ID                   what the BFF keeps of one customer

What a BFF keeps: sessions, which conversation a customer is in, and the logs of a service without events.
`;

export interface KeptCommand {
  readonly args: readonly string[];
  readonly dataDir: string;
  /** The name of the store in it. */
  readonly file: string;
  /** Takes the data folder; the answer releases it. @throws Error with one sentence while a BFF runs on it */
  readonly lock: (dataDir: string) => () => void;
  /** A name that no log had before. */
  readonly newEpoch: () => string;
  readonly print: (line: string) => void;
}

const OPTIONS = {
  force: { type: "boolean" },
  "without-sessions": { type: "boolean" },
  "external-id": { type: "string" },
} as const;

/** Carries out one command. @throws KeptError with a sentence */
export async function runKept(command: KeptCommand): Promise<void> {
  const { values, positionals } = parse(command.args);
  const [name, file, ...rest] = positionals;
  const path = join(command.dataDir, command.file);
  if (name === "backup" && rest.length === 0) return makeBackup(command, path, fileOf(file));
  if (name === "restore" && rest.length === 0) {
    const withoutSessions = values["without-sessions"] ?? false;
    return restore(command, path, { from: fileOf(file), force: values.force ?? false, withoutSessions });
  }
  if (name === "erase" && file === undefined) return erase(command, path, values["external-id"]);
  throw new KeptError(`There is no such command.\n${USAGE}`);
}

async function makeBackup({ print }: KeptCommand, path: string, to: string): Promise<void> {
  refuseMissing(path);
  if (existsSync(to)) throw new KeptError(`${to} is there already: name another file, or remove it.`);
  const partial = `${to}.partial`;
  removeDatabase(partial);
  try {
    await copyDatabase(path, partial);
    moveDurably(partial, to);
  } catch (cause) {
    removeDatabase(partial);
    throw inWords(`The backup ${to} can't be made`, cause);
  }
  print(`Backup ${to}: ${countIn(to)}. It was checked.`);
}

interface Restoring {
  readonly from: string;
  readonly force: boolean;
  readonly withoutSessions: boolean;
}

async function restore(command: KeptCommand, path: string, options: Restoring): Promise<void> {
  const { lock, dataDir, newEpoch, print } = command;
  const release = lock(dataDir);
  try {
    const { replaced } = await restoreKept({ ...options, to: path, epoch: newEpoch() });
    print(`Restored from ${options.from}: ${countIn(path)}. Every panel reads its conversation again.`);
    if (!options.withoutSessions)
      print(
        "Sessions that were ended after the backup was made hold again; --without-sessions leaves all out.",
      );
    if (replaced !== undefined)
      print(`What was there is kept as ${replaced}: remove it when it is not needed.`);
  } catch (cause) {
    throw inWords(`${options.from} can't be put back`, cause);
  } finally {
    release();
  }
}

async function erase(command: KeptCommand, path: string, externalId: string | undefined): Promise<void> {
  const { dataDir, lock, print } = command;
  if (!externalId) throw new KeptError(`Name the customer with --external-id.\n${USAGE}`);
  refuseMissing(path);
  const release = tryTo(() => lock(dataDir));
  try {
    const erased = withDatabase(path, (database) => eraseCustomer(database, externalId));
    const { sessions, pointers, entries, alsoKnownAs, isOverwritten } = erased;
    const isNothing = sessions + pointers + entries === 0;
    print(
      isNothing
        ? "The BFF keeps nothing of this customer."
        : `Erased ${sessions} sessions, ${pointers} pointers to conversations and ${entries} entries of logs.`,
    );
    if (!isOverwritten) print("Another process still reads older pages: erase again later, for their sake.");
    for (const name of alsoKnownAs) {
      print(`They wrote as ${name} before they were identified: erase that customer in the service too.`);
    }
    if (!release) {
      print(
        "A BFF runs here and may hold it in memory: restart it, then erase again to see that nothing is left.",
      );
    }
    print("Not erased by this: what the service keeps, and copies made before.");
  } catch (cause) {
    throw inWords("The customer can't be erased", cause);
  } finally {
    release?.();
  }
}

function tryTo<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch {
    // A BFF runs here: erasing works beside it, and says so.
    return undefined;
  }
}

function countIn(path: string): string {
  return withDatabase(path, (database) => {
    const count = (table: string) =>
      Number(database.prepare(`SELECT count(*) AS many FROM ${table}`).get()?.["many"]);
    return `${count("sessions")} sessions, ${count("pointers")} pointers to conversations`;
  });
}

function refuseMissing(path: string): void {
  if (!existsSync(path)) throw new KeptError(`There is no ${path}: is DATA_DIR the folder of a BFF?`);
}

function inWords(what: string, cause: unknown): KeptError {
  if (cause instanceof KeptError) return cause;
  return new KeptError(`${what}: ${cause instanceof Error ? cause.message : "unknown reason"}.`, { cause });
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    throw new KeptError(`${cause instanceof Error ? cause.message : "Not understood."}\n${USAGE}`, { cause });
  }
}

function fileOf(file: string | undefined): string {
  if (!file) throw new KeptError(`Name the file.\n${USAGE}`);
  const path = resolve(file);
  if (!existsSync(dirname(path))) throw new KeptError(`There is no folder ${dirname(path)}.`);
  return path;
}
