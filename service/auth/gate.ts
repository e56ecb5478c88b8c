import { timingSafeEqual } from "node:crypto";
import { Failure } from "../../shared/errors.ts";
import type { Auth } from "../../shared/operation.ts";
import { sha256 } from "../ids.ts";
import type { Store } from "../store/store.ts";
import type { Workspace } from "../store/workspaces.ts";
import { findWorkspaceByCredential } from "./credential.ts";
import type { Session, SessionTokens } from "./session-token.ts";

export interface GateDeps {
  readonly store: Store;
  readonly tokens: SessionTokens;
  readonly publicKeyHeader: string;
  readonly handoffSecrets: readonly string[];
  readonly handoffSecretHeader: string;
}

/** The caller: an application with its credential, or a customer's session. */
export interface Callers {
  readonly application: { readonly workspace: Workspace };
  readonly session: Session;
  readonly none: undefined;
}

export interface Gate {
  /**
   * Authenticates callers. Fails closed: missing, malformed, expired, revoked or wrong kinds of credentials are
   * refused.
   *
   * @throws Failure `unauthenticated`, `session_expired`, `unavailable`
   */
  authenticate<A extends Auth>(auth: A, headers: Headers): Promise<Callers[A]>;
  /**
   * Compares the server-to-server secret of hand-offs with the configured one, if there is one. @throws Failure
   * `unauthenticated`
   */
  requireHandoffSecret(headers: Headers): void;
}

export function createGate(deps: GateDeps): Gate {
  const callers: { readonly [A in Auth]: (headers: Headers) => Promise<Callers[A]> } = {
    async application(headers) {
      const credential = readBearer(headers);
      const workspace = credential && (await findWorkspaceByCredential(deps.store, credential));
      if (!workspace) throw new Failure("unauthenticated", { detail: "Send the application credential." });
      checkPublicKey(workspace, headers.get(deps.publicKeyHeader));
      return { workspace };
    },
    async session(headers) {
      const token = readBearer(headers);
      if (!token) throw new Failure("unauthenticated");
      const session = await deps.tokens.verify(token);
      const publicKey = headers.get(deps.publicKeyHeader);
      if (publicKey !== null)
        checkPublicKey(await deps.store.workspaces.find(session.workspaceId), publicKey);
      return session;
    },
    none: async () => undefined,
  };
  return {
    authenticate: (auth, headers) => callers[auth](headers),
    requireHandoffSecret(headers) {
      const { handoffSecrets: secrets } = deps;
      const given = headers.get(deps.handoffSecretHeader) ?? "";
      if (secrets.length > 0 && !secrets.some((secret) => isSame(given, secret))) {
        throw new Failure("unauthenticated", { detail: "The hand-off secret is missing or wrong." });
      }
    },
  };
}

/** RFC 6750, 2.1: the scheme's case does not matter. */
function readBearer(headers: Headers): string | undefined {
  return /^bearer +([\x21-\x7e]+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** The public key is not secret; a wrong one means that the caller addresses the wrong workspace. */
function checkPublicKey(workspace: Workspace | undefined, given: string | null): void {
  if (!workspace || (given !== null && given !== workspace.publicKey)) {
    throw new Failure("unauthenticated", { detail: "The public key does not belong to this workspace." });
  }
}

/** Compares hashes, so that timing reveals neither length nor content. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}
