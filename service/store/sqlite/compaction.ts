import type { DatabaseSync } from "node:sqlite";
import { type Clock, isRecent } from "../../../shared/server/clock.ts";
import { compactSmall } from "./database.ts";
import { q } from "./query.ts";
import type { Reserve } from "./reserve.ts";
import type { Sql } from "./sql.ts";
import type { Transaction } from "./write-queue.ts";

/** Every other request waits while the file is rewritten, so customers' erasures share one rewriting in this time. */
export const COMPACT_MS = 10 * 60 * 1000;

/** Rewrites the file of a small database, so that no copy of what was deleted is left in it. */
export interface Compaction {
  /** Returns true only if no copy is left. If the disk is full, the reserve releases its space. */
  readonly now: () => boolean;
  /** The same at most once in `COMPACT_MS`, and not when nothing was noted. False when it will be done later. */
  readonly soon: () => boolean;
  /** Notes in an erasure's transaction that the file has to be rewritten, so that a restart knows. */
  readonly note: (tx: Transaction) => void;
  /** Runs the compaction that is due. */
  readonly close: () => void;
}

export function createCompaction(deps: {
  readonly database: DatabaseSync;
  readonly sql: Sql;
  readonly clock: Clock;
  readonly reserve: Reserve | undefined;
}): Compaction {
  const { database, sql, clock, reserve } = deps;
  let ranAt = Number.NEGATIVE_INFINITY;
  let isClean = false;
  let cancel: (() => void) | undefined;
  const isDue = () => sql.has(q`SELECT 1 FROM meta WHERE key = 'compaction_due'`);
  const run = (): boolean => {
    const first = compactSmall(database);
    if (first !== "no_room" || !reserve?.release()) return first === "done";
    try {
      return compactSmall(database) === "done";
    } finally {
      reserve.fill();
    }
  };
  const now = (): boolean => {
    ranAt = clock.now();
    cancel?.();
    cancel = undefined;
    try {
      // Before the rewriting, after which the write-ahead log is empty.
      if (isDue()) sql.run(q`DELETE FROM meta WHERE key = 'compaction_due'`);
    } catch {
      // On a full disk the note stays, and the next start rewrites the file again.
    }
    isClean = run();
    return isClean;
  };
  const later = () => {
    cancel ??= clock.after(Math.max(0, ranAt + COMPACT_MS - clock.now()), () => {
      try {
        now();
      } catch {
        // The next erasure tries again. `npm run service -- compact` removes the rest.
      }
    });
  };
  if (isDue()) later();
  return {
    now,
    soon() {
      if (!isRecent(clock, ranAt, COMPACT_MS)) return now();
      if (!isDue()) return isClean;
      later();
      return false;
    },
    note: (tx) =>
      void tx.sql.run(
        q`INSERT INTO meta (key, value) VALUES ('compaction_due', '') ON CONFLICT (key) DO NOTHING`,
      ),
    close() {
      const hasWaited = cancel !== undefined;
      cancel?.();
      cancel = undefined;
      if (hasWaited && database.isOpen) now();
    },
  };
}
