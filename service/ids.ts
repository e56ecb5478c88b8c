import { createHash } from "node:crypto";
import type { Random } from "../shared/server/random.ts";

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
