import { defined } from "../../shared/defined.ts";
import type { Route } from "../../shared/route.ts";
import { providerSelection } from "../../shared/v1/provider-selection.ts";
import { supportSelection } from "../../shared/v1/support-selection.ts";
import { decideRoute, type RouteDecision } from "../routing/decide.ts";
import { type RouteWish, TARGETS } from "../routing/rule.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { Session } from "../sessions/sessions.ts";
import { hashToken } from "../sessions/token.ts";
import type { UpstreamClient } from "../upstream/client.ts";
import { isRefused } from "../upstream/failure.ts";
import type { LinkDeps } from "./link-deps.ts";

type Deps = Pick<LinkDeps, "upstream" | "routing" | "clock" | "log">;

/** Longest reason that is stored, in characters. */
const MAX_REASON = 500;

type KnownCustomer = Pick<SessionFacts, "customer" | "locale" | "page" | "signed" | "pageTraits">;

/**
 * The selection that a conversation may start with now: the session's own while it is valid and would be requested in
 * the same way, otherwise a new one (ROUTE4). After a renewal the service has no selection for the new session token.
 */
export async function selectionForStart(
  deps: Deps & Pick<LinkDeps, "sessions">,
  session: Session,
  serviceToken: string,
): Promise<Pick<SessionFacts, "route" | "providerId">> {
  const decision = decideFor(deps, session);
  if (isFresh(session, decision.wish, serviceToken, deps.clock.now())) return session;
  const { selection } = await selectForCustomer(deps, session, serviceToken, decision);
  await deps.sessions.changeFacts(session, selection);
  return selection;
}

/** Asks the service for the route that the owner's rules want for this customer; its verified answer decides (ROUTE1). */
export async function selectForCustomer(
  deps: Deps,
  known: KnownCustomer,
  serviceToken: string,
  decision = decideFor(deps, known),
) {
  const { rule, reason, trace, wish } = decision;
  deps.log.info({ rule, reason, trace }, "route decided");
  // The time counts from before the request, because an answer ages on its way.
  const at = deps.clock.now();
  const { externalId } = known.customer;
  const asker = { userID: externalId, locale: localeOf(known) };
  const { answer, route, providerId, ttlSeconds } = await selectRoute(
    deps.upstream,
    serviceToken,
    asker,
    wish,
  );
  doubt(deps, decision, route);
  const selected = { at, ttlSeconds, asked: askedWith(known, wish, serviceToken) };
  return { answer, selection: { route, providerId, selected } };
}

/**
 * Asks support-selection, or provider-selection if the service lacks the first (404, 405; contract, endpoints 3 and 4).
 *
 * @returns the verified answer and how to read it; `providerId` is set if the service has only the older selection;
 *   `ttlSeconds` is 0 if the service does not say how long the answer is valid
 */
export async function selectRoute(
  upstream: UpstreamClient,
  token: string,
  asker: { readonly userID: string; readonly locale: string | undefined },
  wish: RouteWish,
) {
  try {
    const answer = await upstream.call(supportSelection, { request: { ...asker, ...wish }, token });
    const { ttlSeconds, reason, ...targets } = answer.value;
    const route: Route = defined({ ...targets, reason: reason.slice(0, MAX_REASON) });
    return { answer, route, providerId: undefined, ttlSeconds };
  } catch (error) {
    if (!isRefused(error, ...supportSelection.absent)) throw error;
  }
  const request = { ...asker, provider: wish.agentProvider };
  const answer = await upstream.call(providerSelection, { request, token });
  const { provider, reason, ttlSeconds = 0 } = answer.value;
  // One combined provider is all three at once; whether it can bring a person, its own verified answer says later.
  const route: Route = defined({
    channel: provider,
    agentProvider: provider,
    humanHandoffAdapter: provider,
    reason: reason?.slice(0, MAX_REASON),
  });
  return { answer, route, providerId: provider, ttlSeconds };
}

/** What the site signed is separate from what the page says (ROUTE2). */
function decideFor({ routing, clock }: Deps, known: KnownCustomer): RouteDecision {
  const { customer, page, signed, pageTraits: pageAttributes } = known;
  const context = { ...customer, locale: localeOf(known), page, attributes: signed?.traits, pageAttributes };
  return decideRoute(routing, context, clock.now());
}

function localeOf({ signed, locale }: KnownCustomer): string | undefined {
  return signed?.locale ?? locale;
}

/** Names everything that a selection is requested with. */
function askedWith(known: KnownCustomer, wish: RouteWish, serviceToken: string): string {
  return hashToken(JSON.stringify([TARGETS.map((target) => wish[target]), localeOf(known), serviceToken]));
}

/** Whether a session's selection is still valid, and is what would be asked for now. */
function isFresh(session: Session, wish: RouteWish, serviceToken: string, now: number): boolean {
  const { at = Number.POSITIVE_INFINITY, ttlSeconds = 0, asked } = session.selected ?? {};
  const age = now - at;
  return age >= 0 && age < ttlSeconds * 1000 && asked === askedWith(session, wish, serviceToken);
}

/** The rules, or the defaults, for which the log has already reported a different selection of the service. */
const doubted = new WeakSet<RouteWish>();

/** Logs once per rule that the service selects something else. Only names of fields: the values are the owner's own. */
function doubt({ routing, log }: Deps, { rule, wish }: RouteDecision, route: Route): void {
  const differs = TARGETS.filter((target) => wish[target] !== undefined && wish[target] !== route[target]);
  const asked = routing.rules[(rule ?? 0) - 1] ?? routing.defaults;
  if (differs.length === 0 || doubted.has(asked)) return;
  doubted.add(asked);
  log.warn({ rule, differs }, "the service's selection differs from what the routing asks for");
}
