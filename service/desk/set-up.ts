import type { Random } from "../../shared/server/random.ts";
import { createSecret, sha256 } from "../ids.ts";
import type { DeskAccountStore } from "../store/accounts.ts";

/** A link that was printed a day ago may be in anybody's scroll-back. */
export const SETUP_MS = 24 * 60 * 60 * 1000;

export interface SetupDeps {
  readonly accounts: DeskAccountStore;
  readonly now: () => number;
  readonly random: Random;
}

/**
 * The one-time link by which the first admin of a workspace is made, or `undefined` when somebody is there already.
 * Each call makes a new link and kills the one before. The secret stands in the fragment, which no browser sends, so
 * it is in no server's log; only its hash is kept. There is no default password and no other way in.
 *
 * @param deskUrl where people open the desk, such as `http://127.0.0.1:3000/desk`
 */
export async function createSetupLink(
  deps: SetupDeps,
  workspaceId: string,
  deskUrl: string,
): Promise<string | undefined> {
  if ((await deps.accounts.countUsers(workspaceId)) > 0) return undefined;
  const token = createSecret(deps.random);
  await deps.accounts.replaceSetup({ hash: sha256(token), workspaceId, expiresAt: deps.now() + SETUP_MS });
  return `${deskUrl}#setup=${token}`;
}
