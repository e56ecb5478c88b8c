import type { Auth, V1Operation } from "../../shared/operation.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import type { Credentials } from "./read-credentials.ts";

/** Returns new headers that authenticate one call. */
export type Authorize = (
  operation: Pick<V1Operation, "headers"> & { readonly id: V1Id },
  token: string | undefined,
) => Record<string, string>;

/**
 * The only place that reads the application credential and the hand-off secret. The headers are sent only to the
 * service. Schemes are configurable, because the contract leaves all but identify's to the integration.
 */
export function createAuthorize(credentials: Credentials): Authorize {
  const { schemes, publicKey, publicKeyHeader, handoffSecretHeader } = credentials;
  const application = credentials.application && `Bearer ${credentials.application.reveal()}`;
  const handoffSecret = credentials.handoffSecret?.reveal();

  const bearer = (scheme: Auth, token: string | undefined) => {
    if (scheme === "application") return application;
    return scheme === "session" && token !== undefined ? `Bearer ${token}` : undefined;
  };
  return (operation, token) => {
    const headers: Record<string, string> = {};
    const authorization = bearer(schemes[operation.id], token);
    if (authorization !== undefined) headers["authorization"] = authorization;
    if (publicKey !== undefined && operation.headers?.includes("publicKey")) {
      headers[publicKeyHeader] = publicKey;
    }
    if (handoffSecret !== undefined && operation.headers?.includes("handoffSecret")) {
      headers[handoffSecretHeader] = handoffSecret;
    }
    return headers;
  };
}
