import type { Route } from "../../shared/route.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import type { RouteWishes } from "../config.ts";
import type { UpstreamClient } from "./client.ts";
import { isRefused } from "./refused.ts";
import type { Verified } from "./verified.ts";

/** Who answers new conversations. `providerId` is set where the service has the older, combined selection alone. */
export interface Selection {
  readonly route: Route;
  readonly providerId?: string;
}

export interface SelectionQuestion {
  readonly serviceToken: string;
  readonly externalId: string;
  readonly locale: string | undefined;
  readonly wishes: RouteWishes;
}

/** A verified selection, whichever of the two forms the service has, and how to read it. */
export interface SelectedRoute {
  readonly answer: Verified<unknown>;
  readonly selection: Selection;
}

/** Asks support-selection, and where the service does not have it (404), provider-selection (contract, endpoints 3, 4). */
export async function selectRoute(
  upstream: UpstreamClient,
  question: SelectionQuestion,
): Promise<SelectedRoute> {
  try {
    return await selectSupport(upstream, question);
  } catch (error) {
    if (isRefused(error, 404)) return await selectProvider(upstream, question);
    throw error;
  }
}

async function selectSupport(upstream: UpstreamClient, question: SelectionQuestion): Promise<SelectedRoute> {
  const { serviceToken, externalId, locale, wishes } = question;
  const answer = await upstream.call({
    operation: supportSelection,
    request: { userID: externalId, ...(locale === undefined ? {} : { locale }), ...wishes },
    sent: { externalId },
    serviceToken,
  });
  const { channel, agentProvider, humanHandoffAdapter, reason } = answer.value;
  return {
    answer,
    selection: {
      route: {
        channel,
        agentProvider,
        ...(humanHandoffAdapter === undefined ? {} : { humanHandoffAdapter }),
        reason: reason.slice(0, 500),
      },
    },
  };
}

async function selectProvider(upstream: UpstreamClient, question: SelectionQuestion): Promise<SelectedRoute> {
  const { serviceToken, externalId, locale, wishes } = question;
  const answer = await upstream.call({
    operation: providerSelection,
    request: {
      userID: externalId,
      ...(locale === undefined ? {} : { locale }),
      ...(wishes.agentProvider === undefined ? {} : { provider: wishes.agentProvider }),
    },
    sent: { externalId },
    serviceToken,
  });
  const { provider, reason } = answer.value;
  // One combined provider is all three at once; whether it can bring a person, its own verified answer says later.
  const route = { channel: provider, agentProvider: provider, humanHandoffAdapter: provider };
  return {
    answer,
    selection: {
      route: { ...route, ...(reason === undefined ? {} : { reason: reason.slice(0, 500) }) },
      providerId: provider,
    },
  };
}
