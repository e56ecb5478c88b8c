import { createHash } from "node:crypto";

/**
 * The key of one act: the same for every try of it, another for the next one (contract, "OURS Idempotency-Key").
 * What the act sends is part of it, because the same key with another body is refused.
 */
export function idempotencyKey(...parts: readonly (string | number | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}
