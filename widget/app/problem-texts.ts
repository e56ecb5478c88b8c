import type { FailureCode } from "../../shared/errors.ts";

/** The customer can mend none of these; the site is told which it is. */
const WHO = "Who you are could not be confirmed. Try again.";

/**
 * What a customer reads when something was not confirmed: what is known, and what to do. None of these sentences may hold
 * a word that could be taken for success, in whatever sense (R51).
 */
export const PROBLEM_TEXTS = {
  bad_json: "Support could not read this.",
  bad_request: "Support did not accept this. Try to put it differently.",
  unauthenticated: "Your visit is over. Try again to start a new one.",
  session_expired: "Your visit is over. Try again to start a new one.",
  identity_required: "Sign in on this website, then try again.",
  identity_expired: WHO,
  identity_bad_signature: WHO,
  identity_wrong_audience: WHO,
  identity_unknown_kid: WHO,
  identity_missing_claim: WHO,
  identity_replayed: WHO,
  identity_clock_skew: WHO,
  origin_not_allowed: "This website may not use this chat.",
  forbidden: "This is not allowed here.",
  not_found: "Support does not know this.",
  method_not_allowed: "Support does not offer this.",
  no_conversation: "There is no conversation yet. Write a message first.",
  conversation_ended: "This conversation is over. Try again to start a new one.",
  not_carried:
    "Support takes no further message in this conversation. Ask for a person, or end it to start a new one.",
  handoff_unavailable: "No person can be asked here at the moment.",
  too_many_files: "This conversation has all the files it may have.",
  file_gone: "A file of this message is not there any more. Attach it again.",
  in_flight: "Support is still working on it. Try again in a moment.",
  body_too_large: "This is too long. Shorten it.",
  file_too_large: "This file is larger than 10 MB.",
  file_not_allowed: "Only whole pictures (PNG, JPEG, GIF, WebP) and PDF files are taken.",
  unsupported_media_type: "Support could not read this.",
  key_reused: "Support holds another text for this message. Write it again as a new one.",
  rate_limited: "Too many at once. Wait a moment, then try again.",
  internal: "Something broke here. Try again.",
  not_confirmed: "Support answered, but did not confirm it.",
  support_refused: "Support did not accept it.",
  support_unreachable: "Support could not be reached.",
  unavailable: "This is not available at the moment. Try again soon.",
  support_timeout: "No answer came in time. It is not known whether it arrived.",
  storage_full: "Support has no room for it at the moment.",
} satisfies Record<FailureCode, string>;

/** The sentence for a failure; with the seconds to wait, where they are known. */
export function problemText(failure: {
  readonly code: FailureCode;
  readonly retryAfter?: number | undefined;
}): string {
  const seconds = Math.ceil(failure.retryAfter ?? 0);
  if (failure.code !== "rate_limited" || seconds < 1) return PROBLEM_TEXTS[failure.code];
  return `Too many at once. Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}

/** Whether support could be reached, and what is missing is the site's word on its visitor. */
export function isIdentityFault(code: FailureCode): boolean {
  return code.startsWith("identity_");
}
