import { errorFacts, type Log } from "../../shared/server/log.ts";
import { createSecret, type Random } from "../../shared/server/random.ts";
import { sha256 } from "../ids.ts";
import type { DeskAccountStore } from "../store/accounts.ts";

/** A link that was printed a day ago may be in anybody's scroll-back. */
export const SETUP_MS = 24 * 60 * 60 * 1000;

export interface SetupDeps {
  readonly accounts: DeskAccountStore;
  readonly now: () => number;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Returns the one-time link that creates a workspace's first admin, or `undefined` if there is a person already or the
 * link can't be stored. Each call creates a new link and invalidates the previous one. The secret is in the fragment,
 * which browsers never send, so no server log contains it; only its hash is stored. There is no default password and no
 * other way in.
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
  const setup = { hash: sha256(token), workspaceId, expiresAt: deps.now() + SETUP_MS };
  try {
    await deps.accounts.replaceSetup(setup);
    return `${deskUrl}#setup=${token}`;
  } catch (error) {
    // On a full disk or a locked database customers still read their conversations, so the start goes on.
    deps.log.error(errorFacts(error), "the link for the desk's first sign-in could not be stored");
    return undefined;
  }
}
