import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { BAD, claimsText, type HostileToken } from "./hostile-token.ts";
import { encode, type TestSite } from "./site-keys.ts";

/** Another algorithm or key than the key's record names. */
export function algorithmTricks(site: TestSite, now: number): HostileToken[] {
  const payload = encode(claimsText(now));
  const unsigned = (alg: unknown, kid = "ed") => `${encode({ alg, kid })}.${payload}`;
  const { ec, ed, hmac } = site.keys;
  const hmacWith = (secret: string | Buffer, kid: string, alg = "HS256") => {
    const signed = unsigned(alg, kid);
    return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
  };
  const pem = (kid: "ec" | "ed") => site.keys[kid].publicKey.export({ type: "spki", format: "pem" });
  const der = (kid: "ec" | "ed") => site.keys[kid].publicKey.export({ type: "spki", format: "der" });
  const jwk = (kid: "ec" | "ed") => JSON.stringify(site.keys[kid].publicKey.export({ format: "jwk" }));
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const rsaSigned = unsigned("RS256");
  const ecSignedAsEd = unsigned("EdDSA", "ed");
  const sha512 = `${unsigned("HS512", "hmac")}`;
  const nones = ["none", "None", "NONE", "nOnE", "none "].flatMap(
    (alg) =>
      [
        { name: `alg ${JSON.stringify(alg)} with an empty signature`, token: `${unsigned(alg)}.`, code: BAD },
        {
          name: `alg ${JSON.stringify(alg)} with a signature`,
          token: `${unsigned(alg)}.${encode("x")}`,
          code: BAD,
        },
      ] as const,
  );
  return [
    ...nones,
    { name: "HS256 by the public key in PEM, EC", token: hmacWith(pem("ec"), "ec"), code: BAD },
    { name: "HS256 by the public key in PEM, Ed25519", token: hmacWith(pem("ed"), "ed"), code: BAD },
    { name: "HS256 by the public key in DER", token: hmacWith(der("ec"), "ec"), code: BAD },
    { name: "HS256 by the public JWK", token: hmacWith(jwk("ed"), "ed"), code: BAD },
    { name: "HS256 by an empty secret", token: hmacWith("", "hmac"), code: BAD },
    { name: "HS256 by the kid", token: hmacWith("hmac", "hmac"), code: BAD },
    {
      name: "HS256 by the secret's base64url text",
      token: hmacWith(hmac.toString("base64url"), "hmac"),
      code: BAD,
    },
    { name: "the secret's key under another alg", token: hmacWith(hmac, "hmac", "HS384"), code: BAD },
    {
      name: "HS512 by the right secret",
      token: `${sha512}.${createHmac("sha512", hmac).update(sha512).digest("base64url")}`,
      code: BAD,
    },
    { name: "alg in lower case", token: hmacWith(hmac, "hmac", "hs256"), code: BAD },
    {
      name: "RS256 by a key of the attacker",
      token: `${rsaSigned}.${sign("sha256", Buffer.from(rsaSigned), rsa.privateKey).toString("base64url")}`,
      code: BAD,
    },
    {
      name: "ES256 named, signed by Ed25519",
      token: site.token({ kid: "ed", header: { alg: "ES256" } }),
      code: BAD,
    },
    {
      name: "EdDSA named, signed by ES256",
      token: site.token({ kid: "ec", header: { alg: "EdDSA" } }),
      code: BAD,
    },
    {
      name: "ES256 in DER and not in JOSE's form",
      token: `${unsigned("ES256", "ec")}.${sign("sha256", Buffer.from(unsigned("ES256", "ec")), ec.privateKey).toString("base64url")}`,
      code: BAD,
    },
    {
      name: "the EC key under the Ed25519 key's kid",
      token: `${ecSignedAsEd}.${sign("sha256", Buffer.from(ecSignedAsEd), { key: ec.privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`,
      code: BAD,
    },
    {
      name: "the Ed25519 key under the EC key's kid",
      token: site.token({ kid: "ed", header: { kid: "ec", alg: "ES256" } }),
      code: BAD,
    },
    {
      name: "the psychic signature: r and s are 0",
      token: `${unsigned("ES256", "ec")}.${Buffer.alloc(64).toString("base64url")}`,
      code: BAD,
    },
    {
      name: "a signature of zeros for Ed25519",
      token: `${unsigned("EdDSA", "ed")}.${Buffer.alloc(64).toString("base64url")}`,
      code: BAD,
    },
    {
      name: "a key of the attacker under a known kid",
      token: forged(unsigned("EdDSA", "ed"), generateKeyPairSync("ed25519").privateKey),
      code: BAD,
    },
    { name: "alg missing", token: site.token({ header: { alg: undefined } }), code: BAD },
    { name: "alg null", token: site.token({ header: { alg: null } }), code: BAD },
    { name: "alg as a list", token: site.token({ header: { alg: ["EdDSA"] } }), code: BAD },
    { name: "alg as an object", token: site.token({ header: { alg: { toString: "EdDSA" } } }), code: BAD },
    { name: "alg empty", token: site.token({ header: { alg: "" } }), code: BAD },
    { name: "alg ES256K", token: site.token({ kid: "ec", header: { alg: "ES256K" } }), code: BAD },
    { name: "a JWE's algorithm", token: site.token({ header: { alg: "dir", enc: "A256GCM" } }), code: BAD },
    {
      name: "Ed25519 where the record says EdDSA",
      token: forged(unsigned("Ed25519", "ed"), ed.privateKey),
      code: BAD,
    },
  ];
}

function forged(signed: string, key: Parameters<typeof sign>[2]): string {
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}
