import { createPublicKey, createSecretKey } from "node:crypto";
import * as z from "zod";
import { jsonOf } from "../../shared/json.ts";

/** Two for a rotation, a few more for several signers; more would be a mistake. */
const MAX_KEYS = 20;

/** RFC 7518, 3.2: a key of the hash's size or larger. */
const MIN_SECRET_BYTES = 32;
const MAX_SECRET_BYTES = 1024;

const common = {
  kid: z.string("is missing").regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 printable ASCII characters"),
  use: z.literal("sig").optional(),
  key_ops: z
    .array(z.string())
    .refine((operations) => operations.includes("verify"), 'must include "verify", or be left out')
    .optional(),
};
const NoPrivatePart = z
  .never("is the private part of the key; remove it, and make a new key if this file was shared")
  .optional();

const Secret = z.object({
  ...common,
  kty: z.literal("oct"),
  alg: z.literal("HS256").default("HS256"),
  k: z
    .string("is missing")
    .regex(/^[A-Za-z0-9_-]+$/, "must be base64url")
    .transform((text) => Buffer.from(text, "base64url"))
    .refine(({ byteLength }) => byteLength >= MIN_SECRET_BYTES && byteLength <= MAX_SECRET_BYTES, {
      error: `must be ${MIN_SECRET_BYTES * 8} bit to ${MAX_SECRET_BYTES} bytes long`,
      abort: true,
    })
    .refine((bytes) => new Set(bytes).size >= 8, "is not a random secret"),
});
const EllipticCurve = z.object({
  ...common,
  kty: z.literal("EC"),
  crv: z.literal("P-256"),
  alg: z.literal("ES256").default("ES256"),
  x: z.string(),
  y: z.string(),
  d: NoPrivatePart,
});
const Edwards = z.object({
  ...common,
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  alg: z.enum(["EdDSA", "Ed25519"]).default("EdDSA"),
  x: z.string(),
  d: NoPrivatePart,
});

const Jwk = z
  .discriminatedUnion("kty", [Secret, EllipticCurve, Edwards], { error: "must have the kty oct, EC or OKP" })
  .transform((jwk, context) => {
    const { kid, alg: algorithm } = jwk;
    if (jwk.kty === "oct") return { kid, algorithm, key: createSecretKey(jwk.k) };
    try {
      const { kty, crv, x } = jwk;
      const y = jwk.kty === "EC" ? { y: jwk.y } : {};
      return { kid, algorithm, key: createPublicKey({ key: { kty, crv, x, ...y }, format: "jwk" }) };
    } catch {
      // Node's own message would say less, and might quote the key.
      context.addIssue("is not a point of its curve");
      return z.NEVER;
    }
  });

/** One key of the site, with its algorithm: a token's header never chooses it. It can verify, and can't sign unless it is a shared secret. */
export type IdentityKey = z.output<typeof Jwk>;

const NOT_A_SET = 'must be a JSON Web Key Set: {"keys": [...]}';
const KeySet = z
  .object(
    {
      keys: z
        .array(Jwk, NOT_A_SET)
        .min(1, "must hold a key")
        .max(MAX_KEYS, `must hold at most ${MAX_KEYS} keys`),
    },
    NOT_A_SET,
  )
  .refine(
    ({ keys }) => new Set(keys.map(({ kid }) => kid)).size === keys.length,
    "has two keys with the same kid",
  );

/** Reads a JSON Web Key Set (RFC 7517). Returns its keys, or a sentence for each fault; none quotes key material. */
export function parseKeySet(text: string) {
  const { data, error } = KeySet.safeParse(jsonOf(text));
  const issues = error?.issues ?? [];
  return {
    keys: data?.keys ?? [],
    faults: issues.map(({ path, message }) => `${[z.core.toDotPath(path), message].join(" ").trim()}.`),
  };
}
