import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { createAtMost } from "../../shared/server/at-most.ts";

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** OWASP's first choice for scrypt: 128 MB and about half a second for each guess. */
export const SCRYPT_COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Each derivation takes 128 MB: two run at once, a few wait, and further ones are refused with a time to wait. */
const MAX_RUNNING = 2;
const MAX_WAITING = 20;

export interface PasswordHasher {
  /** `scrypt$N$r$p$salt$key`, so that a later cost can coexist with this one. @throws Failure `rate_limited` */
  hash(password: string): Promise<string>;
  /** Takes as long for a missing account (`undefined`) as for an existing one. @throws Failure `rate_limited` */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

/** Hashes passwords with Node's own scrypt, off the main thread. Tests use a lower cost. */
export function createPasswordHasher(
  cost: { N: number; r: number; p: number } = SCRYPT_COST,
): PasswordHasher {
  const inTurn = createAtMost(MAX_RUNNING, MAX_WAITING);
  const nobody = encode(cost, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
  return {
    hash: (password) =>
      inTurn(async () => {
        const salt = randomBytes(SALT_BYTES);
        return encode(cost, salt, await deriveKey(password, salt, cost));
      }),
    verify: (password, hash) =>
      inTurn(async () => {
        const { salt, key, ...kept } = decode(hash ?? nobody);
        const same = timingSafeEqual(await deriveKey(password, salt, kept), key);
        return same && hash !== undefined;
      }),
  };
}

/** NFKC, so that the same password typed on a Mac and on Windows gives the same bytes (NIST SP 800-63B, 3.1.1.2). */
function deriveKey(
  password: string,
  salt: Buffer,
  cost: { N: number; r: number; p: number },
): Promise<Buffer> {
  const maxmem = 128 * cost.N * cost.r * cost.p + 1024 * 1024;
  return derive(password.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem });
}

function encode(cost: { N: number; r: number; p: number }, salt: Buffer, key: Buffer): string {
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

function decode(hash: string): { N: number; r: number; p: number; salt: Buffer; key: Buffer } {
  const [name, N, r, p, salt = "", key = ""] = hash.split("$");
  const decoded = {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64url"),
    key: Buffer.from(key, "base64url"),
  };
  if (name !== "scrypt" || decoded.key.byteLength !== KEY_BYTES || !(decoded.N > 1)) {
    throw new Error("A stored password hash is not of a form that this version knows.");
  }
  return decoded;
}
