import { createHash, type KeyObject } from "node:crypto";
import { compactVerify } from "jose";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { checkClaims, type Identity } from "./claims.ts";
import type { KeyRing } from "./key-ring.ts";
import { parseTokenForm } from "./token-form.ts";

/** Remembers which tokens were used. */
export interface UsedTokens {
  /** Notes a use in one atomic step: true for the first alone, of however many processes. `until` in milliseconds. */
  useOnce(id: string, until: number): Promise<boolean>;
}

/** Who a token proved a customer to be, and which key of the site said so. */
export interface ProvenIdentity extends Identity {
  readonly kid: string;
}

export interface VerifyTokenDeps {
  /** Undefined where the site gave no keys. */
  readonly keys: KeyRing | undefined;
  readonly used: UsedTokens;
  /** The `aud` that tokens must name. */
  readonly siteId: string;
  readonly clock: Clock;
}

/** A use is remembered for so much longer than the token lives by this clock: another process's may be behind. */
const CLOCKS_APART_MS = 600_000;

/** Believes a token once, or throws what is wrong with it. */
export type VerifyToken = (token: string) => Promise<ProvenIdentity>;

/**
 * Verifies the site's identity tokens: form, key, signature, claims, and last of all whether it is the first use. Nothing
 * is asked of the service before all of that holds.
 *
 * @throws Failure identity_* with the fault, `unavailable` when keys or store can't be had
 */
export function createVerifyToken({ keys, used, siteId, clock }: VerifyTokenDeps): VerifyToken {
  return async (token) => {
    const form = parseTokenForm(token);
    if (!keys) {
      throw new Failure("identity_unknown_kid", {
        detail: "No identity keys are configured on this server.",
      });
    }
    const key = form.kid === undefined ? "unknown" : await keys.find(form.kid);
    if (key === "unknown") throw new Failure("identity_unknown_kid");
    if (key === "unavailable")
      throw new Failure("unavailable", { detail: "The identity keys can't be read." });
    if (form.algorithm !== key.algorithm) {
      throw new Failure("identity_bad_signature", { detail: "header: alg is not the one of this key." });
    }
    await checkSignature(token, key.key, key.algorithm);
    const { identity, jti, deadAt } = checkClaims(form.payload, siteId, clock.now());
    const id = createHash("sha256")
      .update(JSON.stringify([siteId, jti]))
      .digest("base64url");
    if (!(await used.useOnce(id, deadAt * 1000 + CLOCKS_APART_MS))) throw new Failure("identity_replayed");
    return { ...identity, kid: key.kid };
  };
}

/** Constant-time where it matters, and by the key record's algorithm alone. */
async function checkSignature(token: string, key: KeyObject, algorithm: string): Promise<void> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] });
  } catch (cause) {
    throw new Failure("identity_bad_signature", { cause });
  }
}
