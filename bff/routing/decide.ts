import { isOpen, type SupportHours } from "./hours.ts";
import { type MatchKey, missesOf, type RouteContext } from "./match.ts";
import type { RouteWish, Rule } from "./rule.ts";

/** The owner's whole, valid routing configuration. Immutable: a new configuration is a new object. */
export interface Routing {
  readonly rules: readonly Rule[];
  readonly defaults: RouteWish;
  readonly hours: SupportHours | undefined;
}

export type RouteDecision = ReturnType<typeof decideRoute>;

/**
 * Decides by the first rule that matches; its targets replace the defaults one by one. Pure: the same routing, context
 * and time give the same decision.
 *
 * @param now milliseconds since 1970, for the hours
 * @returns what to request from the service's selection, and why: the winning rule, counted from 1, or null for the
 * defaults; its reason; and the rules before it with the keys that did not match. No value is named, so it may be logged
 */
export function decideRoute(routing: Routing, context: RouteContext, now: number) {
  const { rules, defaults } = routing;
  const hours = routing.hours && (isOpen(routing.hours, now) ? "open" : "closed");
  const trace: { rule: number; misses: readonly MatchKey[] }[] = [];
  for (const [index, { match, trust, reason, ...wish }] of rules.entries()) {
    const misses = missesOf(match, { ...context, hours, trustsPage: trust === "page" });
    const rule = index + 1;
    if (misses.length === 0) {
      return { wish: { ...defaults, ...wish }, rule, reason: reason ?? `routing rule ${rule}`, trace };
    }
    trace.push({ rule, misses });
  }
  return { wish: defaults, rule: null, reason: "no routing rule matches", trace };
}
