import { randomBytes, randomUUID } from "node:crypto";
import { importJWK, SignJWT } from "jose";
import { createKey } from "../../tools/identity/create-key.ts";

/** A site's own key, with which it signs identity tokens. */
export interface SiteSigner {
  /** The public part, for `IDENTITY_KEYS`. */
  readonly keySet: string;
  /** A token for one use. */
  readonly sign: (externalId: string) => Promise<string>;
}

export async function createSiteSigner(): Promise<SiteSigner> {
  const { signing, verifying } = createKey("ES256", "shop-1", randomBytes);
  const key = await importJWK(signing, "ES256");
  return {
    keySet: JSON.stringify({ keys: [verifying] }),
    sign: (externalId) =>
      new SignJWT({ sub: externalId, aud: "parley", jti: randomUUID() })
        .setProtectedHeader({ alg: "ES256", kid: "shop-1", typ: "JWT" })
        .setIssuedAt()
        .setExpirationTime("5m")
        .sign(key),
  };
}
