import { Failure } from "../../../shared/errors.ts";
import type { DeskAccountStore, DeskSessionRecord, DeskUserRecord } from "../accounts.ts";
import { appendAudit } from "./audit.ts";
import { integer, oneOf, type RowOf, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { Sql } from "./sql.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const WorkspaceId = reader({ workspace_id: text });
const Users = reader({ users: integer });

export const USER_COLUMNS = {
  id: text,
  workspace_id: text,
  email: text,
  name: text,
  password_hash: text,
  role: oneOf("agent", "admin"),
};
const UserRow = reader(USER_COLUMNS);
export type UserRow = RowOf<typeof UserRow>;

const SessionRow = reader({
  ...USER_COLUMNS,
  hash: text,
  csrf_hash: text,
  created_at: integer,
  seen_at: integer,
  expires_at: integer,
});
type SessionRow = RowOf<typeof SessionRow>;

/** Accounts of the desk in SQLite. Passwords come hashed, secrets come as SHA-256. */
export function createDeskAccountStore({ sql, write, clock }: StoreCore): DeskAccountStore {
  return {
    countUsers: async (workspaceId) => countUsers(sql, workspaceId),
    async findUserByEmail(workspaceId, email) {
      const row = sql.one(
        UserRow,
        q`SELECT * FROM desk_users
          WHERE workspace_id = ${workspaceId} AND email = ${email} AND disabled_at IS NULL`,
      );
      return row && userOf(row);
    },
    addUser: (user) => write((tx) => insertUser(tx, user)),
    addSession: (session) =>
      write((tx) => {
        tx.sql.run(q`DELETE FROM desk_sessions WHERE expires_at < ${tx.now}`);
        // The password was checked before this write, so changes of the account since then count.
        const same = tx.sql.has(
          q`SELECT 1 FROM desk_users
            WHERE id = ${session.userId} AND password_hash = ${session.passwordHash ?? ""} AND disabled_at IS NULL`,
        );
        if (!same) throw new Failure("unauthenticated");
        tx.sql.run(q`INSERT INTO desk_sessions (hash, user_id, csrf_hash, created_at, seen_at, expires_at)
           VALUES (${session.hash}, ${session.userId}, ${session.csrfHash}, ${session.createdAt},
             ${session.seenAt}, ${session.expiresAt})`);
      }),
    async findSession(hash) {
      const row = sql.one(
        SessionRow,
        q`SELECT s.hash, s.csrf_hash, s.created_at, s.seen_at, s.expires_at,
                u.id, u.workspace_id, u.email, u.name, u.password_hash, u.role
         FROM desk_sessions s JOIN desk_users u ON u.id = s.user_id
         WHERE s.hash = ${hash} AND u.disabled_at IS NULL`,
      );
      return row && sessionOf(row);
    },
    touchSession: (hash, seenAt) =>
      write((tx) => tx.sql.run(q`UPDATE desk_sessions SET seen_at = ${seenAt} WHERE hash = ${hash}`) > 0),
    removeSession: (hash) =>
      write((tx) => void tx.sql.run(q`DELETE FROM desk_sessions WHERE hash = ${hash}`)),
    replaceSetup: (setup) =>
      write((tx) => {
        tx.sql.run(q`DELETE FROM desk_setup WHERE workspace_id = ${setup.workspaceId} AND used_at IS NULL`);
        tx.sql.run(
          q`INSERT INTO desk_setup (hash, workspace_id, expires_at)
            VALUES (${setup.hash}, ${setup.workspaceId}, ${setup.expiresAt})`,
        );
      }),
    async isSetup(hash) {
      const row = sql.one(
        WorkspaceId,
        q`SELECT workspace_id FROM desk_setup
          WHERE hash = ${hash} AND used_at IS NULL AND expires_at > ${clock.now()}`,
      );
      return row !== undefined && countUsers(sql, row.workspace_id) === 0;
    },
    setUpFirstUser: (hash, user) =>
      write((tx) => {
        const used = tx.sql.one(
          WorkspaceId,
          q`UPDATE desk_setup SET used_at = ${tx.now}
            WHERE hash = ${hash} AND used_at IS NULL AND expires_at > ${tx.now}
           RETURNING workspace_id`,
        );
        if (!used || countUsers(tx.sql, used.workspace_id) > 0) return undefined;
        const { workspace_id: workspaceId } = used;
        const first = insertUser(tx, { ...user, workspaceId, role: "admin" });
        appendAudit(tx, { workspaceId, userId: first.id, action: "desk.setup", target: first.id });
        return first;
      }),
    audit: (entry) => write((tx) => appendAudit(tx, entry)),
  };
}

function countUsers(sql: Sql, workspaceId: string): number {
  const row = sql.one(Users, q`SELECT count(*) AS users FROM desk_users WHERE workspace_id = ${workspaceId}`);
  return row?.users ?? 0;
}

/** @throws Failure `bad_request` when the address is taken */
export function insertUser(tx: Transaction, user: Omit<DeskUserRecord, "id">): DeskUserRecord {
  const taken = tx.sql.has(
    q`SELECT 1 FROM desk_users WHERE workspace_id = ${user.workspaceId} AND email = ${user.email}`,
  );
  if (taken)
    throw new Failure("bad_request", { detail: "An account with this e-mail address already exists." });
  const id = tx.newId("user");
  tx.sql.run(q`INSERT INTO desk_users (id, workspace_id, email, name, password_hash, role, created_at)
     VALUES (${id}, ${user.workspaceId}, ${user.email}, ${user.name}, ${user.passwordHash ?? ""},
       ${user.role}, ${tx.now})`);
  return { id, ...user };
}

export function userOf(row: UserRow): DeskUserRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    email: row.email,
    name: row.name,
    passwordHash: row.password_hash || undefined,
    role: row.role,
  };
}

function sessionOf(row: SessionRow): DeskSessionRecord {
  return {
    hash: row.hash,
    csrfHash: row.csrf_hash,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    user: userOf(row),
  };
}
