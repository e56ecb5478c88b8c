import type * as z from "zod/mini";
import { Failure } from "../../shared/errors.ts";
import { isId } from "../../shared/id.ts";
import type { ParamsOf, RequestOf, Sent, StreamForm } from "../../shared/operation.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { RequestContexts } from "../request/request-context.ts";
import type { CallGuard, Tried } from "./call-guard.ts";
import type { Authorize } from "./credential.ts";
import { isRefused, meaningOf, refusalOf } from "./failure.ts";
import { type FileUpload, outgoingFile } from "./files.ts";
import type { Transport, UpstreamAnswer, UpstreamRequest } from "./transport.ts";
import { type Operation, type Verified, verify, verifyInPieces } from "./verified.ts";

/** What a call takes beside the ids and the body of its operation. */
export interface Options {
  readonly token?: string;
  readonly idempotencyKey?: string;
  /** The service declared `idempotency`: a call with a key may be repeated. */
  readonly honoursKeys?: boolean;
  /** The seq after which a stream begins. */
  readonly after?: number;
  readonly page?: Readonly<Partial<Record<"after" | "before" | "limit", number | string>>> | undefined;
  /** The body, where the operation takes a file. */
  readonly file?: FileUpload;
}

type Given<Name extends string, T> = T extends undefined
  ? { readonly [N in Name]?: undefined }
  : { readonly [N in Name]: T };

export type Ask<O extends Operation> = Options &
  Given<"params", keyof ParamsOf<O> extends never ? undefined : ParamsOf<O>> &
  Given<"request", RequestOf<O>>;

type AnyAsk = Options & {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly request?: unknown;
};

export type UpstreamClient = ReturnType<typeof createUpstreamClient>;

