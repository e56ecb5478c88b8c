import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import {
  copyDatabase,
  KeptError,
  moveDurably,
  removeDatabase,
  setAside,
  withDatabase,
} from "./database-file.ts";

/**
 * Puts a backup of `bff.sqlite` in its place; the caller has the lock of the data folder. What was there is kept as
 * `….replaced`. Every position in a log means nothing any more, so that no panel takes a new entry for one that it has
 * seen.
 *
 * @throws KeptError with one sentence; then nothing was changed
 */
export async function restoreKept(options: {
  readonly from: string;
  readonly to: string;
  /** Replaces what is there. */
  readonly force: boolean;
  /** Leaves out every session: one that was ended after the backup was made would hold again. */
  readonly withoutSessions: boolean;
  /** A name that no log had before. */
  readonly epoch: string;
}): Promise<{ readonly replaced: string | undefined }> {
  const { from, to, force, withoutSessions, epoch } = options;
  if (!existsSync(from)) throw new KeptError(`There is no file ${from}.`);
  const isThere = existsSync(to);
  if (isThere && !force)
    throw new KeptError(`There is a store ${to}: add --force to replace it. It is kept beside the new one.`);
  const fresh = `${to}.restoring`;
  removeDatabase(fresh);
  try {
    await copyDatabase(from, fresh);
    withDatabase(fresh, (database) => {
      renewEpoch(database, epoch);
      if (withoutSessions) database.exec("DELETE FROM sessions");
      database.exec("VACUUM");
    });
    const replaced = isThere ? setAside(to) : undefined;
    moveDurably(fresh, to);
    return { replaced };
  } catch (error) {
    removeDatabase(fresh);
    throw error;
  }
}

function renewEpoch(database: DatabaseSync, epoch: string): void {
  database.prepare("UPDATE pointers SET epoch = ? WHERE conversation_id IS NOT NULL").run(epoch);
  const save = database.prepare("UPDATE pointers SET aside = ? WHERE external_id = ?");
  for (const row of database
    .prepare("SELECT external_id, aside FROM pointers WHERE aside IS NOT NULL")
    .all()) {
    // Written by the session store from its own type, and by nobody else.
    const aside = JSON.parse(String(row["aside"])) as object[];
    save.run(JSON.stringify(aside.map((each) => ({ ...each, epoch }))), String(row["external_id"]));
  }
}
