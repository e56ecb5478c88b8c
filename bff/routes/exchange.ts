import type * as z from "zod/mini";
import type { ApiOperation } from "../../shared/operation.ts";
import { jsonAnswer, type MoreHeaders } from "../gate/headers.ts";
import type { Upload } from "../gate/upload.ts";
import type { Session } from "../sessions/sessions.ts";
import { isVerified, type Verified } from "../upstream/verified.ts";

type SessionOf<O extends ApiOperation> = O["session"] extends "required"
  ? Session
  : O["session"] extends "optional"
    ? Session | undefined
    : undefined;

type BodyOf<O extends ApiOperation> = O extends { readonly request: infer S extends z.ZodMiniType }
  ? z.output<S>
  : undefined;

/** One request after the gate: origin, session, body and address are checked. */
export interface Exchange<O extends ApiOperation = ApiOperation> {
  readonly operation: O;
  readonly requestId: string;
  readonly session: SessionOf<O>;
  /** The `Authorization` header as it came, where a session was found by it. */
  readonly bearer: string | undefined;
  readonly body: BodyOf<O>;
  /** The file that the request is, where the operation takes one. */
  readonly upload: O extends { readonly upload: true } ? Upload : undefined;
  /** The `:id` of the path; empty where the path has none. */
  readonly id: string;
  readonly address: string;
  readonly lastEventId: string | undefined;
  /** Where the request says that it comes from; the gate let it in. */
  readonly origin: string | undefined;
  /** One parameter of the address. */
  readonly query: (name: string) => string | undefined;
  /** The rate-limit headers of the answer. */
  readonly more: () => MoreHeaders;
}

/** One operation with what carries it out. */
export interface Route {
  readonly operation: ApiOperation;
  handle(exchange: Exchange): Response | Promise<Response>;
}

/** Joins an operation of the contract with its handler; the handler's types come from the operation. */
export function route<const O extends ApiOperation>(
  operation: O,
  handle: (exchange: Exchange<O>) => Response | Promise<Response>,
): Route {
  // The gate makes each exchange from this very operation: its session and body are of this type.
  return { operation, handle: (exchange) => handle(exchange as unknown as Exchange<O>) };
}

type View<O extends ApiOperation> = z.input<O["answer"]>;

/**
 * The only way to a 2xx that claims something: it takes what the service verifiably said, and the view of it.
 * A value made by hand is not a `Verified` and does not compile; one forced in by a cast fails here.
 */
export function respond<O extends ApiOperation, T>(
  exchange: Exchange<O>,
  status: 200 | 201,
  verified: Verified<T>,
  view: (value: T) => View<O>,
): Response {
  if (!isVerified(verified)) throw new TypeError("an answer that was not verified");
  return jsonAnswer(status, view(verified.value), exchange.requestId, exchange.more());
}

/** A 200 for what the BFF itself knows: its configuration and its own sessions. */
export function respondOwn<O extends ApiOperation>(exchange: Exchange<O>, body: View<O>): Response {
  return jsonAnswer(200, body, exchange.requestId, exchange.more());
}
