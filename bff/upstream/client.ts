import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { Id } from "../../shared/id.ts";
import type { ParamsOf, RequestOf, Sent, StreamForm } from "../../shared/operation.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { RequestContexts } from "../request/request-context.ts";
import type { CallGuard, Tried } from "./call-guard.ts";
import type { Authorize } from "./credential.ts";
import { meaningOf, refusalOf } from "./failure.ts";
import { readBounded, type Transport, type UpstreamAnswer, type UpstreamRequest } from "./transport.ts";
import { type Operation, type Verified, verify } from "./verified.ts";

/** A file in the place of a JSON body. */
export interface FileBody {
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Size and hash once all of it went out. Until then a slow call is its sender's fault, and not the service's. */
  readonly sent: () => { readonly size: number; readonly sha256: string } | undefined;
}

/** What a call takes beside the ids and the body of its operation. */
export interface Options {
  /** The session's token, for operations that a session proves. */
  readonly token?: string;
  readonly idempotencyKey?: string;
  /** The service declared `idempotency`: a call with a key may be repeated. */
  readonly honoursKeys?: boolean;
  /** The seq after which a transcript or a stream begins. */
  readonly after?: number;
  readonly file?: FileBody;
}

type Given<Name extends string, T> = T extends undefined
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: T };

/** What one call of an operation sends. */
export type Ask<O extends Operation> = Options &
  Given<"params", keyof ParamsOf<O> extends never ? undefined : ParamsOf<O>> &
  Given<"request", RequestOf<O>>;

/** An ask whose operation is not known to the types. */
type AnyAsk = Options & {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly request?: unknown;
};

/** An open stream of the service. */
export interface OpenStream {
  readonly status: number;
  readonly mediaType: string;
  readonly body: AsyncIterable<Uint8Array>;
  /** Set where no connection can break unnoticed: silence then says nothing. */
  readonly isInProcess: boolean;
  close(): void;
}

export interface UpstreamClient {
  /**
   * Makes one call and believes its answer only if it verifies.
   * @throws Failure not_confirmed, support_unreachable, support_timeout, storage_full; Refused
   */
  call<O extends Operation>(operation: O, ask: Ask<O>): Promise<Verified<z.output<O["answer"]>>>;
  /** Opens the stream of an operation that has one: its head within its time, then no limit. Throws as `call` does. */
  open<O extends Operation & { readonly stream: StreamForm }>(
    operation: O,
    ask: Ask<O>,
    signal: AbortSignal,
  ): Promise<OpenStream>;
}

export interface UpstreamDeps {
  readonly transport: Transport;
  readonly authorize: Authorize;
  readonly clock: Clock;
  readonly log: Log;
  readonly guard: CallGuard;
  /** The request of a browser that a call is made for. */
  readonly contexts: RequestContexts;
  /** Replaces the time limit of every operation, in milliseconds; for tests. */
  readonly totalMs?: number;
}

/** The time of one call, and whoever may end it early. */
interface Deadline {
  /** Milliseconds since 1970. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
  isLate(): boolean;
  readonly abort: () => void;
  /** The call is over: from now on only `abort` ends what it opened. */
  settle(): void;
}

