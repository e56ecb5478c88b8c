import * as z from "zod/mini";

const Names = z.optional(z.array(z.string()));

/** The targets that a workspace offers; an absent list means all targets of the process. */
export const Enabled = z.object({ channels: Names, agentProviders: Names, humanHandoffAdapters: Names });
export type Enabled = z.infer<typeof Enabled>;

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly enabled: Enabled;
}

export interface Credential {
  readonly id: string;
  readonly label: string;
  readonly createdAt: number;
  readonly revokedAt: number | undefined;
}

export interface WorkspaceStore {
  /** @throws Failure `bad_request` when the name is taken */
  create(workspace: { name: string; publicKey: string; enabled?: Enabled }): Promise<Workspace>;
  list(): Promise<Workspace[]>;
  find(id: string): Promise<Workspace | undefined>;
}

/** Application credentials, stored only as hashes. */
export interface CredentialStore {
  /** @throws Failure `bad_request` when two are valid already, `not_found` when the workspace is missing */
  add(credential: { workspaceId: string; hash: string; label: string }): Promise<Credential>;
  /**
   * Adds one and ends the named ones in one transaction: all with a label, one by id, or all but the newest of those with
   * the new one's label. Returns the ids of those that it ended. It does not count the others, because a process that needs
   * one for itself must start.
   */
  replace(
    credential: { workspaceId: string; hash: string; label: string },
    ends: { label: string } | { id: string } | "older",
  ): Promise<{ readonly added: Credential; readonly ended: readonly string[] }>;
  list(workspaceId: string): Promise<Credential[]>;
  /** False when there is no such valid credential. */
  revoke(workspaceId: string, id: string): Promise<boolean>;
  /** The workspace of a valid credential. */
  findWorkspace(hash: string): Promise<Workspace | undefined>;
}
