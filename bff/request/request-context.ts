import type { AsyncLocalStorage } from "node:async_hooks";
import type { Random } from "../../shared/server/random.ts";
import type { LimitRule } from "../../shared/server/use-counts.ts";
import { createKeyedHash } from "../store/keyed-hash.ts";
import type { Store } from "../store/store.ts";

export interface Use {
  readonly rule: LimitRule;
  readonly remaining: number;
  /** Seconds until the oldest use no longer counts. */
  readonly resetSeconds: number;
  readonly isRefused: boolean;
}

/** The facts about the browser's request that calls to the service need. */
export interface RequestContext {
  /** The id of the request in our logs; the service logs its calls under the same one. */
  readonly requestId: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** The path of the operation's record; `none` until the operation is known. */
  route: string;
  who: string | undefined;
  /** When the browser stops waiting, in milliseconds since 1970; undefined once it has its answer. */
  endsAt: number | undefined;
  /** Aborts when the browser leaves; undefined once it has its answer. */
  gone: (() => AbortSignal) | undefined;
  /** Calls to the service so far. */
  calls: number;
  /** The outcome of the last call: `ok` or a failure's code. */
  outcome: string | undefined;
  /** The rate limit nearest to its maximum, among those that this request counted in. */
  tightest: Use | undefined;
}

/** The current request's context. Not a parameter, because everything on the way to the service would pass it on. */
export type RequestContexts = AsyncLocalStorage<RequestContext>;

/** The name of a customer in the log. The same object is looked up once. */
type Who = (customer: { readonly externalId: string }) => Promise<string>;

/**
 * Names customers in the log by a keyed hash: it joins the entries of one customer, and nobody can compute it from an id
 * without the key. While the store fails the name is `unknown`, because no request may fail for its log entry.
 */
export function createWho(store: Store, random: Random): Who {
  const names = new WeakMap<object, string>();
  const hash = createKeyedHash(store, random, "who-key");
  return async (customer) => {
    const known = names.get(customer);
    if (known !== undefined) return known;
    const hashed = await hash(customer.externalId).catch(() => undefined);
    if (hashed === undefined) return "unknown";
    const name = hashed.toString("base64url").slice(0, 12);
    names.set(customer, name);
    return name;
  };
}
