import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { RequestContexts } from "../request-context.ts";
import type { CallGuard, Tried } from "./call-guard.ts";
import type { Authorize } from "./credential.ts";
import type { Sent } from "./echo.ts";
import { codeOfRefusal, Refused } from "./refused.ts";
import {
  isJsonType,
  readBounded,
  type Transport,
  type UpstreamAnswer,
  type UpstreamRequest,
} from "./transport.ts";
import { type Operation, type Verified, verify } from "./verified.ts";

/** Longest that one call may take, connecting and reading included. */
export const TOTAL_MS = 8000;

/** How long a file may be on its way: 10 MB take so long at 0.7 Mbit/s. Its browser waits as long. */
export const UPLOAD_MS = 120_000;

/** Largest answer read. A transcript comes whole and gets more. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_TRANSCRIPT_BYTES = 16 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 16 * 1024;

/** It is there, answers at once and took nothing: no outage, and asking again makes no room. */
const NO_ROOM = 507;
const NO_ROOM_DETAIL = "Support has no room for it at the moment. Nothing is known to have happened.";

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
  /** The service declared that the same key, or the same message id, is done once. */
  readonly isIdempotent?: boolean;
  readonly after?: number;
  /** A file in the place of a JSON body. */
  readonly upload?: {
    readonly bytes: AsyncIterable<Uint8Array>;
    readonly headers: Readonly<Record<string, string>>;
    /** Whether all of it went out: until then its sender is who may be slow, and not the service. */
    readonly isWhole: () => boolean;
  };
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
   * @throws Failure not_confirmed, support_unreachable, support_timeout, storage_full; Refused (support_refused and a few told codes)
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
  readonly guard: CallGuard;
  /** The request of a browser that a call is made for. */
  readonly contexts: RequestContexts;
  readonly totalMs?: number;
}

/** By their nature the same twice as once. Others are repeated only where the service honours their keys. */
const SAME_TWICE: ReadonlySet<string> = new Set([
  "identify",
  "endConversation",
  "eraseConversation",
  "ratings",
  "reads",
]);

