import { createHmac, generateKeyPairSync, type KeyObject, randomBytes, randomUUID, sign } from "node:crypto";

/** A test site: its keys, the set that it publishes, and tokens as its server would sign them. */
export interface TestSite {
  /** The set for `IDENTITY_KEYS`: `hmac` (HS256), `ec` (ES256), `ed` (EdDSA). */
  readonly keySet: string;
  readonly keys: { readonly hmac: Buffer; readonly ec: KeyPair; readonly ed: KeyPair };
  /** A valid token; `claims` and `header` add or replace members, `undefined` removes one. */
  token(given?: TokenParts): string;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface TokenParts {
  readonly kid?: "hmac" | "ec" | "ed";
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
}

const ALGORITHMS = { hmac: "HS256", ec: "ES256", ed: "EdDSA" } as const;

export function encode(part: unknown): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}

/** `now` returns the issue time of tokens, in milliseconds. */
export function createTestSite(now: () => number): TestSite {
  const hmac = randomBytes(32);
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ed = generateKeyPairSync("ed25519");
  const jwk = (pair: KeyPair, kid: string) => ({ ...pair.publicKey.export({ format: "jwk" }), kid });
  const keySet = JSON.stringify({
    keys: [{ kty: "oct", kid: "hmac", k: hmac.toString("base64url") }, jwk(ec, "ec"), jwk(ed, "ed")],
  });
  const keys = { hmac, ec, ed };
  return {
    keySet,
    keys,
    token({ kid = "ed", claims = {}, header = {} } = {}) {
      const at = Math.floor(now() / 1000);
      const all = { sub: "customer-42", aud: "parley", iat: at, exp: at + 300, jti: randomUUID(), ...claims };
      const signed = `${encode({ alg: ALGORITHMS[kid], kid, ...header })}.${encode(all)}`;
      return `${signed}.${signatureOf(keys, kid, signed)}`;
    },
  };
}

/** Signs any text with one of the site's keys, with that key's own algorithm. */
export function signatureOf(keys: TestSite["keys"], kid: keyof TestSite["keys"], signed: string): string {
  const bytes = Buffer.from(signed);
  if (kid === "hmac") return createHmac("sha256", keys.hmac).update(bytes).digest("base64url");
  if (kid === "ed") return sign(null, bytes, keys.ed.privateKey).toString("base64url");
  return sign("sha256", bytes, { key: keys.ec.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url");
}
