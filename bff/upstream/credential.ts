import type { V1Operation } from "../../shared/operation.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import type { Credentials } from "./read-credentials.ts";

export type Authorize = ReturnType<typeof createAuthorize>;

/**
 * The only place that reads the application credential and the hand-off secret. The headers are sent only to the
 * service. Schemes are configurable, because the contract leaves all but identify's to the integration.
 */
export function createAuthorize(credentials: Credentials) {
  const { schemes, publicKey, publicKeyHeader, handoffSecretHeader } = credentials;
  const application = credentials.application && `Bearer ${credentials.application.reveal()}`;
  const handoffSecret = credentials.handoffSecret?.reveal();

  /** Returns new headers that authenticate one call. */
  return (operation: Pick<V1Operation, "headers"> & { readonly id: V1Id }, token: string | undefined) => {
    const headers: Record<string, string> = {};
    const scheme = schemes[operation.id];
    if (scheme === "application" && application) headers["authorization"] = application;
    if (scheme === "session" && token !== undefined) headers["authorization"] = `Bearer ${token}`;
    if (publicKey !== undefined && operation.headers?.includes("publicKey")) {
      headers[publicKeyHeader] = publicKey;
    }
    if (handoffSecret !== undefined && operation.headers?.includes("handoffSecret")) {
      headers[handoffSecretHeader] = handoffSecret;
    }
    return headers;
  };
}
