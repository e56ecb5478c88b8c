import { Failure } from "../../../shared/errors.ts";
import type {
  AuditEntry,
  DeskLink,
  DeskPeopleStore,
  LinkPurpose,
  PersonRecord,
  PersonState,
  PersonTarget,
} from "../people.ts";
import { appendAudit } from "./audit.ts";
import { integer, nullable, oneOf, type RowOf, reader, text } from "./columns.ts";
import { insertUser, USER_COLUMNS, userOf } from "./desk-accounts.ts";
import { releaseTaken } from "./desk-conversations.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const ChangedUser = reader({ workspace_id: text });
const Purpose = reader({ purpose: oneOf("invite", "reset") });
const LinkedUser = reader({ ...USER_COLUMNS, purpose: oneOf("invite", "reset") });

const PersonRow = reader({
  ...USER_COLUMNS,
  disabled_at: nullable(integer),
  link_expires_at: nullable(integer),
});
type PersonRow = RowOf<typeof PersonRow>;

const AuditRow = reader({
  id: text,
  at: integer,
  action: text,
  user_id: nullable(text),
  user_name: nullable(text),
  target: nullable(text),
  target_name: nullable(text),
});

/** Limits one response; a larger team has its own directory. */
const MAX_PEOPLE = 500;

const PERSON = {
  fragment: `SELECT u.*, l.expires_at AS link_expires_at
  FROM desk_users u LEFT JOIN desk_links l ON l.user_id = u.id`,
};

/** The people of the desk in SQLite. Secrets arrive as SHA-256, passwords already hashed. */
export function createDeskPeopleStore({ sql, write, clock }: StoreCore): DeskPeopleStore {
  return {
    list: async (workspaceId) =>
      sql
        .all(
          PersonRow,
          q`${PERSON} WHERE u.workspace_id = ${workspaceId}
            ORDER BY u.name COLLATE NOCASE, u.id LIMIT ${MAX_PEOPLE}`,
        )
        .map((row) => personOf(row, clock.now())),
    invite: ({ by, ...person }, link) =>
      write((tx) => {
        const { id } = insertUser(tx, { ...person, passwordHash: undefined });
        const target = { workspaceId: person.workspaceId, userId: id, by };
        requireAdmin(tx, target);
        putLink(tx, id, "invite", link);
        return record(tx, target, "desk.user_invited");
      }),
    renewLink: (target, link) => write((tx) => renewLink(tx, target, link)),
    disable: (target) => write((tx) => disable(tx, target)),
    enable: (target) =>
      write((tx) => {
        const row = targetRow(tx, target);
        if (row.disabled_at === null) return personOf(row, tx.now);
        tx.sql.run(q`UPDATE desk_users SET disabled_at = NULL WHERE id = ${row.id}`);
        return record(tx, target, "desk.user_enabled");
      }),
    renewByOperator: (account, link) => write((tx) => renewByOperator(tx, account, link)),
    findLink: async (hash) => findLink(sql, hash, clock.now()),
    useLink: (hash, passwordHash) => write((tx) => useLink(tx, hash, passwordHash)),
    changePassword: (change) => write((tx) => changePassword(tx, change)),
    readAudit: async (workspaceId, before, limit) => readAudit(sql, workspaceId, before, limit),
  };
}

function renewLink(tx: Transaction, target: PersonTarget, link: DeskLink): PersonRecord {
  const row = targetRow(tx, target);
  if (row.id === target.by) {
    throw new Failure("forbidden", { detail: "Change your own password instead." });
  }
  if (row.disabled_at !== null) {
    throw new Failure("forbidden", { detail: "This account is disabled. Enable it first." });
  }
  closeAccount(tx, row, link);
  return record(tx, target, "desk.link_renewed");
}

function renewByOperator(
  tx: Transaction,
  { workspaceId, email }: { workspaceId: string; email: string },
  { hash, lifeMs }: { hash: string; lifeMs: number },
): PersonRecord {
  const find = () =>
    tx.sql.one(PersonRow, q`${PERSON} WHERE u.workspace_id = ${workspaceId} AND u.email = ${email}`);
  const row = find();
  if (!row) throw new Failure("not_found", { detail: "No account at this desk has this e-mail address." });
  tx.sql.run(q`UPDATE desk_users SET disabled_at = NULL WHERE id = ${row.id}`);
  closeAccount(tx, row, { hash, expiresAt: tx.now + lifeMs });
  appendAudit(tx, {
    workspaceId,
    userId: undefined,
    action: "desk.link_by_operator",
    target: row.id,
  });
  return personOf(find() ?? row, tx.now);
}

/** Removes the password and ends all sessions, so that only the link opens the account. */
function closeAccount(tx: Transaction, row: PersonRow, link: DeskLink): void {
  tx.sql.run(q`UPDATE desk_users SET password_hash = '' WHERE id = ${row.id}`);
  tx.sql.run(q`DELETE FROM desk_sessions WHERE user_id = ${row.id}`);
  putLink(tx, row.id, row.password_hash === "" ? (purposeOf(tx, row.id) ?? "invite") : "reset", link);
}

function disable(tx: Transaction, target: PersonTarget): PersonRecord {
  const row = targetRow(tx, target);
  if (row.disabled_at !== null) return personOf(row, tx.now);
  if (row.id === target.by) {
    throw new Failure("forbidden", { detail: "You can't disable your own account. Ask another admin." });
  }
  tx.sql.run(q`UPDATE desk_users SET disabled_at = ${tx.now} WHERE id = ${row.id}`);
  tx.sql.run(q`DELETE FROM desk_sessions WHERE user_id = ${row.id}`);
  tx.sql.run(q`DELETE FROM desk_links WHERE user_id = ${row.id}`);
  releaseTaken(tx, row.workspace_id, row.id);
  return record(tx, target, "desk.user_disabled");
}

