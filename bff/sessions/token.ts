import { createCipheriv, createDecipheriv, hash, hkdfSync } from "node:crypto";
import type { Random } from "../../shared/server/random.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The token of an `Authorization` header; undefined if it has none in our format. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^Bearer +([\w-]{43})$/i)?.[1];
}

/** The stored form of a token: a dump of the store authenticates nobody, and a look-up compares hashes. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

/** The key that encrypts the secrets of one session. Only the holder of the bearer token can derive it. */
export function sealingKey(token: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", Buffer.from(token, "base64url"), "parley", "service token", 32));
}

/** Encrypts a text with AES-256-GCM: nonce, tag, ciphertext. */
export function seal(key: Uint8Array, text: string, random: Random): Uint8Array {
  const nonce = random(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Decrypts what `seal` encrypted. Throws when it was encrypted with another key or changed since. */
export function unseal(key: Uint8Array, sealed: Uint8Array): string {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return text.toString("utf8");
}
