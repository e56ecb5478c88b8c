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

  constructor(code: ReplyCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
