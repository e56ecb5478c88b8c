import type * as z from "zod/mini";
import type { Capability } from "./capability.ts";
import type { FailureCode } from "./errors.ts";

type Schema = z.ZodMiniType;

/** How a call authenticates. Each endpoint's scheme is configurable; this is the default (contract). */
export type Auth = "application" | "session" | "none";

/** Headers that an operation takes besides `Authorization`. The names of the first two are configurable. */
export type OperationHeader =
  | "publicKey"
  | "handoffSecret"
  | "Idempotency-Key"
  | "Last-Event-ID"
  | "X-File-Name";

/** Sizes in bytes, times in milliseconds. */
export interface OperationLimits {
  /** How long a caller waits for the whole answer, connecting included. */
  readonly timeMs: number;
  /** Largest JSON body that the service reads. */
  readonly requestBytes: number;
  /** Largest answer that a caller reads; streams have no such limit. */
  readonly answerBytes: number;
}

/** An answer that a caller reads as it arrives. */
export interface StreamForm {
  /** The value of the request's `Accept` header. */
  readonly accept: string;
  /** The media types and statuses of a valid answer. */
  readonly mediaTypes: readonly string[];
  readonly statuses: readonly number[];
  /** How long the response headers may take; by default the operation's own `timeMs`. */
  readonly headMs?: number;
  /** The JSON of one event; absent for a file. */
  readonly event?: Schema;
}

type ParamName<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The ids in a path's placeholders. */
export type ParamsOf<O extends { readonly path: string }> = {
  readonly [Name in ParamName<O["path"]>]: string;
};

/** The JSON body that a caller sends; `undefined` if the operation has none. */
export type RequestOf<O> = O extends { readonly request: infer S extends Schema } ? z.input<S> : undefined;

/** The input of a call, for the check that its answer is about the same thing. */
export interface Sent<O extends { readonly path: string } = V1Operation> {
  readonly params: ParamsOf<O>;
  readonly request: RequestOf<O>;
  /** Size and hash of the file that was sent; `undefined` until all of it was. */
  readonly upload?: { readonly size: number; readonly sha256: string } | undefined;
}

/**
 * The description of one operation of the `/v1` service. Its echo check is in `Echo`, because its types depend on
 * these.
 */
interface V1Facts {
  /** Also names the configuration variable of the authentication: `AUTH_` and this in upper snake case. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:id` for the conversation's id. */
  readonly path: `/v1/${string}`;
  readonly auth: Auth;
  /** One sentence for OpenAPI and the documents. */
  readonly summary: string;
  /**
   * The capability that a service declares for it; absent for the seven endpoints and for the call that lists the
   * capabilities.
   */
  readonly needs?: Capability;
  /** The statuses by which a service may say that it does not have this endpoint. */
  readonly absent?: readonly number[];
  readonly headers?: readonly OperationHeader[];
  /** Query parameters: integers, or texts of at most `maxLength` characters. */
  readonly query?: Readonly<
    Record<string, { readonly minimum: number; readonly maximum?: number } | { readonly maxLength: number }>
  >;
  /** The request's JSON body, if it has one. */
  readonly request?: Schema;
  /** The request's body is a raw file: it is streamed and never parsed. */
  readonly upload?: true;
  /** It is not a GET but stores nothing, so it never answers `storage_full`. */
  readonly storesNothing?: true;
  /** The 2xx body. `undefined` is accepted where the contract allows an empty answer. */
  readonly answer: Schema;
  /** The name of a list in the answer that may be long: it is checked in pieces, so that others are not delayed. */
  readonly longList?: string;
  /** Present if the answer can be, or always is, a stream. */
  readonly stream?: StreamForm;
  /** The status of our service; a caller accepts any of 200 and 201 (contract). */
  readonly status: 200 | 201;
  /** Why our service may answer 200 instead of 201. */
  readonly repeated?: string;
  /**
   * Whether a caller repeats a call whose answer was lost. `always`: the call is idempotent. `keyed`: only if the
   * service declares `idempotency`, and so honours the key. `never`: the customer decides.
   */
  readonly retry: "always" | "keyed" | "never";
  /** Codes of our own problem documents that the BFF passes on to the customer; any other becomes `support_refused`. */
  readonly refusals?: readonly FailureCode[];
  readonly limits: OperationLimits;
}