/** Makes every call to the service, from the operation's record in `shared/v1`. */
export function createUpstreamClient(deps: {
  readonly transport: Transport;
  readonly authorize: Authorize;
  readonly clock: Clock;
  readonly log: Log;
  readonly guard: CallGuard;
  /** The request of a browser that a call is made for. */
  readonly contexts: RequestContexts;
  /** Replaces the time limit of every operation, in milliseconds; for tests. */
  readonly totalMs?: number;
}) {
  const { clock, log, authorize, guard, contexts, transport } = deps;

  /**
   * The time limit of one call; with `endsWithBrowser` never longer than the browser waits. A browser that leaves ends a
   * call that only reads. Any other call goes on: its answer is the only proof, and the customer's next try asks for it.
   */
  function deadlineOf(operation: Operation, ms: number, endsWithBrowser: boolean) {
    const browser = contexts.getStore();
    const latest = clock.now() + ms;
    const endsAt = endsWithBrowser ? Math.min(latest, browser?.endsAt ?? latest) : latest;
    const control = new AbortController();
    const abort = () => control.abort();
    let isLate = false;
    const cancel = clock.after(Math.max(0, endsAt - clock.now()), () => {
      isLate = true;
      abort();
    });
    const gone = operation.method === "GET" ? browser?.gone?.() : undefined;
    gone?.addEventListener("abort", abort, { once: true });
    if (gone?.aborted) abort();
    return {
      endsAt,
      signal: control.signal,
      isLate: () => isLate,
      abort,
      /** The call is over: from now on only `abort` ends what it opened. */
      settle() {
        cancel();
        gone?.removeEventListener("abort", abort);
      },
    };
  }
  type Deadline = ReturnType<typeof deadlineOf>;

  interface Call<T> {
    readonly operation: Operation;
    readonly ask: AnyAsk;
    readonly deadline: Deadline;
    readonly send: Transport["call"];
    readonly read: (answer: UpstreamAnswer) => T | Promise<T>;
    readonly form?: StreamForm;
    readonly file?: ReturnType<typeof outgoingFile> | undefined;
  }

  /** Makes one request, and reports what came of it and what that says about the service. */
  async function attempt<T>(call: Call<T>): Promise<Tried<T>> {
    const { operation, deadline, file } = call;
    const context = contexts.getStore();
    const request = requestOf(call);
    let answer: UpstreamAnswer | undefined;
    try {
      answer = await call.send(request);
      if (answer.status >= 400) throw await refusalOf(operation, answer);
      const value = await call.read(answer);
      if (context) context.outcome = "ok";
      return { value, sign: "alive" };
    } catch (error) {
      const isLate = deadline.isLate();
      const failure = meaningOf(error, { isLate, isAnswered: answer !== undefined });
      if (!(failure instanceof Failure)) throw failure;
      const { code, cause } = failure;
      if (context) context.outcome = code;
      if (deadline.signal.aborted && !isLate) throw failure;
      const why = typeof cause === "string" ? cause : undefined;
      const facts = { operation: operation.id, answered: answer?.status, code, why };
      if (!isRefused(failure, ...(operation.absent ?? []))) log.warn(facts, "support call failed");
      if (file && !file.sent()) return { failure, sign: "idle" };
      const isBroken = isLate || !(error instanceof Failure) || error.code === "support_unreachable";
      return { failure, sign: isBroken ? "broken" : "alive" };
    }
  }

  async function make<T>(call: Call<T>): Promise<T> {
    const { operation, ask, deadline, form } = call;
    const isKept = operation.retry === "always" || (operation.retry === "keyed" && ask.honoursKeys === true);
    const guarded = { operation: operation.id, isRepeatable: isKept && !form, endsAt: deadline.endsAt };
    try {
      return await guard.run(guarded, () => attempt(call));
    } finally {
      deadline.settle();
    }
  }

  function requestOf(call: Call<unknown>): UpstreamRequest {
    const { operation, ask, form, file } = call;
    const { signal } = call.deadline;
    const { params, request, token, idempotencyKey, after = 0, page } = ask;
    const headers = authorize(operation, token);
    headers["accept"] = form?.accept ?? "application/json";
    headers["accept-encoding"] = "identity";
    if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
    const context = contexts.getStore();
    if (context) {
      context.calls += 1;
      headers["x-request-id"] = context.requestId;
    }
    if (after > 0) headers["last-event-id"] = String(after);
    const path = pathOf(operation.path, params) + queryOf(page);
    const { method } = operation;
    if (file) return { method, path, headers: { ...headers, ...file.headers }, signal, body: file.bytes };
    if (request === undefined) return { method, path, headers, signal };
    headers["content-type"] = "application/json";
    return { method, path, headers, signal, body: JSON.stringify(request) };
  }

  return {
    /**
     * Makes one call and believes its answer only if it verifies.
     * @throws Failure not_confirmed, support_unreachable, support_timeout, storage_full; Refused
     */
    call<O extends Operation>(operation: O, ask: Ask<O>): Promise<Verified<z.output<O["answer"]>>> {
      const { params = {}, request } = ask as AnyAsk;
      const file = ask.file && outgoingFile(ask.file);
      // A file may take longer than other calls, and its browser waits for it.
      const deadline = deadlineOf(operation, deps.totalMs ?? operation.limits.timeMs, !file);
      const read = async (given: UpstreamAnswer) => {
        const { status, mediaType } = given;
        const answer = { status, mediaType, bytes: await given.read(operation.limits.answerBytes) };
        const sent = { params, request, upload: file?.sent() } as Sent<O>;
        return operation.longList ? verifyInPieces(operation, sent, answer) : verify(operation, sent, answer);
      };
      return make({ operation, ask: ask as AnyAsk, deadline, send: transport.call, read, file });
    },

    /** Opens the stream of an operation that has one: its head within its time, then no limit. Throws as `call` does. */
    open<O extends Operation & { readonly stream: StreamForm }>(
      operation: O,
      ask: Ask<O>,
      signal?: AbortSignal,
    ): Promise<UpstreamAnswer> {
      const { stream: form } = operation;
      // A stream with a time limit of its own does not end when its browser stops waiting.
      const ms = form.headMs ?? deps.totalMs ?? operation.limits.timeMs;
      const deadline = deadlineOf(operation, ms, form.headMs === undefined);
      signal?.addEventListener("abort", deadline.abort, { once: true });
      if (signal?.aborted) deadline.abort();
      const read = (answer: UpstreamAnswer) => {
        const { status, mediaType } = answer;
        if (form.statuses.includes(status) && form.mediaTypes.includes(mediaType)) return answer;
        answer.discard();
        throw new Failure("not_confirmed", { cause: `status ${status}, no such stream` });
      };
      return make({ operation, ask: ask as AnyAsk, deadline, send: transport.open, read, form });
    },
  };
}

function queryOf(page: Options["page"] = {}): string {
  const query = Object.entries(page).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return query.length > 0 ? `?${query.join("&")}` : "";
}

/** Fills the path's ids. They come from the service, and none gets into a path unless it is safe there. */
function pathOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  let filled = path;
  for (const [name, id] of Object.entries(params)) {
    if (!isId(id)) throw new Failure("internal", { cause: "an id that can't stand in a path" });
    filled = filled.replace(`:${name}`, encodeURIComponent(id));
  }
  return filled;
}
