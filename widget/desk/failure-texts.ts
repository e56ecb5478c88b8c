import type { Failure, FailureCode } from "../../shared/errors.ts";
import { isRefusal } from "./desk-calls.ts";
import { texts } from "./texts.ts";

/** One sentence per failure, for the team. */
const FAILURE_TEXTS: Partial<Record<FailureCode, string>> = {
  unauthenticated: "Your session has ended. Sign in again.",
  session_expired: "Your session has ended. Sign in again.",
  forbidden: "Your account can't do this, or someone else has this conversation.",
  origin_not_allowed: "The service doesn't accept this web address. Open the desk at its usual address.",
  not_found: "This conversation no longer exists.",
  no_conversation: "This conversation no longer exists.",
  conversation_ended: "This conversation is over.",
  handoff_unavailable: "Someone else took it, or the customer is no longer waiting.",
  in_flight: "This is still in progress. Try again in a moment.",
  bad_request: "The service didn't accept this text.",
  bad_json: "The service didn't accept this text.",
  body_too_large: "This is too large. Shorten the text, or choose a smaller file.",
  file_too_large: "Files can be at most 10 MB.",
  file_not_allowed: "You can attach images (PNG, JPEG, GIF, WebP) or PDFs.",
  too_many_files: "This conversation has reached its file limit.",
  file_gone: "The service no longer has a file of this reply. Attach it again.",
  key_reused: "This conflicts with an earlier reply. Copy the text into a new one.",
  not_confirmed: "The service answered but didn't confirm it.",
  support_unreachable: "We couldn't reach the service.",
  support_timeout: "The service didn't answer in time. We don't know whether it worked.",
  unavailable: "The service isn't available right now.",
  storage_full: "The service has no space left for this.",
};

/** For these the service's own sentence says more than ours: who has the conversation, which rule it was. */
const SAID_BETTER = new Set<FailureCode>(["forbidden", "handoff_unavailable", "conversation_ended"]);

/** Why something is unconfirmed, and when it may be retried if the service said so. `retryAfter` in seconds. */
export function failureText(
  code: FailureCode,
  more: { readonly detail?: string | undefined; readonly retryAfter?: number | undefined } = {},
): string {
  if (code === "rate_limited") return `Too many attempts. ${waitText(more.retryAfter)}`;
  if (more.detail && SAID_BETTER.has(code)) return more.detail;
  return FAILURE_TEXTS[code] ?? "Something went wrong at the service.";
}

/** Why an action failed. `doubt` goes first unless the service definitely refused it. */
export function troubleText(doubt: string, failure: Failure): string {
  const why = failureText(failure.code, failure);
  return isRefusal(failure) ? why : `${doubt} ${why}`;
}

/** Why the answer to an action was not taken. */
export function actionTroubleText(failure: Failure): string {
  return failure.code === "key_reused" ? texts.actionTaken : troubleText(texts.actionDoubt, failure);
}

function waitText(seconds: number | undefined): string {
  if (seconds === undefined) return "Wait a moment, then try again.";
  if (seconds <= 0) return "You can try again now.";
  if (seconds >= 90) return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
  return `Try again in ${seconds <= 1 ? "a second" : `${Math.ceil(seconds)} seconds`}.`;
}
