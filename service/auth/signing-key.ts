import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecret, type Random } from "../../shared/server/random.ts";

const FILE = "session-signing.key";
const OWNER_ONLY = 0o600;

/**
 * Returns the key that signs session tokens: the configured one, or one that the first start creates in the data
 * folder, readable only by its owner.
 */
export function readSigningKey(configured: string | undefined, dataDir: string, random: Random): Uint8Array {
  return new TextEncoder().encode(configured ?? keptKey(join(dataDir, FILE), random));
}

function keptKey(path: string, random: Random): string {
  try {
    // `wx`: if two processes start at once, one creates the key and the other reads it.
    writeFileSync(path, createSecret(random), { mode: OWNER_ONLY, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  chmodSync(path, OWNER_ONLY);
  const key = readFileSync(path, "utf8").trim();
  if (key.length < 32)
    throw new Error(`The signing key in ${path} is damaged: remove the file, a new one is made.`);
  return key;
}
