import type { Routing } from "../bff/routing/decide.ts";
import { type RouteWish, TARGETS } from "../bff/routing/rule.ts";
import { DEFAULTS, faultOf } from "../bff/routing/settings.ts";
import type { Fault } from "../shared/server/environment.ts";

/** Sentences about settings that are valid but surely a mistake: rules after one that always matches. */
export function routingWarnings({ rules }: Routing): readonly string[] {
  const always = rules.findIndex(({ match }) => Object.keys(match).length === 0) + 1;
  if (always === 0 || always === rules.length) return [];
  return [`ROUTING rule ${always} holds for everyone, so the rules after it never win.`];
}

/** The targets that the service offers; a missing kind is unknown and not checked. */
export type OfferedTargets = { readonly [Target in keyof RouteWish]?: readonly string[] | undefined };

/** A fault for every default and every rule that requests a target which the service does not offer. */
export function findTargetFaults({ defaults, rules }: Routing, offered: OfferedTargets): readonly Fault[] {
  return TARGETS.flatMap((target) => {
    const known = offered[target] ?? [];
    const isMissing = (wish: RouteWish) =>
      offered[target] !== undefined && wish[target] !== undefined && !known.includes(wish[target]);
    const sentence = (wish: RouteWish) =>
      `asks for "${wish[target]}", but the service offers ${known.join(", ") || "none"}.`;
    return [
      ...(isMissing(defaults) ? [faultOf(DEFAULTS[target], sentence(defaults))] : []),
      ...rules.flatMap((rule, index) =>
        isMissing(rule) ? [faultOf("ROUTING", `rule ${index + 1}: ${target} ${sentence(rule)}`)] : [],
      ),
    ];
  });
}
