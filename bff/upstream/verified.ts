import type * as z from "zod/mini";
import { Failure, PROBLEM_MEDIA_TYPE } from "../../shared/errors.ts";
import type { Sent, V1Operation } from "../../shared/operation.ts";
import { loopTurn } from "../../shared/server/loop-turn.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { at, deniesItself } from "../../shared/v1/echo.ts";
import { sendTurn, type TurnEvent } from "../../shared/v1/turns.ts";
import { isJsonType } from "./transport.ts";

class Proof<T> {
  // A private member makes the type nominal: no object literal and no other class fits it.
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  /** The same claim in other words: what of it a customer is shown. */
  as<U>(view: (value: T) => U): Proof<U> {
    return new Proof(view(this.#value));
  }

  static holds(thing: unknown): boolean {
    return typeof thing === "object" && thing !== null && #value in thing;
  }
}

/**
 * What the service verifiably said, and the only value that becomes a claim to a customer. Four functions of this file
 * make one from nothing else: `verify` and `verifyInPieces` from an answer, `verifyTaken` from a turn's first event, and
 * `recall` from the log that those made.
 */
export type Verified<T> = Proof<T>;

/** Whether `thing` was made here. Checked where a claim leaves the BFF, in case a cast slipped past the types. */
export function isVerified(thing: unknown): boolean {
  return Proof.holds(thing);
}

/**
 * Makes a proof of an entry of the BFF's own log. An entry gets into a log only with a proof (`Feeds.append`), so the
 * log may answer instead of the service. Only `bff/less/` may call this; a test reads the tree.
 */
export function recall<T>(value: T): Verified<T> {
  return new Proof(value);
}

export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** An operation of the contract, with its id known to the type. */
export type Operation = V1Operation & { readonly id: V1Id };

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Checks whether an answer proves what was asked: its status says "done" (200, 201, or 204 without a body), its media type
 * is JSON, nothing in its body says that the request failed, and its schema and its echo fit. The value has the schema's
 * fields and no others.
 *
 * @throws Failure `not_confirmed`; its cause names for the log the check that failed
 */
export function verify<O extends Operation>(
  operation: O,
  sent: Sent<O>,
  answer: Answer,
): Verified<z.output<O["answer"]>> {
  return new Proof(check(operation, sent, readDone(answer)));
}

/** Entries of a long list that are checked in one turn of the event loop: some milliseconds. */
const ENTRIES_AT_ONCE = 200;

/**
 * As `verify`, for an answer with a long list: the answer is checked with one piece of the list after the other, each in a
 * turn of the event loop of its own, and is believed only if every piece passes.
 *
 * @throws as `verify`
 */
export async function verifyInPieces<O extends Operation>(
  operation: O,
  sent: Sent<O>,
  answer: Answer,
): Promise<Verified<z.output<O["answer"]>>> {
  await loopTurn();
  const body = readDone(answer);
  const name = operation.longList ?? "";
  const list = at(body, name);
  if (!Array.isArray(list) || list.length <= ENTRIES_AT_ONCE) return new Proof(check(operation, sent, body));
  const entries: unknown[] = [];
  let whole: z.output<O["answer"]> | undefined;
  for (let from = 0; from < list.length; from += ENTRIES_AT_ONCE) {
    const piece = { ...(body as object), [name]: list.slice(from, from + ENTRIES_AT_ONCE) };
    whole = check(operation, sent, piece);
    entries.push(...(at(whole, name) as unknown[]));
    await loopTurn();
  }
  return new Proof({ ...(whole as object), [name]: entries } as z.output<O["answer"]>);
}

/** @throws Failure `not_confirmed` where the status, the media type or the body itself denies that it was done */
function readDone(answer: Answer): unknown {
  // 202 says "not yet", 206 "a part", 3xx "elsewhere": none says that it happened.
  if (answer.status !== 200 && answer.status !== 201 && answer.status !== 204) {
    throw doubt(`status ${answer.status}`);
  }
  const body = readBody(answer);
  if (deniesItself(body)) throw doubt("an error in its body");
  return body;
}

/** The answer's fields, if its schema and its echo fit. @throws Failure `not_confirmed` */
function check<O extends Operation>(operation: O, sent: Sent<O>, body: unknown): z.output<O["answer"]> {
  const parsed = operation.answer.safeParse(body);
  if (!parsed.success) {
    throw doubt(`schema: ${parsed.error.issues.map((issue) => issue.path.join(".")).join(", ")}`);
  }
  // The body as it came: a field that the schema drops may still say that this is about something else.
  if (!operation.echo(sent as unknown as Sent, body)) throw doubt("echo");
  return parsed.data as z.output<O["answer"]>;
}

/** Events that a service can send without having taken the message: a failure, and what it cost. */
const NO_SIGN: ReadonlySet<TurnEvent["type"]> = new Set(["error", "usage"]);

/**
 * Checks whether an event of a turn's stream proves that the service took the message. The request that carried the message
 * opened the stream, so a service that answers has read it. `undefined` for events that prove nothing.
 *
 * @throws Failure `not_confirmed`, where the event says that something else was taken
 */
export function verifyTaken(event: TurnEvent, sent: Sent<typeof sendTurn>): Verified<TurnEvent> | undefined {
  if (event.type === "turn.accepted" && !sendTurn.echo(sent, event)) throw doubt("echo");
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
    // The parser's message quotes the body, which must not reach a log.
    throw doubt("not JSON");
  }
}

function doubt(reason: string): Failure {
  return new Failure("not_confirmed", { cause: reason });
}
