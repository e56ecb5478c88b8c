export type FaultCode =
  /** The stream stopped, or the model ran into its own limit or filter. */
  | "model_cut"
  /** The answer does not have the protocol's form. */
  | "model_malformed"
  /** The server reported an error. */
  | "model_failed"
  | "model_quota"
  | "model_refused"
  | "model_slow"
  | "model_unreachable";

/** Why a model gave no whole answer. Its message is for operators and never contains text of a server. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";
  readonly code: FaultCode;
  /** Whether the same server may give the answer if it is asked again. */
  readonly isPassing: boolean;
  /** How long the server asked to wait. */
  readonly waitMs: number | undefined;
  /** The HTTP status of a refusal. */
  readonly status: number | undefined;

  constructor(
    code: FaultCode,
    message: string,
    more: { isPassing?: boolean; waitMs?: number | undefined; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.code = code;
    this.isPassing = more.isPassing ?? false;
    this.waitMs = more.waitMs;
    this.status = more.status;
  }

  /** Whether the server refused this question, which says nothing about others. */
  get isRefusedQuestion(): boolean {
    return this.status === 400 || this.status === 413 || this.status === 422;
  }
}

/** Codes of errors that go on until somebody changes something. */
const LASTING =
  /quota|billing|invalid_request|invalid_api_key|authentication|permission|not_found|context_length/;

/** The fault for an `error` object in an answer, whatever its form. */
export function faultOf(error: unknown): ModelFault {
  const code = codeOf(error);
  if (/quota|billing/.test(code))
    return new ModelFault("model_quota", "The model server's quota is used up.");
  return new ModelFault("model_failed", "The model server reported an error.", {
    isPassing: !LASTING.test(code),
  });
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "";
  const texts = ["code", "type"].map((key) => (key in error ? (error as Record<string, unknown>)[key] : ""));
  return texts.filter((text) => typeof text === "string").join(" ");
}