/** Makes every call to the service, from the operation's record in `shared/v1`. */
export function createUpstreamClient(deps: UpstreamDeps): UpstreamClient {
  const { clock, log, authorize, guard, contexts, transport } = deps;

  /**
   * A browser that leaves ends a call that only reads. A call that may have been accepted is waited for: its answer is the
   * only proof, and the customer's next try asks for it.
   */
  function deadlineOf(operation: Operation, ms: number, browserEndsAt: number | undefined): Deadline {
    const latest = clock.now() + ms;
    const endsAt = Math.min(latest, browserEndsAt ?? latest);
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

  /** Makes one request, and reports what came of it and what that says about the service. */
  async function attempt<T>(
    operation: Operation,
    request: UpstreamRequest,
    deadline: Deadline,
    read: (answer: UpstreamAnswer) => T | Promise<T>,
  ): Promise<Tried<T>> {
    let answer: UpstreamAnswer | undefined;
    try {
      answer = await transport.request(request);
      if (answer.status >= 400) throw await refusalOf(operation, answer);
      return { value: await read(answer), sign: "alive" };
    } catch (error) {
      const isLate = deadline.isLate();
      const failure = meaningOf(error, { isLate, isAnswered: answer !== undefined });
      if (!(failure instanceof Failure)) throw failure;
      if (deadline.signal.aborted && !isLate) return { failure, sign: "idle" };
      const why = typeof failure.cause === "string" ? failure.cause : undefined;
      const answered = answer?.status;
      log.warn(
        { ...contexts.ids(), operation: operation.id, answered, code: failure.code, why },
        "support call failed",
      );
      const isBroken = isLate || !(error instanceof Failure) || error.code === "support_unreachable";
      return { failure, sign: isBroken ? "broken" : "alive" };
    }
  }

  return {
    async call<O extends Operation>(operation: O, ask: Ask<O>) {
      const { honoursKeys = false, file, params = {}, request } = ask as AnyAsk;
      // A file may be on its way for longer than a call: its browser waits as long.
      const browserEndsAt = file ? undefined : contexts.current()?.endsAt;
      const deadline = deadlineOf(operation, deps.totalMs ?? operation.limits.timeMs, browserEndsAt);
      const isRepeatable = operation.retry === "always" || (operation.retry === "keyed" && honoursKeys);
      const read = async ({ status, mediaType, body }: UpstreamAnswer) => {
        const bytes = await readBounded(body, operation.limits.answerBytes);
        const sent = { params, request, upload: file?.sent() } as Sent<O>;
        return verify(operation, sent, { status, mediaType, bytes });
      };
      try {
        return await guard.run(
          { operation: operation.id, isRepeatable, endsAt: deadline.endsAt },
          async () => {
            const outgoing = requestOf(
              operation,
              ask as AnyAsk,
              authorize,
              contexts,
              deadline.signal,
              undefined,
            );
            const tried = await attempt(operation, outgoing, deadline, read);
            return "failure" in tried && file && !file.sent() ? { ...tried, sign: "idle" } : tried;
          },
        );
      } finally {
        deadline.settle();
      }
    },

    async open(operation, ask, signal) {
      const { stream: form } = operation;
      // A stream with a time of its own goes on without its browser.
      const browserEndsAt = form.headMs === undefined ? contexts.current()?.endsAt : undefined;
      const ms = form.headMs ?? deps.totalMs ?? operation.limits.timeMs;
      const deadline = deadlineOf(operation, ms, browserEndsAt);
      signal.addEventListener("abort", deadline.abort, { once: true });
      if (signal.aborted) deadline.abort();
      const read = (answer: UpstreamAnswer): OpenStream => {
        const { status, mediaType, body, isInProcess = false } = answer;
        if (!form.statuses.includes(status) || !form.mediaTypes.includes(mediaType)) {
          answer.discard();
          throw new Failure("not_confirmed", { cause: `status ${status}, no such stream` });
        }
        return { status, mediaType, body, isInProcess, close: deadline.abort };
      };
      try {
        return await guard.run(
          { operation: operation.id, isRepeatable: false, endsAt: deadline.endsAt },
          () =>
            attempt(
              operation,
              requestOf(operation, ask as AnyAsk, authorize, contexts, deadline.signal, form),
              deadline,
              read,
            ),
        );
      } catch (error) {
        signal.removeEventListener("abort", deadline.abort);
        throw error;
      } finally {
        deadline.settle();
      }
    },
  };
}

function requestOf(
  operation: Operation,
  ask: AnyAsk,
  authorize: Authorize,
  contexts: RequestContexts,
  signal: AbortSignal,
  form: StreamForm | undefined,
): UpstreamRequest {
  const { params, request, token, idempotencyKey, after = 0, file } = ask;
  const { method } = operation;
  const headers = authorize(operation, token);
  headers["accept"] = form?.accept ?? "application/json";
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  contexts.mark(headers);
  let path = pathOf(operation.path, params);
  if (after > 0) {
    if (operation.headers?.includes("Last-Event-ID")) headers["last-event-id"] = String(after);
    else path += `?after=${after}`;
  }
  const stream = form !== undefined;
  if (file) {
    Object.assign(headers, file.headers);
    return { method, path, headers, body: file.bytes, signal, stream };
  }
  if (request === undefined) return { method, path, headers, signal, stream };
  headers["content-type"] = "application/json";
  return { method, path, headers, body: JSON.stringify(request), signal, stream };
}

/** Fills the path's ids. They come from the service, and none gets into a path unless it is safe there. */
function pathOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  if (!path.includes(":")) return path;
  return path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const id = Id.safeParse(params[name]);
    if (!id.success) throw new Failure("internal", { cause: "an id that can't stand in a path" });
    return encodeURIComponent(id.data);
  });
}
