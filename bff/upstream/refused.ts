import { FAILURES, Failure, type FailureCode } from "../../shared/errors.ts";

/** The service answered 4xx: it did not do it. `answered` is its status, for decisions here; it is told to nobody. */
export class Refused extends Failure {
  readonly answered: number;
  /** Whether the body was JSON: an application said this, and not some box on the way. */
  readonly byApplication: boolean;

  constructor(answered: number, byApplication: boolean, code: FailureCode, retryAfter: number | undefined) {
    super(code, retryAfter === undefined ? {} : { retryAfter });
    this.name = "Refused";
    this.answered = answered;
    this.byApplication = byApplication;
  }
}

/** Whether the service refused with this status. */
export function isRefused(error: unknown, status: number): error is Refused {
  return error instanceof Refused && error.answered === status;
}

/**
 * Whether the service says that it has no such conversation. A 404 that is not JSON comes from some box on the way, and says
 * nothing about the conversation.
 */
export function isGone(error: unknown): boolean {
  return isRefused(error, 404) && error.byApplication;
}

/** What a refusal of ours may mean to a customer beyond "refused". Any other word stays in the service. */
const TELLING: ReadonlySet<string> = new Set<FailureCode>([
  "conversation_ended",
  "handoff_unavailable",
  "file_gone",
  "file_not_allowed",
  "file_too_large",
  "in_flight",
  "key_reused",
  "too_many_files",
]);

/** The code that a problem document of our own kind names, if it is one that may be passed on. */
export function codeOfRefusal(status: number, body: unknown): FailureCode {
  if (typeof body !== "object" || body === null) return "support_refused";
  const { type, code } = body as { type?: unknown; code?: unknown };
  if (typeof code !== "string" || !TELLING.has(code)) return "support_refused";
  const known = code as FailureCode;
  return type === `urn:parley:problem:${known}` && FAILURES[known][0] === status ? known : "support_refused";
}
