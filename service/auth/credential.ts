import type { Random } from "../../shared/server/random.ts";
import { createSecret, sha256 } from "../ids.ts";
import type { Store } from "../store/store.ts";
import type { Credential, Workspace } from "../store/workspaces.ts";

/** So that a person, and a scanner of leaked secrets, sees what it is. */
const CREDENTIAL_PREFIX = "parley_sk_";
const PUBLIC_KEY_PREFIX = "parley_pk_";

/** The one moment at which the credential itself exists: it is shown once, and only its hash is kept. */
export interface IssuedCredential {
  readonly credential: string;
  readonly record: Credential;
}

/** A new workspace with its public key. @throws Failure `bad_request` when the name is taken */
export function createWorkspace(store: Store, random: Random, name: string): Promise<Workspace> {
  return store.workspaces.create({ name, publicKey: PUBLIC_KEY_PREFIX + createSecret(random) });
}

/**
 * Issues an application credential of 256 random bits. `ends` names what it replaces.
 *
 * @throws Failure `bad_request` when two live already, `not_found` without such a workspace
 */
export async function issueCredential(
  store: Store,
  random: Random,
  given: { workspaceId: string; label: string; ends?: { label: string } | { id: string } | "older" },
): Promise<IssuedCredential> {
  const credential = CREDENTIAL_PREFIX + createSecret(random);
  const entry = { workspaceId: given.workspaceId, label: given.label, hash: sha256(credential) };
  const record = given.ends
    ? await store.credentials.replace(entry, given.ends)
    : await store.credentials.add(entry);
  return { credential, record };
}

/** The workspace of an application credential, or undefined. Found by its hash, so nothing is compared byte by byte. */
export async function findWorkspaceByCredential(
  store: Store,
  bearer: string,
): Promise<Workspace | undefined> {
  if (!bearer.startsWith(CREDENTIAL_PREFIX)) return undefined;
  return store.credentials.findWorkspace(sha256(bearer));
}
