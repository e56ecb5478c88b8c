import type { Clock } from "../../../shared/server/clock.ts";
import type { Published } from "../../live/hub.ts";
import { integer, nullable, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

/** The audit log's action for each conversation that was erased with its customer. */
export const ERASED_WITH_CUSTOMER = "conversation.erased_with_customer";

/** Whether a conversation was erased with its customer. The action is a literal, because SQLite uses a partial index only for a literal. */
export function wasErasedWithCustomer(sql: Sql, workspaceId: string, conversationId: string): boolean {
  return sql.has(
    q`SELECT 1 FROM audit_log WHERE workspace_id = ${workspaceId}
      AND action = 'conversation.erased_with_customer' AND target = ${conversationId}`,
  );
}

/** One look costs about 10 µs. */
const LOOK_MS = 5_000;

const Version = reader({ data_version: integer });
const Newest = reader({ place: nullable(integer) });
const Erased = reader({ workspace_id: text, target: text });

/**
 * Publishes the erasures that another process committed, such as the command `customer erase`. Nothing is ever deleted
 * from the audit log, so its row numbers only grow. The returned function ends it.
 */
export function watchErasedElsewhere(deps: {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly publish: (entry: Published) => void;
}): () => void {
  const { sql, clock, publish } = deps;
  /** SQLite changes it only for what other connections commit. */
  const readVersion = () => sql.one(Version, q`PRAGMA data_version`)?.data_version;
  const readNewest = () => sql.one(Newest, q`SELECT max(rowid) AS place FROM audit_log`)?.place ?? 0;
  let seenVersion = readVersion();
  let seenPlace = readNewest();
  const look = () => {
    const version = readVersion();
    if (version === seenVersion) return;
    const place = readNewest();
    const erased = sql.all(
      Erased,
      q`SELECT workspace_id, target FROM audit_log
        WHERE rowid > ${seenPlace} AND rowid <= ${place} AND action = ${ERASED_WITH_CUSTOMER}`,
    );
    seenVersion = version;
    seenPlace = place;
    for (const { workspace_id: workspaceId, target: conversationId } of erased) {
      publish({ workspaceId, conversationId, event: { type: "conversation.erased" } });
    }
  };
  return clock.every(LOOK_MS, () => {
    try {
      look();
    } catch {
      // The file is locked or can't be read now: the next look publishes it.
    }
  });
}
