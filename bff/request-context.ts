import { AsyncLocalStorage } from "node:async_hooks";
import type { Use } from "./gate/rate-limit.ts";
import { childOf, type Trace, traceparentOf } from "./gate/trace.ts";
import type { Random } from "./sessions/token.ts";
import type { UpstreamRequest } from "./upstream/transport.ts";

/** What calls to the service need to know of the browser's request that they are made for. */
export interface RequestContext {
  readonly trace: Trace;
  /** When the browser no longer waits, in milliseconds since 1970; undefined once it has its answer. */
  endsAt: number | undefined;
  /** Aborts when the browser leaves; undefined once it has its answer. */
  gone: (() => AbortSignal) | undefined;
  /** Calls to the service so far. */
  calls: number;
  /** What the last of them came to: `ok` or a failure's code. */
  outcome: string | undefined;
  /** The rate limits that this request counted in. */
  readonly uses: Use[];
}

/**
 * The context of a request, found by whatever runs for it. It is not handed down by parameter, because it must reach the
 * one place where calls leave past everything that has no business with it.
 */
export interface RequestContexts {
  run<T>(context: RequestContext, work: () => T): T;
  current(): RequestContext | undefined;
  /** Adds the trace of the current request to one for the service, with a span of its own. */
  mark(request: UpstreamRequest): UpstreamRequest;
}

export function createRequestContexts(random: Random): RequestContexts {
  const storage = new AsyncLocalStorage<RequestContext>();
  return {
    run: (context, work) => storage.run(context, work),
    current: () => storage.getStore(),
    mark(request) {
      const context = storage.getStore();
      if (!context) return request;
      context.calls += 1;
      const traceparent = traceparentOf(childOf(context.trace, random));
      return { ...request, headers: { ...request.headers, traceparent } };
    },
  };
}
