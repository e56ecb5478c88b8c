import type * as z from "zod/mini";
import type { Capability } from "./capability.ts";
import type { FailureCode } from "./errors.ts";

type Schema = z.ZodMiniType;

/** How a call proves who makes it. Each endpoint's scheme is configuration; this is the default (contract). */
export type Auth = "application" | "session" | "none";

/** Headers that an operation takes beside `Authorization`. The first two have names that are configuration. */
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
  /** Largest answer that a caller reads; a stream has no such limit. */
  readonly answerBytes: number;
}

/** An answer that a caller reads as it comes. */
export interface StreamForm {
  /** What the request's `Accept` header says. */
  readonly accept: string;
  /** The media types and statuses of a right answer. */
  readonly mediaTypes: readonly string[];
  readonly statuses: readonly number[];
  /** How long the head of the answer may take; without it the operation's own `timeMs`. */
  readonly headMs?: number;
  /** The JSON of one event; absent for a file. */
  readonly event?: Schema;
}

type ParamName<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamName<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;

/** The ids that a path has places for. */
export type ParamsOf<O extends { readonly path: string }> = {
  readonly [Name in ParamName<O["path"]>]: string;
};

/** The JSON body that a caller sends; `undefined` where the operation has none. */
export type RequestOf<O> = O extends { readonly request: infer S extends Schema } ? z.input<S> : undefined;

/** What a call sent, for the check that its answer is about the same thing. */
export interface Sent<O extends { readonly path: string } = V1Operation> {
  readonly params: ParamsOf<O>;
  readonly request: RequestOf<O>;
  /** Size and hash of the file that went out; `undefined` until all of it did. */
  readonly upload?: { readonly size: number; readonly sha256: string } | undefined;
}

/** What describes one operation of the `/v1` service. Its echo check is in `Echo`, because its types depend on these. */
interface V1Facts {
  /** Also names the configuration variable of the authentication: `AUTH_` and this in upper snake case. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:id` where the conversation's id stands. */
  readonly path: `/v1/${string}`;
  readonly auth: Auth;
  /** One sentence for OpenAPI and the documents. */
  readonly summary: string;
  /** The capability that a service declares for it; absent for the seven and for asking which capabilities there are. */
  readonly needs?: Capability;
  readonly headers?: readonly OperationHeader[];
  /** Whole numbers that the query may name. */
  readonly query?: Readonly<Record<string, { readonly minimum: number; readonly maximum?: number }>>;
  /** The request's JSON body; absent where there is none. */
  readonly request?: Schema;
  /** The request's body is a file as it is: it is streamed and never parsed. */
  readonly upload?: true;
  /** The 2xx body. `undefined` is accepted where the contract allows an empty answer. */
  readonly answer: Schema;
  /** Present where the answer can be, or always is, a stream. */
  readonly stream?: StreamForm;
  /** The status of our service; a caller accepts any of 200 and 201 (contract). */
  readonly status: 200 | 201;
  /** Why our service may answer 200 instead of 201. */
  readonly repeated?: string;
  /**
   * Whether a caller repeats a call whose answer was lost. `always`: twice is the same as once. `keyed`: only where the
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

/** Checks a record's form and keeps the exact types of its path and schemas. */
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

/** The limit that a call of the BFF counts in: messages, files, typing signals and other calls of a session; or identity tokens of an address. */
export type Rate = "sends" | "uploads" | "typing" | "calls" | "identities";

/** One operation of the BFF, as the widget calls it. */
export interface ApiOperation<Request extends Schema = Schema, Answer extends Schema = Schema> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/api/${string}`;
  /** Whether `Authorization: Bearer` with a session's token is needed. */
  readonly session: "required" | "optional" | "none";
  /** The capabilities of the service without which it answers `not_found`; the first is the one that the panel asks for. */
  readonly needs?: readonly Capability[];
  /** Absent where the call counts in no limit, or its handler decides in which. */
  readonly rate?: Rate;
  readonly request?: Request;
  /** As in `V1Operation`. */
  readonly upload?: true;
  /** The 2xx body is a file as it is; `answer` says nothing about it. */
  readonly download?: true;
  readonly answer: Answer;
}

/** As `v1`, for the BFF's own operations. */
export function api<const O extends ApiOperation>(operation: O): O {
  return operation;
}

/** What describes one call from the desk to the service. Its echo check is in `DeskEcho`, because its types depend on these. */
interface DeskFacts {
  readonly method: "GET" | "POST";
  /** Below `/desk/api`. */
  readonly path: `/${string}`;
  /** Who may call it: anybody (with a secret in the body), a signed-in person, or an admin. */
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
