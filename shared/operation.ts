import type * as z from "zod/mini";

type Schema = z.ZodMiniType;

/** How a call proves who makes it. Each endpoint's scheme is configuration; this is the default (contract). */
export type Auth = "application" | "session" | "none";

/** One operation of the `/v1` service: the single description that client, server, OpenAPI and tests read. */
export interface V1Operation<Request extends Schema = Schema, Answer extends Schema = Schema> {
  /** Also names the configuration variable of the authentication: `AUTH_` and this in upper snake case. */
  readonly id: string;
  readonly method: "GET" | "POST" | "DELETE";
  /** With `:id` where the conversation's id stands. */
  readonly path: `/v1/${string}`;
  readonly auth: Auth;
  /** The request's JSON body; absent where there is none. */
  readonly request?: Request;
  /** The request's body is a file as it is: it is read as it comes, and never parsed. */
  readonly upload?: true;
  /** The 2xx body is a file as it is; `answer` says nothing of it. */
  readonly download?: true;
  /** The 2xx body. `undefined` is accepted where the contract allows an empty answer. */
  readonly answer: Answer;
  /** One line for OpenAPI and the documents. */
  readonly summary: string;
}

/** One operation of the BFF, as the widget calls it. */
export interface ApiOperation<Request extends Schema = Schema, Answer extends Schema = Schema> {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: `/api/${string}`;
  /** Whether `Authorization: Bearer` with a session's token is needed. */
  readonly session: "required" | "optional" | "none";
  readonly request?: Request;
  /** As in `V1Operation`. */
  readonly upload?: true;
  readonly download?: true;
  readonly answer: Answer;
}

/** Keeps the exact schema types of an operation while checking its form. */
export function v1<const O extends V1Operation>(operation: O): O {
  return operation;
}

/** As `v1`, for the BFF's own operations. */
export function api<const O extends ApiOperation>(operation: O): O {
  return operation;
}
