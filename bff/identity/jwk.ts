import { createPublicKey, createSecretKey, type KeyObject } from "node:crypto";
import * as z from "zod/mini";

/** The algorithms that identity tokens may be signed with. A key's record names its one; a token's header never chooses. */
export type IdentityAlgorithm = "HS256" | "ES256" | "EdDSA" | "Ed25519";

/** One key of the site, fit to verify and nothing else. */
export interface IdentityKey {
  readonly kid: string;
  readonly algorithm: IdentityAlgorithm;
  readonly key: KeyObject;
}

/** Two for a rotation, a few more for several signers; more is a mistake. */
const MAX_KEYS = 20;

/** RFC 7518, 3.2: a key of the hash's size or larger. */
const MIN_SECRET_BYTES = 32;
const MAX_SECRET_BYTES = 1024;

const KeySet = z.object({ keys: z.array(z.record(z.string(), z.unknown())) });
type Jwk = Readonly<Record<string, unknown>>;

/** The keys of a set, or everything that is wrong with it, one sentence each. No sentence quotes key material. */
export type ParsedKeys =
  | { readonly keys: readonly IdentityKey[]; readonly faults?: undefined }
  | { readonly faults: readonly string[] };

/**
 * Reads a JSON Web Key Set (RFC 7517). `secrets` says whether symmetric keys may be in it: what comes from an address is
 * public, and a secret there is a secret no more.
 */
export function parseKeySet(text: string, { secrets }: { readonly secrets: boolean }): ParsedKeys {
  const set = readSet(text);
  if (!set) return { faults: ['must be a JSON Web Key Set: {"keys": [...]}.'] };
  if (set.length === 0) return { faults: ["holds no key."] };
  if (set.length > MAX_KEYS) return { faults: [`holds more than ${MAX_KEYS} keys.`] };
  const keys: IdentityKey[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [index, jwk] of set.entries()) {
    const { kid } = jwk;
    const name = `key ${index + 1}`;
    if (typeof kid !== "string" || !/^[\x21-\x7e]{1,128}$/.test(kid)) {
      faults.push(`${name} needs a "kid" of 1 to 128 printable ASCII characters.`);
      continue;
    }
    if (seen.has(kid)) faults.push(`${name} has the "kid" of another one.`);
    seen.add(kid);
    const read = readKey(jwk, secrets);
    if (typeof read === "string") faults.push(`${name} ("${kid}") ${read}`);
    else keys.push({ kid, ...read });
  }
  return faults.length > 0 ? { faults } : { keys };
}

function readSet(text: string): Jwk[] | undefined {
  try {
    const set = KeySet.safeParse(JSON.parse(text));
    return set.success ? set.data.keys : undefined;
  } catch {
    // The parser's words would quote the text, and a secret with it.
    return undefined;
  }
}

function readKey(jwk: Jwk, secrets: boolean): Omit<IdentityKey, "kid"> | string {
  const { use, key_ops: operations } = jwk;
  if (use !== undefined && use !== "sig") return 'must have the "use" sig, or none.';
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) {
    return 'must have verify among its "key_ops", or none.';
  }
  if (jwk["kty"] === "oct")
    return secrets ? readSecret(jwk) : "is a secret, which must not come from an address.";
  return readPublicKey(jwk);
}

function readSecret({ alg, k }: Jwk): Omit<IdentityKey, "kid"> | string {
  if (alg !== undefined && alg !== "HS256") return 'must have the "alg" HS256, or none.';
  if (typeof k !== "string" || !/^[A-Za-z0-9_-]+$/.test(k)) return 'needs its secret as base64url in "k".';
  const secret = Buffer.from(k, "base64url");
  if (secret.byteLength < MIN_SECRET_BYTES) return `must be at least ${MIN_SECRET_BYTES * 8} bit long.`;
  if (secret.byteLength > MAX_SECRET_BYTES) return `must be at most ${MAX_SECRET_BYTES} bytes long.`;
  if (new Set(secret).size < 8) return "is no random secret.";
  return { algorithm: "HS256", key: createSecretKey(secret) };
}

const CURVES: Readonly<Record<string, { kty: string; algorithms: readonly IdentityAlgorithm[] }>> = {
  "P-256": { kty: "EC", algorithms: ["ES256"] },
  Ed25519: { kty: "OKP", algorithms: ["EdDSA", "Ed25519"] },
};

function readPublicKey(jwk: Jwk): Omit<IdentityKey, "kid"> | string {
  const { kty, crv, alg, x, y } = jwk;
  const curve = typeof crv === "string" && Object.hasOwn(CURVES, crv) ? CURVES[crv] : undefined;
  if (curve?.kty !== kty || !curve)
    return "must be of kty oct, of kty EC with crv P-256 or of kty OKP with crv Ed25519.";
  if ("d" in jwk)
    return 'is a private key: give its public part, without "d", and make a new one if this file was shared.';
  const algorithm = alg === undefined ? curve.algorithms[0] : curve.algorithms.find((known) => known === alg);
  if (!algorithm) return `must have the "alg" ${curve.algorithms.join(" or ")}, or none.`;
  try {
    const key = createPublicKey({
      key: { ...strings({ kty, crv, x, y }) },
      format: "jwk",
    });
    return { algorithm, key };
  } catch {
    // Node names the coordinate that is wrong only to those who know its source.
    return "holds no point of its curve.";
  }
}

function strings(given: Jwk): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
