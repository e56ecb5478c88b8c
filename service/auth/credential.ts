import { createSecret, type Random } from "../../shared/server/random.ts";
import { sha256 } from "../ids.ts";
import type { Store } from "../store/store.ts";
import type { Credential, Workspace } from "../store/workspaces.ts";

/** Lets people, and scanners for leaked secrets, recognise the key. */
const CREDENTIAL_PREFIX = "parley_sk_";
const PUBLIC_KEY_PREFIX = "parley_pk_";

/** The only time the credential itself exists: it is shown once, and only its hash is stored. */
export interface IssuedCredential {
  readonly credential: string;
  readonly record: Credential;
  /** The ids of those that it replaced. */
  readonly ended: readonly string[];
}

/** Creates a workspace with its public key. @throws Failure `bad_request` when the name is taken */
export function createWorkspace(store: Store, random: Random, name: string): Promise<Workspace> {
  return store.workspaces.create({ name, publicKey: PUBLIC_KEY_PREFIX + createSecret(random) });
}

/**
 * Issues an application credential of 256 random bits. `ends` names the credentials that it replaces.
 *
 * @throws Failure `bad_request` when two are valid already, `not_found` for an unknown workspace
 */
export async function issueCredential(
  store: Store,
  random: Random,
  given: { workspaceId: string; label: string; ends?: { label: string } | { id: string } | "older" },
): Promise<IssuedCredential> {
  const credential = CREDENTIAL_PREFIX + createSecret(random);
  const entry = { workspaceId: given.workspaceId, label: given.label, hash: sha256(credential) };
  const { added: record, ended } = given.ends
    ? await store.credentials.replace(entry, given.ends)
    : { added: await store.credentials.add(entry), ended: [] };
  return { credential, record, ended };
}

/**
 * Returns the workspace of an application credential, or undefined. Looks it up by hash, so nothing is compared byte by
 * byte.
 */
export async function findWorkspaceByCredential(
  store: Store,
  bearer: string,
): Promise<Workspace | undefined> {
  if (!bearer.startsWith(CREDENTIAL_PREFIX)) return undefined;
  return store.credentials.findWorkspace(sha256(bearer));
}
