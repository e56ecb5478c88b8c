import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { Failure } from "../../shared/errors.ts";
import { mediaTypeOf, retryAfterOf, tooLarge, type UpstreamAnswer } from "./transport.ts";

/**
 * Makes a call and resolves with the head of its answer. With `waits` the rest stays in the socket until somebody reads it;
 * without, it arrives meanwhile. `signal` ends it at any time. Rejects when there is no answer.
 */
export function answerOf(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  { waits }: { readonly waits: boolean },
): Promise<UpstreamAnswer> {
  const answer = new PoolAnswer(waits);
  signal.addEventListener("abort", () => answer.fail(signal.reason), { once: true });
  if (signal.aborted) answer.fail(signal.reason);
  else pool.dispatch(options, answer);
  return answer.head;
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/**
 * An answer and its handler at undici in one object. A Node stream and its iterator cost more than the rest of a call, and
 * hold 4 kB for each stream that stays open.
 */
class PoolAnswer implements UpstreamAnswer, Dispatcher.DispatchHandler {
  readonly head: Promise<PoolAnswer>;
  status = 0;
  mediaType = "";
  retryAfter: number | undefined;
  date: string | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #isOver = false;
  readonly #waits: boolean;
  #take: ((chunk: Uint8Array) => void) | undefined;
  /** What arrived before anybody read. */
  readonly #early: Uint8Array[] = [];
  /** Whoever waits: first for the head, then for the end. */
  #waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void };

  constructor(waits: boolean) {
    const { promise, resolve, reject } = Promise.withResolvers<PoolAnswer>();
    this.#waits = waits;
    this.head = promise;
    this.#waiting = { resolve: () => resolve(this), reject };
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting.reject(this.#failure);
    this.#controller?.abort(this.#failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The signal may have aborted while the call waited for a connection.
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.status = status;
    this.mediaType = mediaTypeOf(first(headers["content-type"]));
    this.date = first(headers.date);
    this.retryAfter = retryAfterOf(first(headers["retry-after"]), this.date);
    // A buffer for each name and value, which nobody reads again.
    controller.rawHeaders = null;
    if (status < 400 && !/^(?:identity)?$/i.test(String(headers["content-encoding"] ?? "")))
      this.fail(new Failure("not_confirmed", { cause: "compressed" }));
    else if (this.#waits) controller.pause();
    this.#waiting.resolve();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#take) this.#take(chunk);
    else this.#early.push(chunk);
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#waiting.resolve();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  each(take: (chunk: Uint8Array) => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting = { resolve, reject };
    for (const chunk of this.#early.splice(0)) take(chunk);
    this.#take = take;
    if (this.#failure) reject(this.#failure);
    else if (this.#isOver) resolve();
    else this.#controller?.resume();
    return promise;
  }

  /** Chunks wait in the socket while their reader is slow. */
  get body(): AsyncIterable<Uint8Array> {
    const body = new Readable({
      read: () => this.#controller?.resume(),
      destroy: (error, done) => {
        this.discard();
        done(error);
      },
    });
    // A failure before anybody reads is reported as an `error` event, which without a listener would end the process.
    body.on("error", () => undefined);
    const take = (chunk: Uint8Array) => {
      if (!body.push(chunk)) this.#controller?.pause();
    };
    this.each(take).then(
      () => body.push(null),
      (error: Error) => body.destroy(error),
    );
    return body;
  }

  read(limit: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const end = this.each((chunk) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > limit) this.fail(tooLarge(limit));
    });
    return end.then(() => Buffer.concat(chunks, size));
  }

  discard(): void {
    this.fail(new Error("discarded"));
  }
}
