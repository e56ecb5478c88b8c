import type { FailureCode } from "../../shared/errors.ts";

/**
 * Something that support did not verifiably do, by the code of shared/errors.ts. Not that file's own `Failure`, which
 * brings the schema library with it (docs/decisions/0006-panel.md).
 */
export class ChatFailure extends Error {
  readonly code: FailureCode;
  /** Seconds to wait, where that is known. */
  readonly retryAfter: number | undefined;
  /** Nothing answered at all: no more is known than before the call. */
  readonly isSilence: boolean;

  constructor(
    code: FailureCode,
    options: { retryAfter?: number; isSilence?: boolean; cause?: unknown } = {},
  ) {
    super(code, { cause: options.cause });
    this.name = "ChatFailure";
    this.code = code;
    this.retryAfter = options.retryAfter;
    this.isSilence = options.isSilence ?? false;
  }
}

/** Whatever was thrown, as a failure. */
export function failureFrom(error: unknown): ChatFailure {
  return error instanceof ChatFailure ? error : new ChatFailure("internal", { cause: error });
}

export function isFailure(error: unknown, ...codes: readonly FailureCode[]): boolean {
  return error instanceof ChatFailure && codes.includes(error.code);
}

/** The session is not there, or is over; the BFF itself said so. */
export function isSessionOver(error: unknown): boolean {
  return isFailure(error, "unauthenticated", "session_expired");
}