interface Echo<O extends { readonly path: string }> {
  /** Whether the answer is about what was sent (contract, "a verified answer"). `answer` is the JSON as it came. */
  echo(sent: Sent<O>, answer: unknown): boolean;
}

/** One operation of the `/v1` service: the single description that client, server, OpenAPI and tests read. */
export interface V1Operation extends V1Facts, Echo<V1Facts> {}

/** Checks a record's form and preserves the exact types of its path and schemas. */
export function v1<
  const Path extends `/v1/${string}`,
  const O extends V1Facts,
  Request extends Schema | undefined = undefined,
>(
  operation: O & { readonly path: Path; readonly request?: Request } & Echo<{
      readonly path: Path;
      readonly request: Request;
    }>,
): O & Echo<O> {
  // `Path` and `Request` are those of `O`: they are parameters only so that `echo` knows them.
  return operation as unknown as O & Echo<O>;
}

/** The limits that a call of the BFF counts in (`bff/gate/limits.ts`). */
export type Rate =
  | "sends"
  | "uploads"
  | "typing"
  | "calls"
  | "handoffs"
  | "summaries"
  | "contacts"
  | "erasures";

/** One operation of the BFF, as the widget calls it. */
export interface ApiOperation<Request extends Schema = Schema, Answer extends Schema = Schema> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/api/${string}`;
  /** Whether `Authorization: Bearer` with a session's token is needed. */
  readonly session: "required" | "optional" | "none";
  /** The capabilities of the service without which it answers `not_found`; the first is the one that the panel asks for. */
  readonly needs?: readonly Capability[];
  /** Absent if the call counts towards no limit, or its handler decides towards which. */
  readonly rate?: Rate;
  /** The parameters of the address that it reads; others are ignored. */
  readonly query?: Schema;
  readonly request?: Request;
  /** As in `V1Operation`. */
  readonly upload?: true;
  /** The 2xx body is a raw file; `answer` does not describe it. */
  readonly download?: true;
  readonly answer: Answer;
}

/** As `v1`, for the BFF's own operations. */
export function api<const O extends ApiOperation>(operation: O): O {
  return operation;
}

/**
 * The description of one call from the desk to the service. Its echo check is in `DeskEcho`, because its types depend
 * on these.
 */
interface DeskFacts {
  readonly method: "GET" | "POST";
  /** Below `/desk/api`. */
  readonly path: `/${string}`;
  /** The callers that are allowed: anybody (with a secret in the body), a signed-in person, or an admin. */
  readonly access: "anybody" | "person" | "admin";
  readonly request?: Schema;
  readonly answer: Schema;
  readonly status?: 201;
}

interface DeskEcho<O extends { readonly path: string }, Answer extends Schema> {
  /** Whether the answer is about what was sent; without it the schema is the whole check. */
  echo?(sent: Pick<Sent<O>, "params" | "request">, answer: z.output<Answer>): boolean;
}

/** One call of the desk to the service. */
export interface DeskOperation extends DeskFacts, DeskEcho<DeskFacts, Schema> {}

/** As `v1`, for the calls of the desk. */
export function desk<
  const Path extends `/${string}`,
  const O extends DeskFacts,
  Answer extends Schema,
  Request extends Schema | undefined = undefined,
>(
  operation: O & {
    readonly path: Path;
    readonly request?: Request;
    readonly answer: Answer;
  } & DeskEcho<{ readonly path: Path; readonly request: Request }, Answer>,
): O & DeskEcho<O, Answer> {
  return operation as unknown as O & DeskEcho<O, Answer>;
}
