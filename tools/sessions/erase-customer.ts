import type { DatabaseSync } from "node:sqlite";

/** What was kept of one customer, and is gone. */
export interface ErasedCustomer {
  readonly sessions: number;
  readonly pointers: number;
  readonly entries: number;
  /** The anonymous visitors that this customer was before: the service has those conversations in their names. */
  readonly alsoKnownAs: readonly string[];
  /** False while another process reads older pages, in which the rows may still stand. */
  readonly isOverwritten: boolean;
}

interface Links {
  readonly owner: string | null;
  readonly aside: string | null;
}

/**
 * Erases what a BFF keeps of a customer: sessions, pointers to conversations, and the logs that it keeps for a service
 * without events; also those of the anonymous visitors who this customer turned out to be. Then the file is written anew.
 *
 * @throws Error of SQLite: locked, no room; then nothing was erased, or the last step is still to be done
 */
export function eraseCustomer(database: DatabaseSync, externalId: string): ErasedCustomer {
  const { pointers, sessions, entries, names } = transact(database, () => {
    const links = database.prepare("SELECT owner, aside FROM pointers WHERE external_id = ?").get(externalId);
    const names = [...new Set([externalId, ...ownersIn(links as unknown as Links | undefined)])];
    const hasLogs = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'feed_events'").get();
    const remove = (table: string) => {
      const statement = database.prepare(`DELETE FROM ${table} WHERE external_id = ?`);
      return names.reduce((sum, name) => sum + Number(statement.run(name).changes), 0);
    };
    return {
      names,
      sessions: remove("sessions"),
      pointers: remove("pointers"),
      entries: hasLogs ? remove("feed_events") : 0,
    };
  });
  database.exec("VACUUM");
  const busy = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"];
  return { sessions, pointers, entries, alsoKnownAs: names.slice(1), isOverwritten: busy !== 1 };
}

function ownersIn(links: Links | undefined): string[] {
  // Written by the session store from its own type, and by nobody else.
  const aside = JSON.parse(links?.aside ?? "[]") as { readonly owner?: string }[];
  return [links?.owner, ...aside.map(({ owner }) => owner)].filter((owner) => typeof owner === "string");
}

function transact<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
