import { errors, jwtVerify, SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { ExternalId, Id } from "../../shared/id.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Random } from "../../shared/server/random.ts";
import { createId } from "../ids.ts";
import type { Owner } from "../store/owner.ts";

/** Lifetime of a session token in seconds. It is short because it can't be revoked; the BFF renews it automatically. */
export const SESSION_SECONDS = 900;

const ALGORITHM = "HS256";
const ISSUER = "parley";
const AUDIENCE = "parley-v1";
/** RFC 8725, 3.11: another kind of token signed with the same key must not pass as a session. */
const TYPE = "parley-session+jwt";

/**
 * RFC 7515, 7.1: three segments without padding, the last one 32 bytes in canonical base64url. The library also accepts
 * padding and stray bits, but one token must not have many spellings.
 */
const COMPACT = /^[\w-]{1,1024}\.[\w-]{1,8192}\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Verified tokens are cached until they expire, so that a busy session costs one signature check. */
const MAX_REMEMBERED = 10_000;

const Claims = z.object({ sub: Id, workspaceId: Id, externalId: ExternalId, sid: Id, exp: z.int() });

/** The customer whom a verified token authenticates. */
export interface Session extends Owner {
  readonly externalId: string;
  readonly sessionId: string;
}

export interface SessionTokens {
  /** A token bound to one customer of one workspace, with its lifetime in seconds. */
  issue(customer: {
    workspaceId: string;
    id: string;
    externalId: string;
  }): Promise<{ token: string; expiresIn: number }>;
  /** @throws Failure `session_expired`, and `unauthenticated` for any other fault */
  verify(token: string): Promise<Session>;
}

/** Session tokens: JWTs signed with HMAC-SHA-256 by `key` (at least 32 bytes). */
export function createSessionTokens(deps: { key: Uint8Array; clock: Clock; random: Random }): SessionTokens {
  const remembered = new LRUCache<string, { session: Session; until: number }>({
    maxSize: MAX_REMEMBERED,
    sizeCalculation: () => 1,
  });
  return {
    async issue({ workspaceId, id, externalId }) {
      const now = Math.floor(deps.clock.now() / 1000);
      const sid = createId("sess", deps.clock.now(), deps.random);
      const token = await new SignJWT({ workspaceId, externalId, sid })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .setSubject(id)
        .setIssuedAt(now)
        .setExpirationTime(now + SESSION_SECONDS)
        .sign(deps.key);
      return { token, expiresIn: SESSION_SECONDS };
    },
    async verify(token) {
      const known = remembered.get(token);
      if (known && known.until > deps.clock.now()) return known.session;
      remembered.delete(token);
      const { session, until } = await check(token, deps);
      remembered.set(token, { session, until });
      return session;
    },
  };
}

async function check(
  token: string,
  deps: { key: Uint8Array; clock: Clock },
): Promise<{ session: Session; until: number }> {
  if (!COMPACT.test(token)) throw new Failure("unauthenticated");
  try {
    const { payload } = await jwtVerify(token, deps.key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: TYPE,
      requiredClaims: ["sub", "iat", "exp"],
      currentDate: new Date(deps.clock.now()),
    });
    const { sub, workspaceId, externalId, sid, exp } = Claims.parse(payload);
    return { session: { workspaceId, customerId: sub, externalId, sessionId: sid }, until: exp * 1000 };
  } catch (cause) {
    throw new Failure(cause instanceof errors.JWTExpired ? "session_expired" : "unauthenticated", { cause });
  }
}
