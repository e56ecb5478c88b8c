import type { Contact } from "../../../shared/contact.ts";
import { defined } from "../../../shared/defined.ts";
import {
  type DeskConversation,
  type DeskLink,
  DeskState,
  type DeskSummary,
  type TeamFacts,
} from "../../../shared/desk.ts";
import { isAnonymousId } from "../../../shared/id.ts";
import { Traits } from "../../../shared/traits.ts";
import { type DeskTarget, QUEUE_PAGE, type QueuePlace } from "../desk.ts";
import { withFeedback } from "./answer-feedback.ts";
import { answerNotes } from "./answer-notes.ts";
import { integer, json, nullable, type RowOf, reader, text } from "./columns.ts";
import { CONVERSATION_COLUMNS, type ConversationRow, conversationOf, routeOf } from "./conversation-row.ts";
import { eventsAfter } from "./event-log.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";

const Asked = reader({
  reason: nullable(text),
  current_intent: nullable(text),
});

const DeskRow = reader({
  ...CONVERSATION_COLUMNS,
  external_id: text,
  display_name: nullable(text),
  email: nullable(text),
  attributes_json: json(Traits),
  contact_email: nullable(text),
  linked_name: nullable(text),
  linked_contact: nullable(text),
  seen_seq: nullable(integer),
  team_name: nullable(text),
  team_email: nullable(text),
  visit: integer,
  decision_seq: nullable(integer),
  decision_since: nullable(integer),
});
type DeskRow = RowOf<typeof DeskRow>;

/** An action that a person of the team may still allow. */
const OPEN_DECISION = "a.state = 'requested' AND a.confirm = 'person'";

/** The desk shows a linked conversation under its anonymous visitor, together with the customer they signed in as. */
const SELECT = {
  fragment: `SELECT v.*, c.external_id, c.display_name, c.email, c.contact_email, c.attributes_json,
    c.team_name, c.team_email,
    (SELECT count(*) FROM (SELECT 1 FROM conversations n WHERE n.customer_id = v.customer_id
      AND (n.started_at, n.id) <= (v.started_at, v.id) LIMIT 100)) AS visit,
    (SELECT max(a.seq) FROM actions a WHERE ${OPEN_DECISION} AND a.conversation_id = v.id) AS decision_seq,
    (SELECT min(a.at) FROM actions a WHERE ${OPEN_DECISION} AND a.conversation_id = v.id) AS decision_since,
    l.display_name AS linked_name, l.contact_email AS linked_contact, r.seq AS seen_seq
  FROM conversations v JOIN customers c ON c.id = coalesce(v.started_by, v.customer_id)
  LEFT JOIN customers l ON l.workspace_id = v.workspace_id AND l.external_id = v.linked_to`,
};

/** A page of each state, waiting ones first; or the page of one state after a place. */
export function readQueue(
  sql: Sql,
  workspaceId: string,
  after: QueuePlace | undefined,
  readerId: string | undefined,
): DeskSummary[] {
  const states = after ? [after.state] : DeskState.options;
  return states.flatMap((state) => {
    const order = after?.order ?? Number.MIN_SAFE_INTEGER;
    return sql
      .all(
        DeskRow,
        q`${SELECT} LEFT JOIN desk_reads r ON r.conversation_id = v.id AND r.user_id = ${readerId ?? null}
          WHERE v.workspace_id = ${workspaceId} AND v.desk_state = ${state}
          AND (v.desk_order, v.id) > (${order}, ${after?.id ?? ""})
         ORDER BY v.desk_order, v.id LIMIT ${QUEUE_PAGE}`,
      )
      .map(summaryOf);
  });
}

/**
 * Open conversations in which the team may still allow an action, whatever page of the queue they are on. The `+` keeps
 * SQLite from reading all open conversations to find them.
 */
export function readDecisions(sql: Sql, workspaceId: string, readerId: string | undefined): DeskSummary[] {
  return sql
    .all(
      DeskRow,
      q`${SELECT} LEFT JOIN desk_reads r ON r.conversation_id = v.id AND r.user_id = ${readerId ?? null}
        WHERE +v.workspace_id = ${workspaceId} AND +v.status = 'open'
        AND v.id IN (SELECT a.conversation_id FROM actions a WHERE ${{ fragment: OPEN_DECISION }})
       ORDER BY decision_since, v.id LIMIT ${QUEUE_PAGE}`,
    )
    .map(summaryOf);
}

export function readSummary(
  sql: Sql,
  target: DeskTarget,
  readerId: string | undefined,
): DeskSummary | undefined {
  const row = find(sql, target, readerId);
  return row && summaryOf(row);
}

