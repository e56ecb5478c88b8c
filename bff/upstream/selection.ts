import type { Route } from "../../shared/route.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import type { RouteWish } from "../routing/rule.ts";
import type { UpstreamClient } from "./client.ts";
import { isRefused } from "./failure.ts";
import type { Verified } from "./verified.ts";

export interface SelectionQuestion {
  readonly serviceToken: string;
  readonly externalId: string;
  readonly locale: string | undefined;
  readonly wish: RouteWish;
}

/** A verified selection, whichever of the two forms the service has, and how to read it. */
export interface SelectedRoute {
  readonly answer: Verified<unknown>;
  /** Who answers new conversations. */
  readonly route: Route;
  /** Set where the service has only the older, combined selection. */
  readonly providerId: string | undefined;
  /** How long the answer holds; 0 where the service does not say. */
  readonly ttlSeconds: number;
}

/** Asks support-selection, and where the service does not have it (404, 405), provider-selection (contract, endpoints 3, 4). */
export async function selectRoute(
  upstream: UpstreamClient,
  question: SelectionQuestion,
): Promise<SelectedRoute> {
  try {
    return await selectSupport(upstream, question);
  } catch (error) {
    if (isRefused(error, 404) || isRefused(error, 405)) return await selectProvider(upstream, question);
    throw error;
  }
}

async function selectSupport(upstream: UpstreamClient, question: SelectionQuestion): Promise<SelectedRoute> {
  const { serviceToken, externalId, locale, wish } = question;
  const answer = await upstream.call(supportSelection, {
    request: { userID: externalId, ...(locale === undefined ? {} : { locale }), ...wish },
    token: serviceToken,
  });
  const { channel, agentProvider, humanHandoffAdapter, reason, ttlSeconds } = answer.value;
  return {
    answer,
    route: {
      channel,
      agentProvider,
      ...(humanHandoffAdapter === undefined ? {} : { humanHandoffAdapter }),
      reason: reason.slice(0, 500),
    },
    providerId: undefined,
    ttlSeconds,
  };
}

async function selectProvider(upstream: UpstreamClient, question: SelectionQuestion): Promise<SelectedRoute> {
  const { serviceToken, externalId, locale, wish } = question;
  const answer = await upstream.call(providerSelection, {
    request: {
      userID: externalId,
      ...(locale === undefined ? {} : { locale }),
      ...(wish.agentProvider === undefined ? {} : { provider: wish.agentProvider }),
    },
    token: serviceToken,
  });
  const { provider, reason, ttlSeconds = 0 } = answer.value;
  // One combined provider is all three at once; whether it can bring a person, its own verified answer says later.
  const route = { channel: provider, agentProvider: provider, humanHandoffAdapter: provider };
  return {
    answer,
    route: { ...route, ...(reason === undefined ? {} : { reason: reason.slice(0, 500) }) },
    providerId: provider,
    ttlSeconds,
  };
}
