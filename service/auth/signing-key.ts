import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSecret, type Random } from "../../shared/server/random.ts";
import { StartError } from "../../shared/server/start-error.ts";

const FILE = "session-signing.key";
const OWNER_ONLY = 0o600;

/**
 * Returns the key that signs session tokens: the configured one, or one that the first start creates in the data
 * folder, readable only by its owner.
 *
 * @throws StartError
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
  const key = readPrivately(path);
  if (key.length < 32)
    throw new StartError(`The signing key in ${path} is damaged: remove the file, a new one is made.`);
  return key;
}

function readPrivately(path: string): string {
  try {
    chmodSync(path, OWNER_ONLY);
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw new StartError(
      `The signing key ${path} can't be read, or made readable only by its owner: the owner must be the user of this process.`,
      { cause },
    );
  }
}
