import { errors, jwtVerify, SignJWT } from "jose";
import * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { ExternalId, Id } from "../../shared/id.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Random } from "../../shared/server/random.ts";
import { createId } from "../ids.ts";
import type { Owner } from "../store/owner.ts";

/** Life of a session token in seconds: short, because it can't be revoked; the BFF renews it unseen. */
export const SESSION_SECONDS = 900;

const ALGORITHM = "HS256";
const ISSUER = "parley";
const AUDIENCE = "parley-v1";
/** RFC 8725, 3.11: another kind of token signed with the same key is not taken for a session. */
const TYPE = "parley-session+jwt";

/**
 * RFC 7515, 7.1: three segments without padding, the last of 32 bytes in their one canonical spelling. The library also
 * takes padding and stray bits; one token must not have many spellings.
 */
const COMPACT = /^[\w-]{1,1024}\.[\w-]{1,8192}\.[\w-]{42}[AEIMQUYcgkosw048]$/;

/** Verified tokens are remembered until they expire, so that a busy session costs one signature check. */
const MAX_REMEMBERED = 10_000;

const Claims = z.object({ sub: Id, workspaceId: Id, externalId: ExternalId, sid: Id, exp: z.int() });

/** Whom a verified token speaks for. */
export interface Session extends Owner {
  readonly externalId: string;
  readonly sessionId: string;
}

export interface SessionTokens {
  /** A token bound to one customer of one workspace, with its life in seconds. */
  issue(customer: {
    workspaceId: string;
    id: string;
    externalId: string;
  }): Promise<{ token: string; expiresIn: number }>;
  /** @throws Failure `session_expired`, and `unauthenticated` for whatever else is wrong */
  verify(token: string): Promise<Session>;
}

/** Session tokens: JWTs signed with HMAC-SHA-256 by `key` (at least 32 bytes). */
export function createSessionTokens(deps: { key: Uint8Array; clock: Clock; random: Random }): SessionTokens {
  const remembered = new Map<string, { session: Session; until: number }>();
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
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
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
