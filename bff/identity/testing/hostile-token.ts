import type { FailureCode } from "../../../shared/errors.ts";

/** A token that must be refused, and the code of the refusal. */
export interface HostileToken {
  readonly name: string;
  readonly token: string;
  readonly code: FailureCode;
}

export const BAD = "identity_bad_signature";
export const MISSING = "identity_missing_claim";

/** The claims of a valid token, as text. `now` in milliseconds. */
export function claimsText(now: number, more: object = {}): string {
  const at = Math.floor(now / 1000);
  return JSON.stringify({ sub: "customer-42", aud: "parley", iat: at, exp: at + 300, jti: "trick", ...more });
}
