import type { Routing } from "./decide.ts";

/** Remembers of which rules it was said that the service gives something else, so that it is said once. */
export interface RoutingDoubts {
  /** True the first time for this rule of this routing; null is the default route. */
  isFirst(routing: Routing, rule: number | null): boolean;
}

/** A new routing begins without any. */
export function createRoutingDoubts(): RoutingDoubts {
  const told = new WeakMap<Routing, Set<number | null>>();
  return {
    isFirst(routing, rule) {
      const rules = told.get(routing) ?? new Set();
      told.set(routing, rules);
      if (rules.has(rule)) return false;
      rules.add(rule);
      return true;
    },
  };
}
