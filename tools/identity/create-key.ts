import { generateKeyPairSync } from "node:crypto";
import type { Random } from "../../shared/server/random.ts";

/** Public-key algorithms come first: with them the BFF holds nothing that can sign. */
export const ALGORITHMS = ["ES256", "EdDSA", "HS256"] as const;
export type SigningAlgorithm = (typeof ALGORITHMS)[number];

/**
 * A new key: the part that signs, for the site's server, and the part that verifies. With HS256 both are the same
 * secret.
 */
export interface CreatedKey {
  readonly signing: Jwk;
  readonly verifying: Jwk;
}

export type Jwk = Readonly<Record<string, unknown>> & { readonly kid: string; readonly alg: string };

/** Creates a key. */
export function createKey(algorithm: SigningAlgorithm, kid: string, random: Random): CreatedKey {
  const facts = { kid, alg: algorithm, use: "sig" };
  if (algorithm === "HS256") {
    const key = { ...facts, kty: "oct", k: Buffer.from(random(32)).toString("base64url") };
    return { signing: key, verifying: key };
  }
  const { privateKey, publicKey } =
    algorithm === "ES256"
      ? generateKeyPairSync("ec", { namedCurve: "P-256" })
      : generateKeyPairSync("ed25519");
  return {
    signing: { ...privateKey.export({ format: "jwk" }), ...facts },
    verifying: { ...publicKey.export({ format: "jwk" }), ...facts },
  };
}
