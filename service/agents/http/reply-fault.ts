export type ReplyCode =
  | "agent_cut"
  | "agent_malformed"
  | "agent_failed"
  | "agent_refused"
  | "agent_slow"
  | "agent_unreachable";

/** Why the owner's agent gave no whole answer. Its message never contains text of that agent. */
export class ReplyFault extends Error {
  override readonly name = "ReplyFault";
  readonly code: ReplyCode;
  /** The HTTP status of a refusal. */
  readonly status: number | undefined;

  constructor(code: ReplyCode, message: string, cause?: unknown, status?: number) {
    super(message, { cause });
    this.code = code;
    this.status = status;
  }

  /** Whether the agent refused this question, which says nothing about others. */
  get isRefusedQuestion(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422;
  }
}
