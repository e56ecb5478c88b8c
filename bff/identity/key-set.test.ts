import { generateKeyPairSync, randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseKeySet } from "./key-set.ts";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const ed = generateKeyPairSync("ed25519");
const publicJwk = (pair: typeof ec) => pair.publicKey.export({ format: "jwk" });
const secret = randomBytes(32).toString("base64url");
const parse = (...keys: unknown[]) => parseKeySet(JSON.stringify({ keys }));

describe("a key set", () => {
  it("contains secrets and public keys, whose algorithm their record fixes", () => {
    const { keys, faults } = parse(
      { kty: "oct", kid: "a", k: secret, alg: "HS256", use: "sig" },
      { ...publicJwk(ec), kid: "b", key_ops: ["verify"] },
      { ...publicJwk(ed), kid: "c" },
      { ...publicJwk(ed), kid: "d", alg: "Ed25519" },
    );
    expect(faults).toEqual([]);
    expect(keys.map(({ kid, algorithm }) => `${kid} ${algorithm}`)).toEqual([
      "a HS256",
      "b ES256",
      "c EdDSA",
      "d Ed25519",
    ]);
  });

  it.each([
    ["no key set", "[]", "must be a JSON Web Key Set"],
    ["no JSON", "keys", "must be a JSON Web Key Set"],
    ["nothing in it", '{"keys":[]}', "must hold a key"],
    ["too many", JSON.stringify({ keys: Array.from({ length: 21 }, () => ({})) }), "at most 20"],
  ])("%s is a fault", (_name, text, sentence) => {
    expect(parseKeySet(text).faults.join()).toContain(sentence);
  });

  it.each<[string, object, string]>([
    ["no kid", { kty: "oct", k: secret }, "keys[0].kid is missing"],
    ["a kid with a space", { kty: "oct", k: secret, kid: "a b" }, "keys[0].kid must be"],
    ["a short secret", { kty: "oct", kid: "a", k: randomBytes(31).toString("base64url") }, "256 bit"],
    [
      "a secret of one letter",
      { kty: "oct", kid: "a", k: Buffer.alloc(32, 97).toString("base64url") },
      "random",
    ],
    ["a secret in base64", { kty: "oct", kid: "a", k: `${secret}=` }, "base64url"],
    ["a secret for another algorithm", { kty: "oct", kid: "a", k: secret, alg: "HS512" }, "HS256"],
    ["a private key", { ...ec.privateKey.export({ format: "jwk" }), kid: "a" }, "private"],
    [
      "another curve",
      { ...publicJwk(ec), crv: "P-384", kid: "a" },
      'keys[0].crv Invalid input: expected "P-256"',
    ],
    ["RSA", { kty: "RSA", kid: "a", n: "x", e: "AQAB" }, "kty oct, EC or OKP"],
    ["a point that is on no curve", { kty: "EC", crv: "P-256", x: secret, y: secret, kid: "a" }, "point"],
    ["an encryption key", { ...publicJwk(ed), kid: "a", use: "enc" }, 'use Invalid input: expected "sig"'],
    ["a key that may not verify", { ...publicJwk(ed), kid: "a", key_ops: ["sign"] }, "key_ops"],
    ["another algorithm than the curve's", { ...publicJwk(ed), kid: "a", alg: "ES256" }, "EdDSA"],
    ["a curve by a name of Object", { kty: "EC", crv: "constructor", kid: "a" }, 'expected "P-256"'],
  ])("%s is a fault", (_name, jwk, sentence) => {
    const { keys, faults } = parse(jwk);
    expect(keys).toEqual([]);
    expect(faults.join()).toContain(sentence);
    expect(faults.join()).not.toContain(secret);
  });

  it("names the faults of every key at once", () => {
    const good = { kty: "oct", kid: "a", k: secret };
    expect(parse({}, good, { ...good, kid: "b", k: "x" }).faults).toHaveLength(2);
  });

  it("two keys with the same kid are a fault", () => {
    const good = { kty: "oct", kid: "a", k: secret };
    expect(parse(good, good).faults).toEqual(["has two keys with the same kid."]);
  });
});
