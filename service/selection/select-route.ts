import type { Route } from "../../shared/route.ts";
import type { Enabled } from "../store/workspaces.ts";

/** How long a selection may be cached, in seconds. It holds for new conversations only (contract). */
export const SELECTION_TTL_SECONDS = 300;

/** What this process has, in the operator's order: the first that can serve is the default. */
export interface Offer {
  readonly channels: readonly string[];
  readonly agents: readonly { readonly id: string; unavailable(): string | undefined }[];
  readonly adapters: readonly { readonly id: string }[];
}

/** What a client asks for. A wish: the answer decides. */
export interface Wish {
  readonly channel?: string | undefined;
  readonly agentProvider?: string | undefined;
  readonly humanHandoffAdapter?: string | undefined;
}

export interface SelectedRoute extends Route {
  readonly reason: string;
}

/** What the workspace's customers can be given, whether it could answer this very moment or not. */
export function offeredIn(
  { channels, agents, adapters }: { [K in keyof Offer]: readonly string[] },
  enabled: Enabled,
) {
  return {
    channels: keep(channels, enabled.channels),
    agentProviders: keep(agents, enabled.agentProviders),
    humanHandoffAdapters: keep(adapters, enabled.humanHandoffAdapters),
  };
}

/**
 * Selects a route from what the workspace has enabled. A wish for something else is not honoured, and the reason says
 * so. Undefined when the workspace has no channel or no agent at all.
 */
export function selectRoute(offer: Offer, enabled: Enabled, wish: Wish): SelectedRoute | undefined {
  const reasons: string[] = [];
  const choose = (name: string, usable: readonly string[], asked: string | undefined): string | undefined => {
    if (asked === undefined) return usable[0];
    if (usable.includes(asked)) {
      reasons.push(`${name} as asked for`);
      return asked;
    }
    reasons.push(`${name} asked for is not available here, so the default stands`);
    return usable[0];
  };
  const channel = choose("channel", keep(offer.channels, enabled.channels), wish.channel);
  const agentProvider = choose("agentProvider", usableAgents(offer, enabled), wish.agentProvider);
  const adapter = choose(
    "humanHandoffAdapter",
    keep(
      offer.adapters.map(({ id }) => id),
      enabled.humanHandoffAdapters,
    ),
    wish.humanHandoffAdapter,
  );
  if (channel === undefined || agentProvider === undefined) return undefined;
  return {
    channel,
    agentProvider,
    ...(adapter === undefined ? {} : { humanHandoffAdapter: adapter }),
    reason: reasons.length > 0 ? `${reasons.join("; ")}.` : "The workspace's default.",
  };
}

function keep(present: readonly string[], enabled: readonly string[] | undefined): readonly string[] {
  return enabled ? present.filter((id) => enabled.includes(id)) : present;
}

/** Those that can answer now; all of them where none can, so that a customer is not turned away for a passing fault. */
function usableAgents(offer: Offer, enabled: Enabled): readonly string[] {
  const ids = keep(
    offer.agents.map(({ id }) => id),
    enabled.agentProviders,
  );
  const able = offer.agents.filter((agent) => ids.includes(agent.id) && agent.unavailable() === undefined);
  return able.length > 0 ? able.map(({ id }) => id) : ids;
}
