import { FAILURES, Failure, type FailureCode } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import { isJsonType, readBounded, type UpstreamAnswer } from "./transport.ts";

const MAX_REFUSAL_BYTES = 16 * 1024;

/** 507: the service is up and answers at once, but has no room. That is no outage, and asking again makes no room. */
const NO_ROOM = 507;
const NO_ROOM_DETAIL = "Support has no room for it at the moment. Nothing is known to have happened.";

/** The service answered 4xx: it did not do it. `answered` is its status, for decisions here; it never reaches a client. */
export class Refused extends Failure {
  readonly answered: number;
  /** Whether the body was JSON: an application answered, and not some proxy on the way. */
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
 * Whether the service says that it has no such conversation. A 404 that is not JSON comes from some proxy on the way and
 * says nothing about the conversation.
 */
export function isGone(error: unknown): boolean {
  return isRefused(error, 404) && error.byApplication;
}

/** Reads a 4xx or 5xx answer as a failure. Among the latter only a full service differs from one that is away. */
export async function refusalOf(operation: V1Operation, answer: UpstreamAnswer): Promise<Failure> {
  const { status, retryAfter } = answer;
  if (status >= 500) {
    answer.discard();
    const later = retryAfter === undefined ? {} : { retryAfter };
    return status === NO_ROOM
      ? new Failure("storage_full", { ...later, detail: NO_ROOM_DETAIL, cause: "the service has no room" })
      : new Failure("support_unreachable", later);
  }
  if (!isJsonType(answer.mediaType)) {
    answer.discard();
    return new Refused(status, false, "support_refused", retryAfter);
  }
  const body = await readJson(answer.body);
  return new Refused(status, true, codeOfRefusal(operation, status, body), retryAfter);
}

/** The code that a problem document of our own kind names, where this operation may pass it on to a customer. */
function codeOfRefusal({ refusals }: V1Operation, status: number, body: unknown): FailureCode {
  if (typeof body !== "object" || body === null) return "support_refused";
  const { type, code } = body as { type?: unknown; code?: unknown };
  const known = refusals?.find((one) => one === code);
  if (known === undefined) return "support_refused";
  return type === `urn:parley:problem:${known}` && FAILURES[known][0] === status ? known : "support_refused";
}

/** A refusal's body where it can be read; the refusal holds without it. */
async function readJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await readBounded(body, MAX_REFUSAL_BYTES)));
  } catch {
    return undefined;
  }
}

/**
 * Whether our own code failed, rather than the service or the connection: those reject with errors that carry a code. Such
 * an error says nothing about the service, and its stack belongs in the log.
 */
export function isOurFault(error: unknown): boolean {
  return (
    error instanceof TypeError ||
    error instanceof RangeError ||
    error instanceof ReferenceError ||
    error instanceof SyntaxError
  );
}

/** How far a call had come when it failed. */
export interface Progress {
  /** A time limit of ours ended it. */
  readonly isLate: boolean;
  /** The head of a 2xx answer had arrived, so the service may have done it; the proof is missing. */
  readonly isAnswered: boolean;
}

/**
 * What a thrown error means to the customer. The only place that decides it for calls and for streams of turns.
 * Our own faults are returned as they are: they become `internal`.
 */
export function meaningOf(error: unknown, { isLate, isAnswered }: Progress): unknown {
  if (isOurFault(error)) return error;
  if (isLate) return new Failure("support_timeout", { cause: "time limit" });
  if (error instanceof Failure) return error;
  const cause = error instanceof Error && "code" in error ? String(error.code) : "connection";
  return new Failure(isAnswered ? "not_confirmed" : "support_unreachable", { cause });
}

/**
 * What the failure of a repeated call means. A refusal may be the echo of the first try, whose answer was lost: "it has
 * ended", because we ended it. So it proves nothing. A refused token and "too many" are about this try alone.
 */
export function meaningAfterRetry(failure: Failure): Failure {
  if (failure.code === "storage_full") {
    return new Failure("not_confirmed", { cause: "no room, after a try whose answer was lost" });
  }
  if (!(failure instanceof Refused) || failure.answered === 401 || failure.answered === 429) return failure;
  return new Failure("not_confirmed", { cause: `${failure.answered} after a try whose answer was lost` });
}
