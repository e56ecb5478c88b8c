import type * as z from "zod/mini";
import { CSRF_HEADER, type DeskSession } from "../../shared/desk.ts";
import { DESK_API } from "../../shared/desk-operations.ts";
import { Failure, type FailureCode, Problem } from "../../shared/errors.ts";
import type { DeskOperation, ParamsOf, RequestOf } from "../../shared/operation.ts";

/** Longest wait for an answer, in milliseconds; the service itself gives up after 8 s. */
export const REQUEST_TIMEOUT_MS = 10_000;

export interface DeskCallsDeps {
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** A signal that aborts after this many milliseconds. */
  readonly timeout: (ms: number) => AbortSignal;
  /** Called with the answer to each call, before it is read. */
  readonly onAnswer?: (answer: Response) => void;
}

export type DeskCalls = ReturnType<typeof createDeskCalls>;

/** The ids and the body of a call, if its record has them. */
type Ask<O extends DeskOperation> = (keyof ParamsOf<O> extends never
  ? { params?: undefined }
  : { params: ParamsOf<O> }) &
  (RequestOf<O> extends undefined ? { request?: undefined } : { request: RequestOf<O> }) & {
    query?: Readonly<Record<string, string | undefined>>;
    /** Instead of the usual deadline. */
    signal?: AbortSignal;
  };

/** A request, with the ids and the query of its address. */
interface Outgoing extends RequestInit {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The meaning of a status without a problem body; any other status only means that the call was refused. */
const CODE_OF_STATUS: Readonly<Record<number, FailureCode>> = {
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  413: "body_too_large",
  429: "rate_limited",
  502: "support_refused",
  503: "unavailable",
  504: "support_timeout",
};

async function failureOf(response: Response): Promise<Failure> {
  const problem = Problem.safeParse(await response.json().catch(() => undefined));
  if (problem.success) {
    const { code, detail, retryAfter } = problem.data;
    return new Failure(code, { detail, ...(retryAfter === undefined ? {} : { retryAfter }) });
  }
  const retryAfter = Number(response.headers.get("retry-after"));
  return new Failure(
    CODE_OF_STATUS[response.status] ?? "support_refused",
    retryAfter > 0 ? { retryAfter } : {},
  );
}

/** The desk's only caller of `fetch`: sends calls with the session's CSRF token, and accepts only verified answers. */
export function createDeskCalls(deps: DeskCallsDeps) {
  let csrf = "";

  const fetchDesk = (path: string, init: RequestInit) =>
    deps.fetch(DESK_API + path, {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...init,
    });

  async function send(
    { method, path }: Pick<DeskOperation, "method" | "path">,
    { params, query, ...init }: Outgoing,
    through = fetchDesk,
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("accept", "application/json");
    if (method === "POST") {
      if (!headers.has("content-type")) headers.set("content-type", "application/json");
      headers.set(CSRF_HEADER, csrf);
    }
    const response = await answerOf(
      through(filled(path, params) + queryOf(query), { method, ...init, headers }),
    );
    deps.onAnswer?.(response);
    if (!response.ok) throw await failureOf(response);
    return response;
  }

  /** Sends a call, and accepts only an answer whose schema and echo match. */
  async function ask<O extends DeskOperation>(operation: O, given: Ask<O>): Promise<z.output<O["answer"]>> {
    const { params, request = {}, query, signal = deps.timeout(REQUEST_TIMEOUT_MS) } = given;
    const body = operation.method === "POST" ? { body: JSON.stringify(request) } : {};
    const response = await send(operation, { params, query, signal, ...body });
    return readVerified(operation, { params: params ?? {}, request }, response);
  }

  /** Reads an answer. @throws Failure `not_confirmed` unless its schema and its echo match */
  async function readVerified<O extends DeskOperation>(
    operation: O,
    sent: { readonly params: object; readonly request: unknown },
    response: Response,
  ): Promise<z.output<O["answer"]>> {
    let json: unknown;
    try {
      json = await response.json();
    } catch (cause) {
      throw new Failure(isTimeout(cause) ? "support_timeout" : "not_confirmed", { cause });
    }
    const answer = operation.answer.safeParse(json);
    if (!answer.success || operation.echo?.(sent as never, answer.data) === false)
      throw new Failure("not_confirmed");
    return answer.data as z.output<O["answer"]>;
  }

  return {
    fetchDesk,
    send,
    ask,
    readVerified,
    /** Fetches a file beside the desk's page. */
    async fetchFile(path: string): Promise<Response> {
      const response = await answerOf(deps.fetch(path, { signal: deps.timeout(REQUEST_TIMEOUT_MS) }));
      if (!response.ok) throw await failureOf(response);
      return response;
    },
    /** Uses the CSRF token of the session that an answer opens. */
    async enter(asked: Promise<DeskSession>): Promise<DeskSession> {
      const session = await asked;
      csrf = session.csrf;
      return session;
    },
    /** Forgets the CSRF token of a session that is over. */
    leave(): void {
      csrf = "";
    },
  };
}

/** @throws Failure where no answer came */
async function answerOf(asked: Promise<Response>): Promise<Response> {
  try {
    return await asked;
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure(isTimeout(cause) ? "support_timeout" : "support_unreachable", { cause });
  }
}

function filled(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** The query of an address, from the values that are there. */
function queryOf(values: Outgoing["query"] = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, value);
  const text = String(query);
  return text && `?${text}`;
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** Converts anything thrown to a failure. */
export function failureFrom(cause: unknown): Failure {
  return cause instanceof Failure ? cause : new Failure("internal", { cause });
}

/** Whether the service itself refused the call, so that it verifiably changed nothing. */
export function isRefusal(failure: Failure): boolean {
  // Only the service's own problem has a detail. A bare status may be a proxy's.
  return failure.status < 500 && failure.code !== "in_flight" && failure.detail !== undefined;
}

/** Whether the service itself said that it has no such thing. A proxy's 404 proves nothing. */
export function isGone(failure: Failure): boolean {
  return failure.code === "not_found" && isRefusal(failure);
}

/** Whether nothing answered the call, so that the service may be out of reach. */
export function gotNoAnswer({ code }: Failure): boolean {
  return code === "support_timeout" || code === "support_unreachable";
}

/** Whether a failure means that nobody is signed in here (any more). */
export function isSignedOut(failure: unknown): boolean {
  return (
    failure instanceof Failure && (failure.code === "unauthenticated" || failure.code === "session_expired")
  );
}
