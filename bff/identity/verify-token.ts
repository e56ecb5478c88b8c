import { hash } from "node:crypto";
import { compactVerify } from "jose";
import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Store } from "../store/store.ts";
import { checkClaims, type Identity } from "./claims.ts";
import type { KeyRing } from "./key-ring.ts";
import { parseTokenForm } from "./token-form.ts";

/** The identity that a token proved, and the key of the site that signed it. */
export interface ProvenIdentity extends Identity {
  readonly kid: string;
}

/** A use is remembered for this much longer than the token's lifetime, because another process's clock may be slow. */
const CLOCKS_APART_MS = 600_000;

/**
 * Verifies the site's identity tokens: form, key, signature, claims, and last whether this is the first use. Then runs
 * `enter` with the identity. If that fails, nobody got a session by the token: it may be used again, because a page may
 * have no other one.
 *
 * @throws Failure identity_*, `unavailable` when the keys or the store can't be read, or what `enter` throws
 */
export function createVerifyToken(deps: {
  /** Undefined if no keys are configured. */
  readonly keys: KeyRing | undefined;
  /** Remembers used tokens, for all processes on it. */
  readonly store: Pick<Store, "write">;
  /** The `aud` that tokens must name. */
  readonly siteId: string;
  readonly clock: Clock;
}) {
  const { keys, store, siteId, clock } = deps;
  return async <T>(token: string, enter: (proven: ProvenIdentity) => Promise<T>): Promise<T> => {
    const { kid = "", algorithm, payload } = parseTokenForm(token);
    if (!keys) {
      throw new Failure("identity_unknown_kid", {
        detail: "No identity keys are configured on this server.",
      });
    }
    const signedBy = await keys.find(kid, algorithm);
    await compactVerify(token, signedBy, { algorithms: [algorithm] }).catch((cause: unknown) => {
      throw new Failure("identity_bad_signature", { cause });
    });
    const { identity, jti, deadAt } = checkClaims(payload, siteId, clock.now());
    const id = hash("sha256", JSON.stringify([siteId, jti]), "base64url");
    const lifeMs = Math.max(1000, deadAt * 1000 + CLOCKS_APART_MS - clock.now());
    const key = `used:${id}`;
    const isFirst = await store.write([{ key, was: null, value: "1", lifeMs }]);
    if (!isFirst) throw new Failure("identity_replayed");
    try {
      return await enter({ ...identity, kid });
    } catch (error) {
      await store.write([{ key, value: null }]);
      throw error;
    }
  };
}
