import { randomBytes } from "node:crypto";

/** Returns `bytes` random bytes from a cryptographic source. */
export type Random = (bytes: number) => Uint8Array;

/** A call to the operating system costs as much as the rest of an id, so one call serves many ids. */
const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

/** Random bytes of the operating system. No byte is given out twice. */
export const systemRandom: Random = (bytes) => {
  if (bytes > POOL_BYTES / 4) return randomBytes(bytes);
  if (used + bytes > pool.length) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += bytes;
  return pool.subarray(used - bytes, used);
};

/** Too many bits to guess: 256 for everything that grants access. */
const SECRET_BYTES = 32;

/** Returns a new secret as base64url text. */
export function createSecret(random: Random): string {
  return Buffer.from(random(SECRET_BYTES)).toString("base64url");
}
