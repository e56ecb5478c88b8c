import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Authorize } from "./credential.ts";
import type { Sent } from "./echo.ts";
import { codeOfRefusal, Refused } from "./refused.ts";
import { readBounded, type Transport, type UpstreamAnswer, type UpstreamRequest } from "./transport.ts";
import { type Operation, type Verified, verify } from "./verified.ts";

/** Longest that one call may take, connecting and reading included (requirements 4.4). */
export const TOTAL_MS = 8000;

/** Largest answer read. A transcript comes whole and gets more. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 16 * 1024;

type RequestOf<O extends Operation> = O extends { readonly request: infer S extends z.ZodMiniType }
  ? z.input<S>
  : undefined;

export interface Call<O extends Operation> {
  readonly operation: O;
  readonly request?: RequestOf<O>;
  /** What the answer must echo; `conversationId` also fills the path. */
  readonly sent: Sent;
  readonly serviceToken?: string;
  readonly idempotencyKey?: string;
  readonly after?: number;
}

/** As what a stream is asked for. */
export interface StreamForm {
  readonly accept: string;
  /** What says that it is one: these statuses with these media types. */
  readonly statuses: readonly number[];
  readonly mediaTypes: readonly string[];
  /** How long its head may take, in ms; without it as long as any call. */
  readonly headMs?: number;
}

const EVENT_STREAM: StreamForm = {
  accept: "text/event-stream",
  statuses: [200],
  mediaTypes: ["text/event-stream"],
};

/** An open stream of the service. */
export interface OpenStream {
  readonly status: number;
  readonly mediaType: string;
  readonly body: AsyncIterable<Uint8Array>;
  close(): void;
}

export interface UpstreamClient {
  /**
   * Makes one call and believes its answer only if it verifies.
   * @throws Failure not_confirmed, support_unreachable, support_timeout; Refused (support_refused and a few told codes)
   */
  call<O extends Operation>(call: Call<O>): Promise<Verified<z.output<O["answer"]>>>;
  /** Opens a stream, of events if `form` says nothing else: the head within its time, then no limit. Throws as `call` does. */
  open<O extends Operation>(call: Call<O>, signal: AbortSignal, form?: StreamForm): Promise<OpenStream>;
}

export interface UpstreamDeps {
  readonly transport: Transport;
  readonly authorize: Authorize;
  readonly clock: Clock;
  readonly log: Log;
  readonly totalMs?: number;
}

/** Everything that is said to the service goes through here, by the map of operations in `shared/v1` and no other way. */
export function createUpstreamClient(deps: UpstreamDeps): UpstreamClient {
  const { clock, log, authorize, totalMs = TOTAL_MS } = deps;

  async function call<O extends Operation>(call: Call<O>): Promise<Verified<z.output<O["answer"]>>> {
    const limit = new AbortController();
    const cancel = clock.after(totalMs, () => limit.abort());
    let answer: UpstreamAnswer | undefined;
    try {
      answer = await exchange(requestOf(call, authorize, limit.signal, undefined));
      if (answer.status >= 400) throw await refusal(answer);
      const max = call.operation.id === "messages" ? MAX_TRANSCRIPT_BYTES : MAX_ANSWER_BYTES;
      const bytes = await readBounded(answer.body, max);
      return verify(call.operation, call.sent, { status: answer.status, mediaType: answer.mediaType, bytes });
    } catch (error) {
      throw note(call.operation, answer, meaningOf(error, answer, limit.signal.aborted));
    } finally {
      cancel();
    }
  }

  async function open<O extends Operation>(
    call: Call<O>,
    signal: AbortSignal,
    form: StreamForm = EVENT_STREAM,
  ): Promise<OpenStream> {
    const stream = new AbortController();
    const abort = () => stream.abort();
    signal.addEventListener("abort", abort, { once: true });
    let late = false;
    const cancel = clock.after(form.headMs ?? totalMs, () => {
      late = true;
      stream.abort();
    });
    let answer: UpstreamAnswer | undefined;
    try {
      answer = await exchange(requestOf(call, authorize, stream.signal, form));
      if (answer.status >= 400) throw await refusal(answer);
      const { status, mediaType, body } = answer;
      if (!form.statuses.includes(status) || !form.mediaTypes.includes(mediaType)) {
        answer.discard();
        throw new Failure("not_confirmed", { cause: `status ${status}, no such stream` });
      }
      return { status, mediaType, body, close: abort };
    } catch (error) {
      signal.removeEventListener("abort", abort);
      throw note(call.operation, answer, meaningOf(error, answer, late));
    } finally {
      cancel();
    }
  }

  /** The seam: retries and the breaker of each route go in here. */
  function exchange(request: UpstreamRequest): Promise<UpstreamAnswer> {
    return deps.transport.request(request);
  }

  function note(operation: Operation, answer: UpstreamAnswer | undefined, failure: Failure): Failure {
    const why = typeof failure.cause === "string" ? failure.cause : undefined;
    log.warn(
      { operation: operation.id, answered: answer?.status, code: failure.code, why },
      "support call failed",
    );
    return failure;
  }

  return { call, open };
}

