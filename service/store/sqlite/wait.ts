import type { Wait } from "../../../shared/handoff.ts";
import type { QueuedWait } from "../handoffs.ts";
import type { Owner } from "../owner.ts";
import { integer, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

/** The usual wait is the median of this many waits, the latest ones. */
const MOST_WAITS = 50;
/** Fewer waits say too little about the next one. */
const LEAST_WAITS = 5;
/** Places after this one are not counted, so that a flood of hand-offs does not make each of them expensive. */
export const MOST_PLACES = 200;

const WaitingRow = reader({ adapter: text, desk_order: integer });
const QueuedRow = reader({ id: text, adapter: text });
const CountRow = reader({ count: integer });
const WaitedRow = reader({ ms: integer });

/** The place and the usual time of a wait for a person; undefined unless this customer's conversation waits for one. */
export function readWait(sql: Sql, owner: Owner, conversationId: string): Wait | undefined {
  const own = sql.one(
    WaitingRow,
    q`SELECT h.adapter, c.desk_order FROM conversations c JOIN handoffs h ON h.id = c.handoff_id
      WHERE c.id = ${conversationId} AND c.workspace_id = ${owner.workspaceId} AND c.customer_id = ${owner.customerId}
        AND c.desk_state = 'waiting'`,
  );
  if (!own) return undefined;
  const { adapter, desk_order } = own;
  const place = adapter === "desk" ? placeOf(sql, owner.workspaceId, conversationId, desk_order) : undefined;
  return waitOf(place, usualWait(sql, owner.workspaceId, adapter));
}

/** The waits of the conversations at the front of a workspace's queue. */
export function listWaits(sql: Sql, workspaceId: string): readonly QueuedWait[] {
  const rows = sql.all(
    QueuedRow,
    q`SELECT c.id, h.adapter FROM conversations c JOIN handoffs h ON h.id = c.handoff_id
      WHERE c.workspace_id = ${workspaceId} AND c.desk_state = 'waiting'
      ORDER BY c.desk_order, c.id LIMIT ${MOST_PLACES}`,
  );
  const adapters = new Set(rows.map(({ adapter }) => adapter));
  const usual = new Map([...adapters].map((adapter) => [adapter, usualWait(sql, workspaceId, adapter)]));
  let place = 0;
  return rows.map(({ id, adapter }) => {
    if (adapter === "desk") place += 1;
    return {
      conversationId: id,
      wait: waitOf(adapter === "desk" ? place : undefined, usual.get(adapter)),
    };
  });
}

function waitOf(place: number | undefined, usualSeconds: number | undefined): Wait {
  return {
    ...(place === undefined ? {} : { place }),
    ...(usualSeconds === undefined ? {} : { usualSeconds }),
  };
}

/**
 * Only the desk works its queue in this order; another target may have an order of its own. Undefined after the last
 * place that is counted.
 */
function placeOf(sql: Sql, workspaceId: string, conversationId: string, order: number): number | undefined {
  const before = sql.one(
    CountRow,
    q`SELECT count(*) AS count FROM (
        SELECT 1 FROM conversations c JOIN handoffs h ON h.id = c.handoff_id
        WHERE c.workspace_id = ${workspaceId} AND c.desk_state = 'waiting' AND h.adapter = 'desk'
          AND (c.desk_order, c.id) < (${order}, ${conversationId})
        LIMIT ${MOST_PLACES})`,
  );
  const place = (before?.count ?? 0) + 1;
  return place > MOST_PLACES ? undefined : place;
}

/**
 * The median time in whole seconds until a person first replied; undefined with too few hand-offs. The machine's clock
 * may have been set back in between: less than no time is no wait.
 */
function usualWait(sql: Sql, workspaceId: string, adapter: string): number | undefined {
  const waited = sql
    .all(
      WaitedRow,
      q`SELECT replied_at - requested_at AS ms FROM handoffs
        WHERE workspace_id = ${workspaceId} AND adapter = ${adapter} AND replied_at >= requested_at
        ORDER BY requested_at DESC LIMIT ${MOST_WAITS}`,
    )
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  const middle = waited[Math.floor(waited.length / 2)];
  return waited.length < LEAST_WAITS || middle === undefined ? undefined : Math.round(middle / 1000);
}
