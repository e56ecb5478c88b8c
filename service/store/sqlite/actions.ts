import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { type Action, ActionArgument, ActionStatus, type AskedAction } from "../../../shared/action.ts";
import { Failure } from "../../../shared/errors.ts";
import type { ActionAnswer, ActionReport, ActionStore, NewAction } from "../actions.ts";
import type { Person } from "../desk.ts";
import type { LeaseTerms } from "../lease-terms.ts";
import { appendAudit } from "./audit.ts";
import { integer, json, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { type ConversationRow, ownedRow } from "./conversation-row.ts";
import { findRow, requireAccount } from "./desk-row.ts";
import { appendEvent } from "./event-log.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const STATES = ["requested", "running", "declined", ...ActionStatus.options] as const;
/**
 * The newest ones of a conversation, which is as many as an agent can use. Part of the text: SQLite compiles a statement
 * again for each execution if its limit is a parameter.
 */
const MAX_REPORTS = { fragment: "20" };
/** Few enough that no other write waits long for them. */
const EXPIRED_AT_ONCE = 100;

const ActionRow = reader({
  id: text,
  conversation_id: text,
  seq: integer,
  at: integer,
  tool: text,
  definition: text,
  title: text,
  arguments_json: json(z.array(ActionArgument)),
  input_json: json(z.record(z.string(), z.unknown())),
  confirm: oneOf("customer", "person"),
  expires_at: integer,
  state: oneOf(...STATES),
  approved: nullable(integer),
  result_text: nullable(text),
});
type ActionRow = RowOf<typeof ActionRow>;

const Expired = reader({ id: text, conversation_id: text, state: oneOf("requested", "running") });

/** Actions in SQLite: one transaction for the row and its event. */
export function createActionStore({ write }: StoreCore): ActionStore {
  return {
    answerAsCustomer: (owner, given, terms) =>
      write((tx) => answer(tx, ownedRow(tx.sql, owner, given.conversationId), given, terms)),
    answerAsPerson: (target, person, given, terms) =>
      write((tx) => {
        const row = findRow(tx.sql, target);
        requireAccount(tx, person);
        const answered = answer(tx, row, given, terms, person);
        const action = given.approved ? "conversation.action_allowed" : "conversation.action_refused";
        if (answered.kind === "allowed" || answered.kind === "refused") {
          appendAudit(tx, { ...target, userId: person.id, action, target: row.id });
        }
        return answered;
      }),
    finish: (actionId, owner, { status, text: words }) =>
      write((tx) => {
        const row = tx.sql.one(
          ActionRow,
          q`UPDATE actions SET state = ${status}, result_text = ${words ?? null}, owner = NULL
            WHERE id = ${actionId} AND state = 'running' AND owner = ${owner} RETURNING *`,
        );
        if (row) appendResult(tx, row.conversation_id, actionId, status, words);
        return row !== undefined;
      }),
    expire: ({ isOnlyProcess }) =>
      write((tx) => {
        const rows = tx.sql.all(
          Expired,
          q`SELECT id, conversation_id, state FROM actions
            WHERE state = 'requested' AND expires_at <= ${tx.now}
              OR state = 'running' AND (leased_until <= ${tx.now} OR ${isOnlyProcess ? 1 : 0})
            ORDER BY seq LIMIT ${EXPIRED_AT_ONCE}`,
        );
        for (const { id, conversation_id, state } of rows) {
          end(tx, conversation_id, id, state === "running" ? "unknown" : "expired");
        }
        return rows.length;
      }),
  };
}

/** Appends the cards of an answer after its message, but none for what an open card already asks. Returns their tools. */
export function requestActions(
  tx: Transaction,
  conversationId: string,
  actions: readonly NewAction[],
): string[] {
  const open = openActions(tx, conversationId);
  const isAsked = (action: NewAction) =>
    open.some(({ tool, input_json }) => tool === action.tool && isDeepStrictEqual(input_json, action.input));
  const added = actions.filter((action) => !isAsked(action));
  for (const action of added) {
    const id = tx.newId("act");
    const { tool, title, confirm } = action;
    const expiresAt = tx.now + action.validMs;
    const { seq } = appendEvent(tx, conversationId, {
      type: "action.requested",
      action: cardOf({ id, tool, title, confirm, expires_at: expiresAt, arguments_json: action.arguments }),
    });
    tx.sql.run(q`INSERT INTO actions (id, conversation_id, seq, at, tool, definition, title, arguments_json,
        input_json, confirm, expires_at)
      VALUES (${id}, ${conversationId}, ${seq}, ${tx.now}, ${tool}, ${action.definition}, ${title},
        ${JSON.stringify(action.arguments)}, ${JSON.stringify(action.input)}, ${confirm}, ${expiresAt})`);
  }
  return added.map(({ tool }) => tool);
}

/** Those that somebody may still allow, or whose end is not known yet. */
function openActions({ sql, now }: Transaction, conversationId: string): ActionRow[] {
  return sql.all(
    ActionRow,
    q`SELECT * FROM actions WHERE conversation_id = ${conversationId}
      AND (state = 'running' OR state = 'requested' AND expires_at > ${now})`,
  );
}

/** The actions that a part of a conversation's log asked for, in their current state. */
export function actionsBetween(sql: Sql, conversationId: string, first: number, last: number): AskedAction[] {
  return sql
    .all(
      ActionRow,
      q`SELECT * FROM actions WHERE conversation_id = ${conversationId} AND seq BETWEEN ${first} AND ${last}
        ORDER BY seq`,
    )
    .map(askedOf);
}

/** The newest actions of a conversation, oldest first. */
export function actionReports(sql: Sql, conversationId: string): ActionReport[] {
  return sql
    .all(
      ActionRow,
      q`SELECT * FROM actions WHERE conversation_id = ${conversationId} ORDER BY seq DESC LIMIT ${MAX_REPORTS}`,
    )
    .reverse()
    .map(({ tool, input_json: input, title, state, result_text }) => ({
      tool,
      input,
      title,
      state,
      text: result_text ?? undefined,
    }));
}

function answer(
  tx: Transaction,
  conversation: ConversationRow,
  given: { readonly actionId: string; readonly approved: boolean },
  terms: LeaseTerms,
  person?: Person,
): ActionAnswer {
  const { actionId, approved } = given;
  const conversationId = conversation.id;
  const row = tx.sql.one(
    ActionRow,
    q`SELECT * FROM actions WHERE id = ${actionId} AND conversation_id = ${conversationId}
      AND confirm = ${person ? "person" : "customer"}`,
  );
  if (!row) throw new Failure("not_found");
  if (row.approved !== null) {
    if ((row.approved === 1) !== approved) throw new Failure("key_reused");
    return { kind: "repeated" };
  }
  if (row.state === "requested" && row.expires_at <= tx.now) end(tx, conversationId, actionId, "expired");
  if (row.state !== "requested" || row.expires_at <= tx.now) return { kind: "expired" };
  if (conversation.status === "ended") throw new Failure("conversation_ended");
  tx.sql.run(q`UPDATE actions SET state = ${approved ? "running" : "declined"}, approved = ${approved ? 1 : 0},
      answered_by = ${person?.id ?? null}, owner = ${terms.owner}, leased_until = ${tx.now + terms.ms}
    WHERE id = ${actionId}`);
  appendEvent(tx, conversationId, {
    type: "action.answered",
    actionId,
    approved,
    ...(person ? { by: "human" as const } : {}),
  });
  if (!approved) return { kind: "refused" };
  const { tool, definition, input_json: input } = row;
  return { kind: "allowed", action: { id: actionId, conversationId, tool, definition, input } };
}

function end(tx: Transaction, conversationId: string, id: string, status: "expired" | "unknown"): void {
  tx.sql.run(q`UPDATE actions SET state = ${status}, owner = NULL WHERE id = ${id}`);
  appendResult(tx, conversationId, id, status);
}

function appendResult(
  tx: Transaction,
  conversationId: string,
  actionId: string,
  status: ActionStatus,
  words?: string,
): void {
  appendEvent(tx, conversationId, { type: `action.${status}`, actionId, ...(words ? { text: words } : {}) });
}

function askedOf(row: ActionRow): AskedAction {
  const status = ActionStatus.safeParse(row.state);
  return {
    ...cardOf(row),
    seq: row.seq,
    at: new Date(row.at).toISOString(),
    ...(row.approved === null ? {} : { approved: row.approved === 1 }),
    ...(status.success
      ? { result: { status: status.data, ...(row.result_text === null ? {} : { text: row.result_text }) } }
      : {}),
  };
}

function cardOf(
  row: Pick<ActionRow, "id" | "tool" | "title" | "confirm" | "expires_at"> & {
    readonly arguments_json: readonly ActionArgument[];
  },
): Action {
  return {
    actionId: row.id,
    name: row.tool,
    title: row.title,
    arguments: [...row.arguments_json],
    confirm: row.confirm,
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}
