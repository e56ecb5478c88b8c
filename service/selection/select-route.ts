import { defined } from "../../shared/defined.ts";
import type { Route } from "../../shared/route.ts";
import type { Enabled } from "../store/workspaces.ts";

/** How long a selection may be cached, in seconds. It applies only to new conversations (contract). */
export const SELECTION_TTL_SECONDS = 300;

/** The targets that this process offers, in the operator's order. The first that can serve is the default. */
export interface Offer {
  readonly channels: readonly string[];
  readonly agents: readonly { readonly id: string; unavailable(): string | undefined }[];
  readonly adapters: readonly { readonly id: string }[];
}

/** The route that a client prefers. The service decides. */
export interface Wish {
  readonly channel?: string | undefined;
  readonly agentProvider?: string | undefined;
  readonly humanHandoffAdapter?: string | undefined;
}

export interface SelectedRoute extends Route {
  readonly reason: string;
}

/**
 * Selects a route from what the workspace has enabled. Ignores a preference for anything else, and says so in the reason.
 * Returns undefined if the workspace has no channel or no agent.
 */
export function selectRoute(offer: Offer, enabled: Enabled, wish: Wish): SelectedRoute | undefined {
  const reasons: string[] = [];
  const choose = (name: keyof Wish, usable: readonly string[]): string | undefined => {
    const asked = wish[name];
    if (asked === undefined) return usable[0];
    if (usable.includes(asked)) {
      reasons.push(`${name} as asked for`);
      return asked;
    }
    reasons.push(`${name} asked for is not available here, so the default stands`);
    return usable[0];
  };
  const adapters = offer.adapters.map(({ id }) => id);
  const channel = choose("channel", keep(offer.channels, enabled.channels));
  const agentProvider = choose("agentProvider", usableAgents(offer, enabled));
  const humanHandoffAdapter = choose("humanHandoffAdapter", keep(adapters, enabled.humanHandoffAdapters));
  if (channel === undefined || agentProvider === undefined) return undefined;
  return {
    channel,
    agentProvider,
    ...defined({ humanHandoffAdapter }),
    reason: reasons.length > 0 ? `${reasons.join("; ")}.` : "The workspace's default.",
  };
}

function keep(present: readonly string[], enabled: readonly string[] | undefined): readonly string[] {
  return enabled ? present.filter((id) => enabled.includes(id)) : present;
}

/** Returns the agents that can answer now, or all if none can, so that a temporary fault does not refuse customers. */
function usableAgents(offer: Offer, enabled: Enabled): readonly string[] {
  const ids = keep(
    offer.agents.map(({ id }) => id),
    enabled.agentProviders,
  );
  const able = offer.agents.filter((agent) => ids.includes(agent.id) && agent.unavailable() === undefined);
  return able.length > 0 ? able.map(({ id }) => id) : ids;
}
