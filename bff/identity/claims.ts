import * as z from "zod/mini";
import { defined } from "../../shared/defined.ts";
import { Failure } from "../../shared/errors.ts";
import { ExternalId, isAnonymousId } from "../../shared/id.ts";
import { lineText } from "../../shared/text.ts";
import { Traits } from "../../shared/traits.ts";
import { parseMembers } from "./token-form.ts";

/** A token with a longer lifetime is refused, so that a leaked one soon expires. */
const MAX_LIFE_S = 900;

/** How much the site's clock and ours may differ. */
const LEEWAY_S = 60;

const Seconds = z.int().check(z.positive());

const Claims = z.object({
  sub: ExternalId,
  aud: z.union([z.string(), z.array(z.string())]),
  iat: Seconds,
  exp: Seconds,
  jti: z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)),
  nbf: z.optional(Seconds),
  name: z.optional(lineText(200)),
  email: z.optional(z.email().check(z.maxLength(320))),
  email_verified: z.optional(z.boolean()),
  locale: z.optional(z.string().check(z.regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/), z.maxLength(35))),
  traits: z.optional(Traits),
});

/** The customer's identity, as the site signed it. `externalId` is immutable, opaque, and the profile's only key. */
export type Identity = ReturnType<typeof checkClaims>["identity"];

/**
 * Checks the claims of a token whose signature is valid: form, audience, then times. `now` is in milliseconds.
 *
 * @returns the customer, and what is needed to use the token once; after `deadAt` (seconds since 1970) it is expired
 * @throws Failure identity_missing_claim, identity_wrong_audience, identity_clock_skew, identity_expired
 */
export function checkClaims(payload: Uint8Array, siteId: string, now: number) {
  const member = parseMembers(payload);
  if (!member) throw refusal("The claims are not a JSON object with each name once.");
  const parsed = Claims.safeParse(member);
  if (!parsed.success) throw refusal(sentenceOf(parsed.error.issues));
  const claims = parsed.data;
  if (isAnonymousId(claims.sub)) throw refusal("sub: must not begin like the ids of anonymous visitors.");
  if (![claims.aud].flat().includes(siteId)) throw new Failure("identity_wrong_audience");
  checkTimes(claims, now / 1000);
  const { sub, name, email, email_verified: verified, locale, traits = {} } = claims;
  const emailVerified = email !== undefined && verified === true;
  const identity = {
    externalId: sub,
    emailVerified,
    traits,
    ...defined({ displayName: name, email, locale }),
  };
  return { identity, jti: claims.jti, deadAt: claims.exp + LEEWAY_S };
}

function checkTimes({ iat, exp, nbf }: z.output<typeof Claims>, now: number): void {
  if (exp <= iat) throw refusal("exp: must be later than iat.");
  if (exp - iat > MAX_LIFE_S) throw refusal(`exp: must be at most ${MAX_LIFE_S} seconds after iat.`);
  if (iat - now > LEEWAY_S || (nbf !== undefined && nbf - now > LEEWAY_S))
    throw new Failure("identity_clock_skew");
  if (now >= exp + LEEWAY_S) throw new Failure("identity_expired");
}

/** Names the invalid claims, never their values. */
function sentenceOf(issues: readonly { readonly path: readonly PropertyKey[] }[]): string {
  const names = [...new Set(issues.map(({ path }) => String(path[0] ?? "claims")))];
  return `${names.join(", ")}: missing, or not of the documented form.`;
}

function refusal(detail: string): Failure {
  return new Failure("identity_missing_claim", { detail });
}
