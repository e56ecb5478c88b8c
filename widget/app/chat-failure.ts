import type { FailureCode } from "../../shared/errors.ts";

/**
 * Something that support did not verifiably do, with a code of shared/errors.ts. It is not that file's own `Failure`,
 * which would add the schema library to the bundle (docs/decisions/0006-panel.md).
 */
export class ChatFailure extends Error {
  readonly code: FailureCode;
  /** Seconds to wait, if known. */
  readonly retryAfter: number | undefined;
  /** Nothing answered: no more is known than before the call. */
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

/** Converts anything thrown to a failure. */
export function failureFrom(error: unknown): ChatFailure {
  return error instanceof ChatFailure ? error : new ChatFailure("internal", { cause: error });
}

export function isFailure(error: unknown, ...codes: readonly FailureCode[]): boolean {
  return error instanceof ChatFailure && codes.includes(error.code);
}

/** The session does not exist, or has ended; the BFF itself said so. */
export function isSessionOver(error: unknown): boolean {
  return isFailure(error, "unauthenticated", "session_expired");
}
