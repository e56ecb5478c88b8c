import { isOpen, type SupportHours } from "./hours.ts";
import { type MatchKey, missesOf, type RouteContext } from "./match.ts";
import type { RouteWish, Rule } from "./rule.ts";

/** The owner's whole routing configuration, valid. It never changes; a new configuration is a new one. */
export interface Routing {
  readonly rules: readonly Rule[];
  readonly defaults: RouteWish;
  readonly hours: SupportHours | undefined;
}

export interface RouteDecision {
  /** What to ask the service's selection for; an empty wish leaves it to the service. */
  readonly wish: RouteWish;
  /** The winning rule, counted from 1; null where none holds and the defaults do. */
  readonly rule: number | null;
  /** The rule's own reason, or which rule it was. Names no customer and no value. */
  readonly reason: string;
  /** The rules before the winner, each with the dimensions that did not hold. Holds no value, so it may be logged. */
  readonly trace: readonly { readonly rule: number; readonly misses: readonly MatchKey[] }[];
}

/**
 * Decides by the first rule that holds; its targets go over the defaults one by one. Pure and without surprise: the same
 * routing, context and instant give the same decision.
 *
 * @param now milliseconds since 1970, for the hours
 */
export function decideRoute(routing: Routing, context: RouteContext, now: number): RouteDecision {
  const { rules, defaults, hours } = routing;
  let open: boolean | undefined;
  const askOpen = () => {
    if (hours === undefined) return undefined;
    open ??= isOpen(hours, now);
    return open;
  };
  const trace: { rule: number; misses: readonly MatchKey[] }[] = [];
  for (const { number, match, wish, reason } of rules) {
    const misses = missesOf(match, context, askOpen);
    if (misses.length === 0) {
      return {
        wish: { ...defaults, ...wish },
        rule: number,
        reason: reason ?? `routing rule ${number}`,
        trace,
      };
    }
    trace.push({ rule: number, misses });
  }
  return { wish: defaults, rule: null, reason: "no routing rule holds", trace };
}
