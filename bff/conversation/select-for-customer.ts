import type { Route } from "../../shared/route.ts";
import { decideRoute, type RouteDecision } from "../routing/decide.ts";
import type { RouteContext } from "../routing/match.ts";
import { type RouteWish, TARGETS } from "../routing/rule.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { Session } from "../sessions/sessions.ts";
import { hashToken } from "../sessions/token.ts";
import { type SelectedRoute, selectRoute } from "../upstream/selection.ts";
import type { LinkDeps } from "./link-deps.ts";

type Deps = Pick<LinkDeps, "upstream" | "routing" | "clock" | "log">;

/** What a routing decision may depend on. */
export type KnownCustomer = Pick<SessionFacts, "customer" | "locale" | "page" | "signed" | "pageTraits">;

/** A selection as a session stores it. */
export type Selection = Required<Pick<SessionFacts, "route" | "selected">> & Pick<SessionFacts, "providerId">;

/** Asks the service for the route that the owner's rules want for this customer; its verified answer decides (ROUTE1). */
export function selectForCustomer(deps: Deps, known: KnownCustomer, serviceToken: string) {
  return select(deps, { known, serviceToken, decision: decideFor(deps, known) });
}

/**
 * The selection that a conversation may start with now: the session's own while it is valid and would be asked for in the
 * same way, else a new one (ROUTE4). After a renewal the service has no selection for the new session token.
 */
export async function selectionForStart(
  deps: Deps & Pick<LinkDeps, "sessions">,
  session: Session,
  serviceToken: string,
): Promise<Pick<Selection, "route" | "providerId">> {
  const decision = decideFor(deps, session);
  if (isFresh(session, { wish: decision.wish, serviceToken, now: deps.clock.now() })) return session;
  const { selection } = await select(deps, { known: session, serviceToken, decision });
  await deps.sessions.changeFacts(session, selection);
  return selection;
}

interface Question {
  readonly known: KnownCustomer;
  readonly serviceToken: string;
  readonly decision: RouteDecision;
}

async function select(
  deps: Deps,
  { known, serviceToken, decision }: Question,
): Promise<{ answer: SelectedRoute["answer"]; selection: Selection }> {
  const { rule, reason, trace, wish } = decision;
  deps.log.info({ rule, reason, trace }, "route decided");
  // The time counts from before the question, because an answer ages on its way.
  const at = deps.clock.now();
  const locale = localeOf(known);
  const { externalId } = known.customer;
  const { answer, route, providerId, ttlSeconds } = await selectRoute(deps.upstream, {
    serviceToken,
    externalId,
    locale,
    wish,
  });
  doubt(deps, decision, route);
  const selected = { at, ttlSeconds, wish, locale, askedBy: hashToken(serviceToken) };
  return { answer, selection: { route, providerId, selected } };
}

function decideFor({ routing, clock }: Deps, known: KnownCustomer): RouteDecision {
  return decideRoute(routing.read(), contextOf(known), clock.now());
}

/** What the site signed, separate from what the page says (ROUTE2). */
function contextOf(known: KnownCustomer): RouteContext {
  const { customer, page, signed, pageTraits } = known;
  const { identified, externalId } = customer;
  return {
    identified,
    locale: localeOf(known),
    page,
    pageAttributes: pageTraits,
    ...(identified ? { externalId, attributes: signed?.traits } : {}),
  };
}

function localeOf({ signed, locale }: KnownCustomer): string | undefined {
  return signed?.locale ?? locale;
}

function isFresh(
  session: Session,
  asked: { readonly wish: RouteWish; readonly serviceToken: string; readonly now: number },
): boolean {
  const { selected } = session;
  // A record of an earlier version does not say how long its selection is valid.
  if (selected === undefined) return false;
  const age = asked.now - selected.at;
  return (
    age >= 0 &&
    age < selected.ttlSeconds * 1000 &&
    TARGETS.every((target) => selected.wish[target] === asked.wish[target]) &&
    selected.locale === localeOf(session) &&
    selected.askedBy === hashToken(asked.serviceToken)
  );
}

/** Logs once per rule that the service selects something else. Only names of fields: the values are the owner's own. */
function doubt(deps: Deps, { rule, wish }: RouteDecision, route: Route): void {
  const differs = TARGETS.filter((target) => wish[target] !== undefined && wish[target] !== route[target]);
  if (differs.length === 0 || !deps.routing.isFirstDoubt(rule)) return;
  deps.log.warn({ rule, differs }, "the service's selection differs from what the routing asks for");
}
