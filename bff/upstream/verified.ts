import type * as z from "zod/mini";
import { Failure, PROBLEM_MEDIA_TYPE } from "../../shared/errors.ts";
import type { V1Operation } from "../../shared/operation.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import type { TurnEvent } from "../../shared/v1/turns.ts";
import { deniesItself, echoHolds, type Sent } from "./echo.ts";
import { isJsonType } from "./transport.ts";

class Proof<T> {
  // A private member makes the type nominal: no object literal and no other class fits it.
  readonly #proven = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  static holds(thing: unknown): boolean {
    return typeof thing === "object" && thing !== null && #proven in thing && thing.#proven;
  }
}

/**
 * What the service verifiably said, and the only thing that becomes a claim to a customer. Three functions of this file make
 * one: `verify` of an answer, `verifyTaken` of a turn's first event, and `both` of two that are there already.
 */
export type Verified<T> = Proof<T>;

/** Whether `thing` was made here; for the one place where a claim leaves, in case a cast slipped past the types. */
export function isVerified(thing: unknown): boolean {
  return Proof.holds(thing);
}

/** Two verified answers as one claim. */
export function both<A, B>(a: Verified<A>, b: Verified<B>): Verified<readonly [A, B]> {
  return new Proof([a.value, b.value] as const);
}

/** An answer as it came: nothing of it is believed yet. */
export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** An operation of the contract, with its id known to the type. */
export type Operation = V1Operation & { readonly id: V1Id };

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Believes an answer, or does not. It holds when the status says "done" (200, 201, or 204 without a body), the media type
 * is JSON, nothing in the body says that it failed, the schema holds and the echo holds. The value has the schema's fields
 * and no others.
 *
 * @throws Failure `not_confirmed`, whose cause says for the log what did not hold
 */
export function verify<O extends Operation>(
  operation: O,
  sent: Sent,
  answer: Answer,
): Verified<z.output<O["answer"]>> {
  // 202 says "not yet", 206 "a part", 3xx "elsewhere": none of them says that it happened.
  if (answer.status !== 200 && answer.status !== 201 && answer.status !== 204) {
    throw doubt(`status ${answer.status}`);
  }
  const body = readBody(answer);
  if (deniesItself(body)) throw doubt("an error in its body");
  const parsed = operation.answer.safeParse(body);
  if (!parsed.success) {
    throw doubt(`schema: ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}`);
  }
  // As it came: what the schema passes over may still say that this is about something else.
  if (!echoHolds(operation.id, sent, body)) throw doubt("echo");
  return new Proof(parsed.data) as Verified<z.output<O["answer"]>>;
}

/** What a service can say on a turn's stream without having taken the message: that it failed, and what that cost. */
const NO_SIGN: ReadonlySet<TurnEvent["type"]> = new Set(["error", "usage"]);

/**
 * Believes that a service took a customer's message, by the first event of its answer: the stream is opened by the very
 * request that carried the message, and one who answers has read. Undefined while an event does not say that much.
 *
 * @throws Failure `not_confirmed`, where the event says that something else was taken
 */
export function verifyTaken(event: TurnEvent, sent: Sent): Verified<TurnEvent> | undefined {
  if (event.type === "turn.accepted" && !echoHolds("turns", sent, event)) throw doubt("echo");
  return NO_SIGN.has(event.type) ? undefined : new Proof(event);
}

function readBody({ status, mediaType, bytes }: Answer): unknown {
  if (bytes.byteLength === 0) return undefined;
  if (status === 204) throw doubt("204 with a body");
  // A problem document says that it failed, whatever the status says.
  if (!isJsonType(mediaType) || mediaType === PROBLEM_MEDIA_TYPE) throw doubt("media type");
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    // The parser's words quote the body, which must not reach a log.
    throw doubt("not JSON");
  }
}

function doubt(reason: string): Failure {
  return new Failure("not_confirmed", { cause: reason });
}