function requestOf(
  call: Call<Operation>,
  authorize: Authorize,
  signal: AbortSignal,
  form: StreamForm | undefined,
): UpstreamRequest {
  const { operation, request, sent, serviceToken, idempotencyKey, after } = call;
  const headers = authorize(operation.id, serviceToken);
  const stream = form !== undefined;
  headers["accept"] = form?.accept ?? "application/json";
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (stream && after !== undefined && after > 0) headers["last-event-id"] = String(after);
  const query = !stream && after !== undefined ? `?after=${after}` : "";
  if (request === undefined) {
    return { method: operation.method, path: pathOf(operation, sent) + query, headers, signal, stream };
  }
  headers["content-type"] = "application/json";
  const body = JSON.stringify(request);
  return { method: operation.method, path: pathOf(operation, sent) + query, headers, body, signal, stream };
}

/** Fills `:id`. Ids are the service's own words, and still none gets into a path unless it is safe there (R04). */
function pathOf(operation: Operation, sent: Sent): string {
  if (!operation.path.includes(":id")) return operation.path;
  const id = Id.safeParse(sent.conversationId);
  if (!id.success) throw new Failure("internal", { cause: "an id that can't stand in a path" });
  return operation.path.replace(":id", encodeURIComponent(id.data));
}

/** The failure that a 4xx or 5xx is. */
async function refusal(answer: UpstreamAnswer): Promise<Failure> {
  const { status, retryAfter } = answer;
  if (status >= 500) {
    answer.discard();
    return new Failure("support_unreachable", retryAfter === undefined ? {} : { retryAfter });
  }
  const isJson = /^application\/([a-z.+-]+\+)?json$/.test(answer.mediaType);
  if (!isJson) {
    answer.discard();
    return new Refused(status, false, "support_refused", retryAfter);
  }
  const body = await readJson(answer.body);
  return new Refused(status, true, codeOfRefusal(status, body), retryAfter);
}

/** A refusal's body, where it can be read; that it was refused holds without it. */
async function readJson(body: AsyncIterable<Uint8Array>): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await readBounded(body, MAX_REFUSAL_BYTES)));
  } catch {
    return undefined;
  }
}

/** What a thrown thing means to the customer. `late` says that our own time limit ended the call. */
function meaningOf(error: unknown, answer: UpstreamAnswer | undefined, late: boolean): Failure {
  if (late) return new Failure("support_timeout", { cause: "time limit" });
  if (error instanceof Failure) return error;
  const cause = error instanceof Error && "code" in error ? String(error.code) : "connection";
  // With a 2xx head the service may have done it; what is missing is the proof.
  return new Failure(answer === undefined ? "support_unreachable" : "not_confirmed", { cause });
}
