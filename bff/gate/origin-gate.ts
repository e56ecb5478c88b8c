import { Failure } from "../../shared/errors.ts";

export interface OriginFacts {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/** Throws for a request that no page of ours can have sent; before anything else looks at it. */
export type OriginGate = (facts: OriginFacts) => void;

/**
 * Refuses where CORS headers would only hide the answer: by then the handler has run.
 * An `Origin` must be on the list, byte for byte; `null` never is. What changes something must name one. What only reads
 * may lack it when the browser says same-origin, or when it is no browser at all.
 *
 * @throws Failure origin_not_allowed
 */
export function createOriginGate(origins: readonly string[]): OriginGate {
  const allowed: ReadonlySet<string> = new Set(origins);
  return ({ method, origin, fetchSite }) => {
    if (origin !== undefined) {
      if (!allowed.has(origin)) throw new Failure("origin_not_allowed");
      return;
    }
    const isSafe = method === "GET" || method === "HEAD";
    if (!isSafe || (fetchSite !== undefined && fetchSite !== "same-origin")) {
      throw new Failure("origin_not_allowed");
    }
  };
}
