import type { Auth } from "../../shared/operation.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import type { Credentials } from "./read-credentials.ts";

/** Gives the headers that prove who makes one call. */
export type Authorize = (operation: V1Id, serviceToken: string | undefined) => Record<string, string>;

/** The calls of an SDK session, which name the application beside proving it (contract, endpoints 2 to 4). */
const WITH_PUBLIC_KEY: ReadonlySet<V1Id> = new Set(["sessions", "providerSelection", "supportSelection"]);

/**
 * The one place where the application credential and the hand-off secret are read. What it gives goes to the
 * service and nowhere else. Schemes are configuration, because the contract leaves all but identify's to the integration.
 */
export function createAuthorize(credentials: Credentials): Authorize {
  const application = credentials.application && `Bearer ${credentials.application.reveal()}`;
  const handoffSecret = credentials.handoffSecret?.reveal();

  const bearer = (scheme: Auth, serviceToken: string | undefined) => {
    if (scheme === "application") return application;
    return scheme === "session" && serviceToken !== undefined ? `Bearer ${serviceToken}` : undefined;
  };
  return (operation, serviceToken) => {
    const headers: Record<string, string> = {};
    const authorization = bearer(credentials.schemes[operation], serviceToken);
    if (authorization !== undefined) headers["authorization"] = authorization;
    if (credentials.publicKey !== undefined && WITH_PUBLIC_KEY.has(operation)) {
      headers[credentials.publicKeyHeader] = credentials.publicKey;
    }
    if (handoffSecret !== undefined && operation === "handoffs") {
      headers[credentials.handoffSecretHeader] = handoffSecret;
    }
    return headers;
  };
}