function useLink(tx: Transaction, hash: string, passwordHash: string) {
  const found = findLink(tx.sql, hash, tx.now);
  if (!found) return undefined;
  const { user } = found;
  tx.sql.run(q`DELETE FROM desk_links WHERE user_id = ${user.id}`);
  tx.sql.run(q`UPDATE desk_users SET password_hash = ${passwordHash} WHERE id = ${user.id}`);
  const { workspaceId, id } = user;
  appendAudit(tx, { workspaceId, userId: id, action: "desk.link_used", target: id });
  return { ...user, passwordHash };
}

function changePassword(tx: Transaction, change: Parameters<DeskPeopleStore["changePassword"]>[0]): void {
  const row = tx.sql.one(
    ChangedUser,
    q`UPDATE desk_users SET password_hash = ${change.passwordHash}
      WHERE id = ${change.userId} AND password_hash = ${change.checkedHash} AND disabled_at IS NULL
     RETURNING workspace_id`,
  );
  if (!row) throw new Failure("session_expired");
  tx.sql.run(q`DELETE FROM desk_sessions WHERE user_id = ${change.userId} AND hash <> ${change.keepSession}`);
  appendAudit(tx, {
    workspaceId: row.workspace_id,
    userId: change.userId,
    action: "desk.password_changed",
    target: change.userId,
  });
}

/** Ids have no order, so the page after `before` is found by that entry's row number. */
function readAudit(sql: Sql, workspaceId: string, before: string | undefined, limit: number): AuditEntry[] {
  const rows = sql.all(
    AuditRow,
    q`SELECT a.id, a.at, a.action, a.user_id, u.name AS user_name, a.target, t.name AS target_name
     FROM audit_log a
     LEFT JOIN desk_users u ON u.id = a.user_id AND u.workspace_id = a.workspace_id
     LEFT JOIN desk_users t ON t.id = a.target AND t.workspace_id = a.workspace_id
     WHERE a.workspace_id = ${workspaceId} AND (${before ?? null} IS NULL OR
       (a.at, a.rowid) < (SELECT b.at, b.rowid FROM audit_log b WHERE b.id = ${before ?? null}
         AND b.workspace_id = a.workspace_id))
     ORDER BY a.at DESC, a.rowid DESC LIMIT ${limit}`,
  );
  return rows.map((row) => ({
    id: row.id,
    at: row.at,
    action: row.action,
    by: row.user_id === null ? undefined : { id: row.user_id, name: row.user_name ?? "" },
    target: row.target ?? undefined,
    targetName: row.target_name ?? undefined,
  }));
}

function findLink(sql: Sql, hash: string, now: number): Awaited<ReturnType<DeskPeopleStore["findLink"]>> {
  const row = sql.one(
    LinkedUser,
    q`SELECT u.*, l.purpose FROM desk_links l JOIN desk_users u ON u.id = l.user_id
     WHERE l.hash = ${hash} AND l.expires_at > ${now} AND u.disabled_at IS NULL`,
  );
  return row && { user: userOf(row), purpose: row.purpose };
}

function putLink(tx: Transaction, userId: string, purpose: LinkPurpose, link: DeskLink): void {
  tx.sql.run(q`INSERT INTO desk_links (hash, user_id, purpose, expires_at)
    VALUES (${link.hash}, ${userId}, ${purpose}, ${link.expiresAt})
     ON CONFLICT (user_id) DO UPDATE
     SET hash = excluded.hash, purpose = excluded.purpose, expires_at = excluded.expires_at`);
}

function purposeOf(tx: Transaction, userId: string): LinkPurpose | undefined {
  return tx.sql.one(Purpose, q`SELECT purpose FROM desk_links WHERE user_id = ${userId}`)?.purpose;
}

/** Reads the account by id and workspace, after checking that the caller is still an admin. */
function targetRow(tx: Transaction, target: PersonTarget): PersonRow {
  requireAdmin(tx, target);
  const row = tx.sql.one(
    PersonRow,
    q`${PERSON} WHERE u.id = ${target.userId} AND u.workspace_id = ${target.workspaceId}`,
  );
  if (!row) throw new Failure("not_found");
  return row;
}

/**
 * Refuses a caller who was disabled while the request was on its way. Nobody can disable or reset themselves, so the
 * caller stays an admin, and a desk never loses its last one.
 */
function requireAdmin(tx: Transaction, target: PersonTarget): void {
  const admin = tx.sql.has(q`SELECT 1 FROM desk_users
     WHERE id = ${target.by} AND workspace_id = ${target.workspaceId}
       AND role = 'admin' AND disabled_at IS NULL AND password_hash <> ''`);
  if (!admin) throw new Failure("forbidden");
}

function record(tx: Transaction, target: PersonTarget, action: string): PersonRecord {
  const { workspaceId, userId, by } = target;
  appendAudit(tx, { workspaceId, userId: by, action, target: userId });
  return personOf(targetRow(tx, target), tx.now);
}

function personOf(row: PersonRow, now: number): PersonRecord {
  const works = row.link_expires_at !== null && row.link_expires_at > now;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    state: stateOf(row),
    linkExpiresAt: works ? (row.link_expires_at ?? undefined) : undefined,
  };
}

function stateOf(row: PersonRow): PersonState {
  if (row.disabled_at !== null) return "disabled";
  return row.password_hash === "" ? "invited" : "active";
}
