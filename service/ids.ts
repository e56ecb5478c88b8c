import { createHash, randomBytes } from "node:crypto";

/** Random bytes from the operating system, as everything in the service takes them. */
export type Random = (bytes: number) => Uint8Array;

/** One call to the operating system for many ids; no byte is given twice. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES / 4) return randomBytes(bytes);
  if (used + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
};

/** Bits that nobody guesses: 256 for whatever opens something. */
const SECRET_BYTES = 32;
/** An id opens nothing (ownership does), it only has to be unique: 96 random bits after the time. */
const ID_BYTES = 12;

/** A new secret as text, base64url. */
export function createSecret(random: Random): string {
  return Buffer.from(random(SECRET_BYTES)).toString("base64url");
}

/**
 * A new id such as `conv_m8x0qk2p3_Zk3…`. It begins with the time, so that rows written together lie together;
 * order is never taken from it.
 */
export function createId(prefix: string, now: number, random: Random): string {
  return `${prefix}_${now.toString(36)}${Buffer.from(random(ID_BYTES)).toString("base64url")}`;
}

/** SHA-256 in hexadecimal: what is kept of a secret, and what tells two bodies apart. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
