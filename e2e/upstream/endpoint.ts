import type { V1Id } from "../../shared/v1/contract.ts";

/** Every address that a service may have, by the id of its operation. */
export type Endpoint = V1Id;

/** Whether a client may call it without knowing that it exists: a 404 there is an answer, not the client's mistake. */
export function isProbe(endpoint: Endpoint): boolean {
  return endpoint === "capabilities" || endpoint === "supportSelection";
}
