import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { headOf } from "./collected-answer.ts";
import { readBounded, type UpstreamStream } from "./transport.ts";

/**
 * Makes a call whose answer is read as it arrives, and resolves with its head. `signal` ends it at any time.
 * Rejects when there is no answer.
 */
export async function openAnswer(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<UpstreamStream> {
  const answer = new OpenAnswer();
  signal.addEventListener("abort", () => answer.fail(signal.reason), { once: true });
  if (signal.aborted) answer.fail(signal.reason);
  else pool.dispatch(options, answer);
  await answer.head;
  return answer;
}

/**
 * An answer and its handler at undici in one object. A Node stream and its iterator hold 4 kB for each stream that stays
 * open, a handler of closures another one.
 */
class OpenAnswer implements UpstreamStream, Dispatcher.DispatchHandler {
  readonly head: Promise<void>;
  status = 0;
  mediaType = "";
  retryAfter: number | undefined;
  date: string | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #isOver = false;
  #take: ((chunk: Uint8Array) => void) | undefined;
  /** Whoever waits: first for the head, then for the end. */
  #waiting: Pick<PromiseWithResolvers<void>, "resolve" | "reject">;

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.head = promise;
    this.#waiting = { resolve, reject };
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
    Object.assign(this, headOf(status, headers));
    // A buffer for each name and value, which nobody reads again.
    controller.rawHeaders = null;
    // Until somebody reads, the rest stays in the socket.
    controller.pause();
    this.#waiting.resolve();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#take?.(chunk);
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
    this.#take = take;
    this.#waiting = { resolve, reject };
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
    return readBounded(this.body, limit);
  }

  discard(): void {
    this.fail(new Error("discarded"));
  }
}
