import type { DatabaseSync } from "node:sqlite";
import { watchPlace } from "../../../shared/server/file-place.ts";
import { createShelf, type Shelf } from "../../files/shelf.ts";
import { createId } from "../../ids.ts";
import { USUAL_LIMITS } from "../conversations.ts";
import { createStore, type Store, type StoreDeps, type StoreDriver } from "../store.ts";
import { createActionStore } from "./actions.ts";
import { createAnswerStore } from "./answers.ts";
import { createAttachmentRows } from "./attachments.ts";
import { reader, text } from "./columns.ts";
import { createCompaction } from "./compaction.ts";
import { createConversationStore } from "./conversations.ts";
import { createCustomerStore } from "./customers.ts";
import { openDatabase, serveFrom } from "./database.ts";
import { filesOf } from "./database-files.ts";
import { createDeskAccountStore } from "./desk-accounts.ts";
import { createDeskStore } from "./desk-conversations.ts";
import { createDeskPeopleStore } from "./desk-people.ts";
import { DisplacedError } from "./displaced.ts";
import { watchErasedElsewhere } from "./erased-elsewhere.ts";
import { createErasureRows } from "./erasure.ts";
import { createHandoffStore } from "./handoffs.ts";
import { StoreError } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { createProfileStore } from "./profiles.ts";
import { q } from "./query.ts";
import type { Reserve } from "./reserve.ts";
import { createSql, type Sql } from "./sql.ts";
import { createSummaryStore } from "./summaries.ts";
import { createCredentialStore, createWorkspaceStore } from "./workspaces.ts";
import { createWriteQueue, type Pause } from "./write-queue.ts";

const Meta = reader({ value: text });

export interface SqliteStoreDeps extends StoreDeps {
  /** The database file; its folder exists. */
  readonly path: string;
  /** Called before the schema of an existing database is changed; what it throws prevents that. */
  readonly requireUnused?: (() => void) | undefined;
  /** Space for erasures on a full disk; without it they fail there. */
  readonly reserve?: Reserve | undefined;
  /** Waits for another process's lock; the machine's own timer by default. */
  readonly pause?: Pause | undefined;
}

const FILE_QUOTA_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * The embedded store: one SQLite file, write-ahead log, group commit.
 *
 * @throws StoreError with one sentence when the file can't be used
 */
export function openSqliteStore(deps: SqliteStoreDeps): Store {
  return createSqliteStore(openWithReserve(deps), deps);
}

/**
 * A full disk has no room even for the files that SQLite needs to open a database, so the reserve releases its space.
 */
function openWithReserve({ path, clock, reserve, requireUnused }: SqliteStoreDeps): DatabaseSync {
  const open = () => openDatabase(path, clock.now(), MIGRATIONS, requireUnused);
  try {
    return open();
  } catch (error) {
    // Beside a running service the reserve is that service's.
    if (!(error instanceof StoreError) || !reserve?.release()) throw error;
    try {
      return open();
    } finally {
      reserve.fill();
    }
  }
}

/** The store on an open database with the newest schema and the files next to it. Closing the store closes it. */
export function createSqliteStore(
  database: DatabaseSync,
  deps: Omit<SqliteStoreDeps, "path">,
  shelf: Shelf = createShelf(filesOf(database.location() ?? "")),
): Store {
  return createStore(createSqliteDriver(database, deps), { ...deps, shelf });
}

function createSqliteDriver(database: DatabaseSync, deps: Omit<SqliteStoreDeps, "path">): StoreDriver {
  const { clock, random, publish, pause, reserve } = deps;
  const sql = createSql(database);
  const epoch = readEpoch(sql, createId("e", clock.now(), random));
  const waitLonger = serveFrom(database);
  const isDisplaced = watchPlace(database);
  const displaced = () => (isDisplaced() ? new DisplacedError() : undefined);
  const queue = createWriteQueue({
    database,
    sql,
    now: () => clock.now(),
    random,
    publish,
    displaced,
    pause,
  });
  const core = { sql, write: queue.write, clock };
  const compaction = createCompaction({ database, sql, clock, reserve });
  const stopWatching = watchErasedElsewhere({ sql, clock, publish });
  return {
    workspaces: createWorkspaceStore(core),
    credentials: createCredentialStore(core),
    customers: createCustomerStore(core),
    profiles: createProfileStore(core),
    conversations: createConversationStore(core, deps.conversationLimits ?? USUAL_LIMITS),
    attachments: createAttachmentRows(core, deps.fileQuotaBytes ?? FILE_QUOTA_BYTES),
    actions: createActionStore(core),
    answers: createAnswerStore(core),
    handoffs: createHandoffStore(core),
    summaries: createSummaryStore(core),
    desk: createDeskStore(core),
    deskAccounts: createDeskAccountStore(core),
    deskPeople: createDeskPeopleStore(core),
    erasure: createErasureRows({ ...core, database, random, reserve, compaction, publish }),
    epoch,
    async probe() {
      await queue.write((tx) => {
        tx.sql.run(
          q`INSERT INTO meta (key, value)
            VALUES ('probe', ${String(tx.now)}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        );
      });
    },
    async close() {
      stopWatching();
      if (database.isOpen) waitLonger();
      queue.close();
      compaction.close();
      if (database.isOpen) database.close();
    },
  };
}

/** Created with the database, so that a replaced log has another one. */
function readEpoch(sql: Sql, fresh: string): string {
  sql.run(q`INSERT INTO meta (key, value) VALUES ('epoch', ${fresh}) ON CONFLICT (key) DO NOTHING`);
  return sql.one(Meta, q`SELECT value FROM meta WHERE key = 'epoch'`)?.value ?? fresh;
}
