import { FAILURES, Failure, type FailureCode } from "../../shared/errors.ts";
import { jsonOf } from "../../shared/json.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { isJsonType, type UpstreamAnswer } from "./transport.ts";

const MAX_REFUSAL_BYTES = 16 * 1024;

/** 507: the service is up and answers, but has no space. This is not an outage, and a retry would not help. */
const NO_ROOM = 507;
const NO_ROOM_DETAIL = "Support has no room for it at the moment. Nothing is known to have happened.";

/** The service answered 4xx, so it did not do it. `answered` is for decisions here and never reaches a client. */
export class Refused extends Failure {
  readonly answered: number;
  /** Whether the body was JSON: then an application answered, and not a proxy on the way. */
  readonly byApplication: boolean;

  constructor(answered: number, byApplication: boolean, code: FailureCode, retryAfter: number | undefined) {
    super(code, { retryAfter });
    this.name = "Refused";
    this.answered = answered;
    this.byApplication = byApplication;
  }
}

export function isRefused(error: unknown, ...statuses: readonly number[]): error is Refused {
  return error instanceof Refused && statuses.includes(error.answered);
}

/** Whether the service has no such conversation. A 404 that is not JSON comes from a proxy and says nothing of it. */
export function isGone(error: unknown): error is Refused {
  return isRefused(error, 404) && error.byApplication;
}

/** Converts a 4xx or 5xx answer to a failure. A 5xx means that the service is unreachable, except a full service's. */
export async function refusalOf(operation: V1Operation, answer: UpstreamAnswer): Promise<Failure> {
  const { status, retryAfter } = answer;
  if (status >= 500) {
    answer.discard();
    if (status !== NO_ROOM) return new Failure("support_unreachable", { retryAfter });
    return new Failure("storage_full", {
      retryAfter,
      detail: NO_ROOM_DETAIL,
      cause: "the service has no room",
    });
  }
  const byApplication = isJsonType(answer.mediaType);
  if (!byApplication) answer.discard();
  // A body that can't be read says nothing more; the refusal counts without it.
  const bytes = byApplication ? await answer.read(MAX_REFUSAL_BYTES).catch(() => undefined) : undefined;
  const body = bytes && jsonOf(new TextDecoder().decode(bytes));
  return new Refused(status, byApplication, codeOfRefusal(operation, status, body), retryAfter);
}

/** The code in a problem document of our own form, if this operation may pass it on to a customer. */
function codeOfRefusal({ refusals }: V1Operation, status: number, body: unknown): FailureCode {
  const unnamed = status === FAILURES.rate_limited[0] ? "rate_limited" : "support_refused";
  if (typeof body !== "object" || body === null) return unnamed;
  const { type, code } = body as { type?: unknown; code?: unknown };
  const known = refusals?.find((one) => one === code);
  if (known === undefined) return unnamed;
  return type === `urn:parley:problem:${known}` && FAILURES[known][0] === status ? known : unnamed;
}

/**
 * Whether our own code failed, which says nothing about the service: errors of a connection carry a code. Its stack
 * belongs in the log.
 */
export function isOurFault(error: unknown): boolean {
  return [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind);
}

/**
 * What a thrown error means to the customer. This is the only place that decides it, for calls and for streams of
 * turns. Our own faults are returned unchanged: they become `internal`.
 * @param isLate our own time limit ended it
 * @param isAnswered a 2xx had arrived, so the service may have done it, but the proof is missing
 */
export function meaningOf(
  error: unknown,
  { isLate, isAnswered }: { readonly isLate: boolean; readonly isAnswered: boolean },
): unknown {
  if (isOurFault(error)) return error;
  if (isLate) return new Failure("support_timeout", { cause: "time limit" });
  if (error instanceof Failure) return error;
  const cause = error instanceof Error && "code" in error ? String(error.code) : "connection";
  return new Failure(isAnswered ? "not_confirmed" : "support_unreachable", { cause });
}

/**
 * What the failure of a repeated call means. A refusal may be caused by the first attempt, whose answer was lost, and so
 * proves nothing. A refused token and "too many requests" concern only this attempt.
 */
export function meaningAfterRetry(failure: Failure): Failure {
  if (failure.code === "storage_full") {
    return new Failure("not_confirmed", { cause: "no room, after a try whose answer was lost" });
  }
  if (!(failure instanceof Refused) || failure.answered === 401 || failure.answered === 429) return failure;
  return new Failure("not_confirmed", { cause: `${failure.answered} after a try whose answer was lost` });
}
