import type * as z from "zod/mini";
import { mediaTypeOf } from "../../bff/upstream/transport.ts";
import { type Operation, verify } from "../../bff/upstream/verified.ts";
import { Failure } from "../../shared/errors.ts";
import type { Sent, V1Operation } from "../../shared/operation.ts";
import { readUpTo } from "../../shared/server/read-up-to.ts";
import { denialSentence, sentenceOf } from "./sentences.ts";

/** An answer as it came. */
export interface Answered {
  readonly operation: V1Operation;
  readonly status: number;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Why a BFF does not read the body, if it does not. */
  readonly unread?: string | undefined;
}

/** How much of a body a failure shows. */
const MAX_SHOWN = 600;

/**
 * The service does not do what the contract says. The message is for the person who started the suite: endpoint, status,
 * why, the body without secrets, and the sentence of the contract; without a stack of this suite.
 */
export class ContractError extends Error {
  override readonly name = "ContractError";

  constructor({ operation, status, mediaType, bytes }: Answered, why: string, mask: Mask) {
    const text = mask(new TextDecoder().decode(bytes));
    const body = text === "" ? "(none)" : text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
    const rule = why.includes("error in its body") ? denialSentence() : sentenceOf(operation);
    super(
      [
        `${operation.method} ${operation.path} answered ${status}${mediaType && ` as ${mediaType}`}: ${why}`,
        `  body: ${body}`,
        `  docs/contract.md: ${rule}`,
      ].join("\n"),
    );
    this.stack = this.message;
  }
}

/** Replaces secrets in what is shown. */
export type Mask = (text: string) => string;

/** Masks these values, and the token of every session. */
export function createMask(secrets: readonly (string | undefined)[]): Mask {
  return (text) =>
    secrets
      .filter((secret) => secret !== undefined && secret !== "")
      .reduce<string>((shown, secret) => shown.replaceAll(secret ?? "", "***"), text)
      .replace(/("token"\s*:\s*")[^"]*/g, "$1***");
}

/** Reads an answer no further than a BFF does. */
export async function readAnswer(operation: V1Operation, response: Response): Promise<Answered> {
  const { bytes, isWhole } = await readUpTo(response.body, operation.limits.answerBytes);
  return {
    operation,
    status: response.status,
    mediaType: mediaTypeOf(response.headers.get("content-type")),
    bytes,
    unread: !isWhole
      ? `it is larger than the ${operation.limits.answerBytes} bytes that a BFF reads.`
      : (response.headers.get("content-encoding") ?? "identity") !== "identity"
        ? "it is compressed, which a BFF does not ask for and does not read."
        : undefined,
  };
}

/** The answer's verified content, by the same check that a BFF makes. @throws ContractError */
export function accept<O extends Operation>(
  operation: O,
  sent: Sent<O>,
  answered: Answered,
  mask: Mask,
): z.output<O["answer"]> {
  if (answered.unread !== undefined) throw new ContractError(answered, answered.unread, mask);
  try {
    return verify(operation, sent, answered).value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new ContractError(answered, whyOf(answered, error), mask);
  }
}

function whyOf({ status }: Answered, { cause }: Failure): string {
  if (status >= 400) return "the call failed.";
  const check = typeof cause === "string" ? cause : "not verified";
  if (check === "echo") return "it is about something else than what was sent, or says that it was not done.";
  if (check.startsWith("schema: "))
    return `a field is missing or wrong (${check.slice("schema: ".length) || "the whole body"}).`;
  return `a BFF does not believe it (${check}).`;
}
