import { chmodSync, lstatSync, readFileSync, renameSync, writeFileSync } from "node:fs";
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
  if (!lstatSync(path, { throwIfNoEntry: false })) createKey(path, random);
  const key = readPrivately(path);
  if (key.length < 32)
    throw new StartError(`The signing key in ${path} is damaged: remove the file, a new one is made.`);
  return key;
}

/** A full disk or a crash leaves no half key under this name. The caller holds the lock on the data folder. */
function createKey(path: string, random: Random): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, createSecret(random), { mode: OWNER_ONLY, flush: true });
    renameSync(partial, path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    throw new StartError(`The signing key can't be stored in the data folder: ${reason}.`, { cause });
  }
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
