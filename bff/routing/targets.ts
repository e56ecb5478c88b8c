import { createFaultList, type RoutingFault } from "./fault.ts";
import { type RouteWish, type Rule, TARGETS } from "./rule.ts";
import { hint, joinWords, quote } from "./wording.ts";

/** What the service offers; a kind that is left out is not known and not checked. */
export interface OfferedTargets {
  readonly channel?: readonly string[] | undefined;
  readonly agentProvider?: readonly string[] | undefined;
  readonly humanHandoffAdapter?: readonly string[] | undefined;
}

/** The variable of each default target. */
const DEFAULT_OF = {
  channel: "SUPPORT_CHANNEL",
  agentProvider: "AGENT_PROVIDER",
  humanHandoffAdapter: "HANDOFF_ADAPTER",
} as const;

/** Every default and every rule that asks for a target which the service does not offer, all at once. */
export function checkTargets(
  routing: { readonly rules: readonly Rule[]; readonly defaults: RouteWish },
  offered: OfferedTargets,
): readonly RoutingFault[] {
  const faults: RoutingFault[] = [];
  for (const key of TARGETS) {
    const wrong = targetFault(key, routing.defaults, offered);
    if (wrong !== undefined) {
      const list = createFaultList(DEFAULT_OF[key], `${DEFAULT_OF[key]}=${offered[key]?.[0] ?? "default"}`);
      list.refuse(wrong, { key });
      faults.push(...list.faults);
    }
  }
  for (const { number, wish } of routing.rules) {
    for (const key of TARGETS) {
      const wrong = targetFault(key, wish, offered);
      if (wrong === undefined) continue;
      const list = createFaultList("ROUTING", `"${key}": "${offered[key]?.[0] ?? "default"}"`);
      list.refuse(`"${key}" ${wrong}`, { rule: number, key });
      faults.push(...list.faults);
    }
  }
  return faults;
}

function targetFault(
  key: (typeof TARGETS)[number],
  wish: RouteWish,
  offered: OfferedTargets,
): string | undefined {
  const asked = wish[key];
  const known = offered[key];
  if (asked === undefined || known === undefined || known.includes(asked)) return undefined;
  const otherwise = known.length === 0 ? "it offers none" : `it offers ${joinWords(known)}`;
  return `asks for ${quote(asked)}, which the service does not offer${hint(asked, known, otherwise)}`;
}