export function readWhole(
  sql: Sql,
  target: DeskTarget,
  readerId: string | undefined,
): DeskConversation | undefined {
  const row = find(sql, target, readerId);
  if (!row) return undefined;
  const asked = sql.one(
    Asked,
    q`SELECT reason, current_intent FROM handoffs WHERE id = ${row.handoff_id ?? ""}`,
  );
  const { channel, agentProvider, humanHandoffAdapter } = routeOf(row);
  const summary = asked?.current_intent ?? row.subject ?? undefined;
  const log = eventsAfter(sql, row.id, 0, row.last_seq);
  return {
    ...conversationOf(row),
    customerId: row.customer_id,
    ...takenBy(row),
    ...linkOf(row),
    ...typedContactOf(row),
    state: stateOf(row),
    customer: { ...customerOf(row), ...contactOf(row), traits: row.attributes_json },
    messages: withFeedback(
      sql,
      row.id,
      log.flatMap((event) => (event.type === "message.created" ? [event.message] : [])),
    ),
    events: log.filter((event) => event.type !== "message.created"),
    notes: answerNotes(sql, row.id),
    route: { channel, agentProvider, ...(humanHandoffAdapter ? { humanHandoffAdapter } : {}) },
    lastSeq: row.last_seq,
    seenSeq: row.seen_seq ?? 0,
    ...(asked?.reason ? { reason: asked.reason } : {}),
    ...(summary ? { summary } : {}),
  };
}

function find(sql: Sql, target: DeskTarget, readerId: string | undefined): DeskRow | undefined {
  return sql.one(
    DeskRow,
    q`${SELECT} LEFT JOIN desk_reads r ON r.conversation_id = v.id AND r.user_id = ${readerId ?? null}
      WHERE v.id = ${target.conversationId} AND v.workspace_id = ${target.workspaceId}`,
  );
}

function summaryOf(row: DeskRow): DeskSummary {
  const state = stateOf(row);
  return {
    id: row.id,
    state,
    customerId: row.customer_id,
    customer: customerOf(row),
    startedAt: new Date(row.started_at).toISOString(),
    lastAt: new Date(row.last_at).toISOString(),
    ...(state === "waiting" && row.waiting_since !== null
      ? { waitingSince: new Date(row.waiting_since).toISOString() }
      : {}),
    ...(state === "taken" && row.unanswered_since !== null
      ? { unansweredSince: new Date(row.unanswered_since).toISOString() }
      : {}),
    ...decisionOf(row),
    ...takenBy(row),
    ...linkOf(row),
    preview: row.preview || (row.subject ?? "").slice(0, 160).toWellFormed(),
    lastSeq: row.last_seq,
    customerSeq: row.customer_seq,
    seenSeq: row.seen_seq ?? 0,
  };
}

function stateOf(row: ConversationRow): DeskState {
  if (row.status === "ended") return "ended";
  if (row.handoff_status === "requested") return "waiting";
  return row.handoff_status === "accepted" ? "taken" : "agent";
}

function decisionOf({ status, decision_seq: seq, decision_since: since }: DeskRow) {
  if (status === "ended" || seq === null || since === null) return {};
  return { decision: { seq, since: new Date(since).toISOString() } };
}

function takenBy(row: ConversationRow): { takenBy?: { id: string; name: string } } {
  if (row.taken_by === null || row.taken_by_name === null) return {};
  return { takenBy: { id: row.taken_by, name: row.taken_by_name } };
}

type WhoRow = Pick<
  DeskRow,
  | "display_name"
  | "external_id"
  | "locale"
  | "started_browser"
  | "started_page"
  | "team_email"
  | "team_name"
  | "visit"
>;

/** A customer's identity, without address and traits. */
export function customerOf(row: WhoRow): DeskSummary["customer"] {
  return {
    externalId: row.external_id,
    identified: !isAnonymousId(row.external_id),
    ...teamFactsOf(row),
    ...(row.visit < 2 ? {} : { visit: row.visit }),
    ...(row.locale === null ? {} : { locale: row.locale }),
    ...startedFrom(row),
    ...(row.display_name === null ? {} : { displayName: row.display_name }),
  };
}

function startedFrom({ started_page: page, started_browser: browser }: WhoRow) {
  if (page === null && browser === null) return {};
  return { startedFrom: defined({ page: page ?? undefined, browser: browser ?? undefined }) };
}

function teamFactsOf({ team_name: name, team_email: email }: WhoRow): { team?: TeamFacts } {
  if (name === null && email === null) return {};
  return { team: { ...(name === null ? {} : { name }), ...(email === null ? {} : { email }) } };
}

function linkOf(row: DeskRow): { linked?: DeskLink } {
  const { linked_to: externalId, linked_seq: afterSeq, linked_name: displayName } = row;
  if (externalId === null || afterSeq === null) return {};
  return { linked: { externalId, afterSeq, ...(displayName === null ? {} : { displayName }) } };
}

function contactOf(row: DeskRow): { email?: string } {
  return row.email === null ? {} : { email: row.email };
}

/** The owner's address, or else the one that they left before they signed in. */
function typedContactOf(row: DeskRow): { contact?: Contact } {
  const email = row.linked_contact ?? row.contact_email;
  return email === null ? {} : { contact: { email } };
}
