import { Failure } from "../../shared/errors.ts";

export interface OriginFacts {
  readonly method: string;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

/** Throws for a request that no allowed page can have sent. */
export type OriginGate = (facts: OriginFacts) => void;

/**
 * Refuses a request before its handler runs; CORS headers would only hide the answer. An `Origin` must be on the list,
 * byte for byte, and `null` never is. A request that changes something must have one. A reading one may lack it when the
 * browser says same-origin, or when the client is not a browser.
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
