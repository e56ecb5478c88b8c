import type { FailureCode } from "../../shared/errors.ts";
import { en } from "./locales/en.ts";
import type { Texts } from "./texts.ts";

/** Codes that share another's sentence. The customer can fix no identity fault; the site gets the exact code. */
const SAME = {
  unsupported_media_type: "bad_json",
  conversation_full: "conversation_ended",
  conversation_erased: "no_conversation",
  unauthenticated: "session_expired",
  identity_bad_signature: "identity_expired",
  identity_wrong_audience: "identity_expired",
  identity_unknown_kid: "identity_expired",
  identity_missing_claim: "identity_expired",
  identity_replayed: "identity_expired",
  identity_clock_skew: "identity_expired",
} as const satisfies Partial<Record<FailureCode, string>>;

type OwnCode = Exclude<FailureCode, keyof typeof SAME>;

const PREFIX = "problem_";

/** Every code that has a sentence, which is every existing code. */
export const FAILURE_CODES = [
  ...Object.keys(SAME),
  ...Object.keys(en).flatMap((key) => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : [])),
] as FailureCode[];

/** The sentence for a failure, with the seconds to wait if known. */
export function problemText(
  texts: Texts,
  failure: { readonly code: FailureCode; readonly retryAfter?: number | undefined },
): string {
  const { code, retryAfter = 0 } = failure;
  const seconds = Math.ceil(retryAfter);
  if (code === "rate_limited" && seconds > 0) return texts.rateLimitedFor(seconds);
  const own: OwnCode = code in SAME ? SAME[code as keyof typeof SAME] : (code as OwnCode);
  return texts[`problem_${own}`];
}

/** Whether a session failed although support answers: then its sentence says why, and not that it can't be reached. */
export function isRefusal(code: FailureCode): boolean {
  return isIdentityFault(code) || code === "storage_full" || code === "rate_limited";
}

/** Whether support could be reached and only the site's identity token is missing or wrong. */
export function isIdentityFault(code: FailureCode): boolean {
  return code.startsWith("identity_");
}
