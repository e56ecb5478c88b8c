import type { FetchLike } from "@modelcontextprotocol/client";

/** The largest answer that is read, in bytes: a list of some hundred tools fits. */
const MAX_ANSWER_BYTES = 1_000_000;

export interface BoundedFetch {
  readonly fetch: FetchLike;
  /** Whether a call of a tool has left this process. */
  readonly hasCalled: () => boolean;
}

/**
 * A `fetch` for one connection to a server of tools: it reads answers up to a size only, and opens no stream that merely
 * listens. With `once` it sends one call of a tool and refuses any other, whatever the client library would repeat.
 */
export function createBoundedFetch(send: FetchLike, options: { readonly once: boolean }): BoundedFetch {
  let calls = 0;
  return {
    hasCalled: () => calls > 0,
    async fetch(url, init) {
      const headers = new Headers(init?.headers);
      // Nothing here listens to notifications. With an id it is the rest of an answer that broke off.
      if (init?.method === "GET" && isEventStream(headers) && !headers.has("last-event-id")) {
        return new Response(null, { status: 405 });
      }
      if (isToolCall(init?.body)) {
        if (options.once && calls > 0) throw new Error("An action is never sent twice.");
        calls += 1;
      }
      return bounded(await send(url, init));
    },
  };
}

function isEventStream(headers: Headers): boolean {
  return headers.get("accept")?.includes("text/event-stream") ?? false;
}

function isToolCall(body: unknown): boolean {
  return typeof body === "string" && /"method"\s*:\s*"tools\/call"/.test(body);
}

/** The answer, whose body fails beyond the limit. */
function bounded(answer: Response): Response {
  if (!answer.body) return answer;
  let bytes = 0;
  const body = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ANSWER_BYTES) controller.error(new Error("The answer is too large."));
        else controller.enqueue(chunk);
      },
    }),
  );
  const { status, statusText, headers } = answer;
  const copy = new Response(body, { status, statusText, headers });
  // The client library resolves redirects and addresses of metadata against it.
  Object.defineProperty(copy, "url", { value: answer.url });
  return copy;
}
