import { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../../shared/server/random.ts";
import type { LimitRule } from "../store/use-counts.ts";
import { childOf, type Trace, traceparentOf } from "./trace.ts";

/** Where a limit's key stands after one use of it. */
export interface Use {
  readonly rule: LimitRule;
  readonly remaining: number;
  /** Seconds until the oldest use no longer counts. */
  readonly resetSeconds: number;
  readonly isRefused: boolean;
}

/** What calls to the service need to know about the browser's request that they are made for. */
export interface RequestContext {
  /** The id of the request in our logs; the service logs its calls under the same one. */
  readonly requestId: string;
  readonly trace: Trace;
  /** When the browser no longer waits, in milliseconds since 1970; undefined once it has its answer. */
  endsAt: number | undefined;
  /** Aborts when the browser leaves; undefined once it has its answer. */
  gone: (() => AbortSignal) | undefined;
  /** Calls to the service so far. */
  calls: number;
  /** The outcome of the last call: `ok` or a failure's code. */
  outcome: string | undefined;
  /** The rate limits that this request counted in. */
  readonly uses: Use[];
}

/**
 * The context of the current request. It is not a parameter, because it must reach the one place where calls leave through
 * everything that has no business with it.
 */
export interface RequestContexts {
  run<T>(context: RequestContext, work: () => T): T;
  current(): RequestContext | undefined;
  /** The ids of the current request, for a log entry. */
  ids(): { readonly requestId?: string };
  /** Counts a call to the service, and adds the request's id and a span of its trace to the call's headers. */
  mark(headers: Record<string, string>): void;
}

export function createRequestContexts(random: Random): RequestContexts {
  const storage = new AsyncLocalStorage<RequestContext>();
  return {
    run: (context, work) => storage.run(context, work),
    current: () => storage.getStore(),
    ids() {
      const context = storage.getStore();
      return context ? { requestId: context.requestId } : {};
    },
    mark(headers) {
      const context = storage.getStore();
      if (!context) return;
      context.calls += 1;
      headers["x-request-id"] = context.requestId;
      headers["traceparent"] = traceparentOf(childOf(context.trace, random));
    },
  };
}