/** Everything that is said to the service goes through here, by the map of operations in `shared/v1` and no other way. */
export function createUpstreamClient(deps: UpstreamDeps): UpstreamClient {
  const { clock, log, authorize, guard, contexts, totalMs = TOTAL_MS } = deps;
  const uploadMs = deps.totalMs ?? UPLOAD_MS;

  async function call<O extends Operation>(call: Call<O>): Promise<Verified<z.output<O["answer"]>>> {
    const { operation, isIdempotent = false } = call;
    const { upload } = call;
    const line = openLine(
      operation,
      clock.now() + (upload ? uploadMs : totalMs),
      upload ? undefined : contexts.current()?.endsAt,
    );
    const isRepeatable = isIdempotent || SAME_TWICE.has(operation.id);
    try {
      return await guard.run({ operation: operation.id, isRepeatable, endsAt: line.endsAt }, async () => {
        const tried = await tryOn(operation, line, async (ask) => {
          const answer = await ask(requestOf(call, authorize, line.signal, undefined));
          const max = operation.id === "messages" ? MAX_TRANSCRIPT_BYTES : MAX_ANSWER_BYTES;
          const bytes = await readBounded(answer.body, max);
          return verify(operation, call.sent, { status: answer.status, mediaType: answer.mediaType, bytes });
        });
        return "failure" in tried && upload && !upload.isWhole() ? { ...tried, sign: "idle" } : tried;
      });
    } finally {
      line.settle();
    }
  }

  async function open<O extends Operation>(
    call: Call<O>,
    signal: AbortSignal,
    form: StreamForm = EVENT_STREAM,
  ): Promise<OpenStream> {
    const { operation } = call;
    // A form with a time of its own may take longer than its browser waits: it is carried on without it.
    const within = form.headMs === undefined ? contexts.current()?.endsAt : undefined;
    const line = openLine(operation, clock.now() + (form.headMs ?? totalMs), within);
    signal.addEventListener("abort", line.abort, { once: true });
    if (signal.aborted) line.abort();
    try {
      return await guard.run({ operation: operation.id, isRepeatable: false, endsAt: line.endsAt }, () =>
        tryOn(operation, line, async (ask) => {
          const answer = await ask(requestOf(call, authorize, line.signal, form));
          const { status, mediaType, body } = answer;
          if (!form.statuses.includes(status) || !form.mediaTypes.includes(mediaType)) {
            answer.discard();
            throw new Failure("not_confirmed", { cause: `status ${status}, no such stream` });
          }
          return { status, mediaType, body, close: line.abort };
        }),
      );
    } catch (error) {
      signal.removeEventListener("abort", line.abort);
      throw error;
    } finally {
      line.settle();
    }
  }

  /**
   * The time that a call has, and who may end it early. A browser that leaves ends what only reads; what may have been
   * accepted is waited for, because its answer is the only proof, and the next try asks for it.
   */
  function openLine(operation: Operation, latest: number, within: number | undefined): Line {
    const endsAt = Math.min(latest, within ?? latest);
    const control = new AbortController();
    const abort = () => control.abort();
    let isLate = false;
    const cancel = clock.after(Math.max(0, endsAt - clock.now()), () => {
      isLate = true;
      abort();
    });
    const gone = operation.method === "GET" ? contexts.current()?.gone?.() : undefined;
    gone?.addEventListener("abort", abort, { once: true });
    if (gone?.aborted) abort();
    return {
      endsAt,
      signal: control.signal,
      isLate: () => isLate,
      abort,
      settle() {
        cancel();
        gone?.removeEventListener("abort", abort);
      },
    };
  }

  /** Makes one request and gives what came of it, with what it says of the service. */
  async function tryOn<T>(
    operation: Operation,
    line: Line,
    use: (ask: (request: UpstreamRequest) => Promise<UpstreamAnswer>) => Promise<T>,
  ): Promise<Tried<T>> {
    let answer: UpstreamAnswer | undefined;
    try {
      const value = await use(async (request) => {
        answer = await deps.transport.request(contexts.mark(request));
        if (answer.status >= 400) throw await refusal(answer);
        return answer;
      });
      return { value, sign: "alive" };
    } catch (error) {
      const failure = meaningOf(error, answer, line.isLate());
      if (line.signal.aborted && !line.isLate()) return { failure, sign: "idle" };
      const isBroken = line.isLate() || !(error instanceof Failure) || error.code === "support_unreachable";
      return { failure: note(operation, answer, failure), sign: isBroken ? "broken" : "alive" };
    }
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

/** The time of one call and the hands that may end it. */
interface Line {
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
  isLate(): boolean;
  readonly abort: () => void;
  /** The call is over: nothing but `abort` ends what it opened. */
  settle(): void;
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
  if (call.upload) {
    Object.assign(headers, call.upload.headers);
    return {
      method: operation.method,
      path: pathOf(operation, sent),
      headers,
      body: call.upload.bytes,
      signal,
      stream,
    };
  }
  if (request === undefined) {
    return { method: operation.method, path: pathOf(operation, sent) + query, headers, signal, stream };
  }
  headers["content-type"] = "application/json";
  const body = JSON.stringify(request);
  return { method: operation.method, path: pathOf(operation, sent) + query, headers, body, signal, stream };
}

/** Fills `:id`. Ids are the service's own words, and still none gets into a path unless it is safe there. */
function pathOf(operation: Operation, sent: Sent): string {
  if (!operation.path.includes(":id")) return operation.path;
  const id = Id.safeParse(sent.conversationId);
  if (!id.success) throw new Failure("internal", { cause: "an id that can't stand in a path" });
  const path = operation.path.replace(":id", encodeURIComponent(id.data));
  if (!path.includes(":attachmentId")) return path;
  const file = Id.safeParse(sent.attachmentId);
  if (!file.success) throw new Failure("internal", { cause: "an id that can't stand in a path" });
  return path.replace(":attachmentId", encodeURIComponent(file.data));
}

/** The failure that a 4xx or 5xx is. Of the latter, only a full service is told from one that is away. */
async function refusal(answer: UpstreamAnswer): Promise<Failure> {
  const { status, retryAfter } = answer;
  if (status >= 500) {
    answer.discard();
    const later = retryAfter === undefined ? {} : { retryAfter };
    return status === NO_ROOM
      ? new Failure("storage_full", { ...later, detail: NO_ROOM_DETAIL, cause: "the service has no room" })
      : new Failure("support_unreachable", later);
  }
  if (!isJsonType(answer.mediaType)) {
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
