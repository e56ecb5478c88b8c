import { Failure } from "../../../shared/errors.ts";
import {
  type Credential,
  type CredentialStore,
  Enabled,
  type Workspace,
  type WorkspaceStore,
} from "../workspaces.ts";
import { integer, json, nullable, type RowOf, reader, text } from "./columns.ts";
import { q } from "./query.ts";
import type { StoreCore } from "./store-core.ts";
import type { Transaction } from "./write-queue.ts";

const Live = reader({ live: integer });

/** Two, so that a rotation causes no gap, and a forgotten third can't remain. */
const MAX_LIVE_CREDENTIALS = 2;

const WorkspaceRow = reader({
  id: text,
  name: text,
  public_key: text,
  enabled_json: nullable(json(Enabled)),
});
type WorkspaceRow = RowOf<typeof WorkspaceRow>;

const CredentialRow = reader({ id: text, label: text, created_at: integer, revoked_at: nullable(integer) });
const CredentialId = reader({ id: text });
type CredentialRow = RowOf<typeof CredentialRow>;

/** Workspaces in SQLite. */
export function createWorkspaceStore({ sql, write }: StoreCore): WorkspaceStore {
  return {
    create: ({ name, publicKey, enabled }) =>
      write((tx) => {
        if (tx.sql.has(q`SELECT 1 FROM workspaces WHERE name = ${name}`)) {
          throw new Failure("bad_request", { detail: "A workspace with this name already exists." });
        }
        const id = tx.newId("ws");
        tx.sql.run(
          q`INSERT INTO workspaces (id, name, public_key, enabled_json, created_at)
            VALUES (${id}, ${name}, ${publicKey}, ${enabled ? JSON.stringify(enabled) : null}, ${tx.now})`,
        );
        return { id, name, publicKey, enabled: enabled ?? {} };
      }),
    list: async () =>
      sql
        .all(
          WorkspaceRow,
          q`SELECT id, name, public_key, enabled_json FROM workspaces ORDER BY created_at, id`,
        )
        .map(workspaceOf),
    async find(id) {
      const row = sql.one(
        WorkspaceRow,
        q`SELECT id, name, public_key, enabled_json FROM workspaces WHERE id = ${id}`,
      );
      return row && workspaceOf(row);
    },
  };
}

/** Application credentials in SQLite, by their hashes. */
export function createCredentialStore({ sql, write }: StoreCore): CredentialStore {
  const insert = (
    tx: Transaction,
    given: { workspaceId: string; hash: string; label: string },
  ): Credential => {
    if (!tx.sql.has(q`SELECT 1 FROM workspaces WHERE id = ${given.workspaceId}`)) {
      throw new Failure("not_found", { detail: "There is no workspace with this id." });
    }
    const id = tx.newId("cred");
    tx.sql.run(
      q`INSERT INTO credentials (id, workspace_id, hash, label, created_at)
        VALUES (${id}, ${given.workspaceId}, ${given.hash}, ${given.label}, ${tx.now})`,
    );
    return { id, label: given.label, createdAt: tx.now, revokedAt: undefined };
  };
  return {
    add: (given) =>
      write((tx) => {
        if (countLive(tx, given.workspaceId) >= MAX_LIVE_CREDENTIALS) {
          throw new Failure("bad_request", {
            detail: `This workspace has ${MAX_LIVE_CREDENTIALS} valid credentials: revoke one first, or rotate.`,
          });
        }
        return insert(tx, given);
      }),
    replace: (given, ends) =>
      write((tx) => {
        const ended = endSome(tx, given, ends);
        return { added: insert(tx, given), ended };
      }),
    list: async (workspaceId) =>
      sql
        .all(
          CredentialRow,
          q`SELECT id, label, created_at, revoked_at FROM credentials
            WHERE workspace_id = ${workspaceId} ORDER BY created_at, id`,
        )
        .map(credentialOf),
    revoke: (workspaceId, id) => write((tx) => revokeOne(tx, workspaceId, id)),
    async findWorkspace(hash) {
      const row = sql.one(
        WorkspaceRow,
        q`SELECT w.id, w.name, w.public_key, w.enabled_json FROM credentials c
         JOIN workspaces w ON w.id = c.workspace_id WHERE c.hash = ${hash} AND c.revoked_at IS NULL`,
      );
      return row && workspaceOf(row);
    },
  };
}

function endSome(
  tx: Transaction,
  { workspaceId, label }: { readonly workspaceId: string; readonly label: string },
  ends: { label: string } | { id: string } | "older",
): string[] {
  if (ends === "older") {
    const older = q`UPDATE credentials SET revoked_at = ${tx.now}
      WHERE workspace_id = ${workspaceId} AND label = ${label} AND revoked_at IS NULL AND id <> (
         SELECT id FROM credentials WHERE workspace_id = ${workspaceId} AND label = ${label} AND revoked_at IS NULL
         ORDER BY created_at DESC, id DESC LIMIT 1)
      RETURNING id`;
    return tx.sql.all(CredentialId, older).map(({ id }) => id);
  }
  if ("label" in ends) {
    const labelled = q`UPDATE credentials SET revoked_at = ${tx.now}
      WHERE workspace_id = ${workspaceId} AND label = ${ends.label} AND revoked_at IS NULL RETURNING id`;
    return tx.sql.all(CredentialId, labelled).map(({ id }) => id);
  }
  if (!revokeOne(tx, workspaceId, ends.id)) {
    throw new Failure("not_found", { detail: "This workspace has no valid credential with this id." });
  }
  return [ends.id];
}

function revokeOne(tx: Transaction, workspaceId: string, id: string): boolean {
  const changed = tx.sql.run(
    q`UPDATE credentials SET revoked_at = ${tx.now}
      WHERE workspace_id = ${workspaceId} AND id = ${id} AND revoked_at IS NULL`,
  );
  return changed > 0;
}

function countLive(tx: Transaction, workspaceId: string): number {
  const row = tx.sql.one(
    Live,
    q`SELECT count(*) AS live FROM credentials WHERE workspace_id = ${workspaceId} AND revoked_at IS NULL`,
  );
  return row?.live ?? 0;
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return { id: row.id, name: row.name, publicKey: row.public_key, enabled: row.enabled_json ?? {} };
}

function credentialOf(row: CredentialRow): Credential {
  return { id: row.id, label: row.label, createdAt: row.created_at, revokedAt: row.revoked_at ?? undefined };
}
