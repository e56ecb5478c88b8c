import { createHash } from "node:crypto";
import type { Random } from "../shared/server/random.ts";

/** An id grants nothing (ownership does), so it only has to be unique: 96 random bits after the time. */
const ID_BYTES = 12;

/**
 * Returns a new id such as `conv_m8x0qk2p3_Zk3…`. It begins with the time, so that rows written together are stored
 * together. Ids are never used for ordering.
 */
export function createId(prefix: string, now: number, random: Random): string {
  return `${prefix}_${now.toString(36)}${Buffer.from(random(ID_BYTES)).toString("base64url")}`;
}

/** SHA-256 in hexadecimal: the stored form of a secret, and the fingerprint that tells two texts apart. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
