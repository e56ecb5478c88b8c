import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { joined, mediaTypeOf, retryAfterOf, tooLarge, type UpstreamAnswer } from "./transport.ts";

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

export function headOf(status: number, headers: IncomingHttpHeaders) {
  return {
    status,
    mediaType: mediaTypeOf(first(headers["content-type"])),
    retryAfter: retryAfterOf(first(headers["retry-after"])),
    date: first(headers.date),
  };
}

/**
 * Makes one call whose answer is read as a whole. Collects the chunks from undici's parser itself, because a Node stream
 * and its iterator cost more than the rest of a call.
 */
export function collect(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const head = Promise.withResolvers<UpstreamAnswer>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  let failure: Error | undefined;
  let controller: Dispatcher.DispatchController | undefined;
  let reader: (PromiseWithResolvers<Uint8Array> & { readonly limit: number }) | undefined;

  function fail(error: Error): void {
    failure ??= error;
    head.reject(failure);
    reader?.reject(failure);
    controller?.abort(failure);
  }
  function tellReader(): void {
    if (!reader) return;
    if (failure) reader.reject(failure);
    else if (size > reader.limit) fail(tooLarge(reader.limit));
    else if (isOver) reader.resolve(joined(chunks, size));
  }
  function read(limit: number): Promise<Uint8Array> {
    reader = { ...Promise.withResolvers<Uint8Array>(), limit };
    tellReader();
    return reader.promise;
  }

  signal.addEventListener("abort", () => fail(signal.reason), { once: true });
  if (signal.aborted) fail(signal.reason);
  else
    pool.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        // The signal may have aborted while the call waited for a connection.
        if (failure) started.abort(failure);
      },
      onResponseStart(_, status, headers) {
        if (status < 200) return;
        head.resolve({ ...headOf(status, headers), read, discard: () => fail(new Error("discarded")) });
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
        size += chunk.byteLength;
        tellReader();
      },
      onResponseEnd() {
        isOver = true;
        tellReader();
      },
      onResponseError: (_, error) => fail(error),
    });
  return head.promise;
}
