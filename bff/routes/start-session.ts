import { type SessionState, type StartSession, startSession } from "../../shared/api/session.ts";
import { Failure } from "../../shared/errors.ts";
import type { Traits } from "../../shared/traits.ts";
import { readSnapshot } from "../conversations/snapshot.ts";
import { type Exchange, respond, respondOwn, route } from "../route.ts";
import { withoutSecrets } from "../sessions/safe-traits.ts";
import { serviceTokenOf } from "../sessions/service-tokens.ts";
import type { Session } from "../sessions/sessions.ts";
import { readCapabilities } from "../upstream/capabilities.ts";
import { identifyCustomer, openServiceSession } from "../upstream/customers.ts";
import { selectRoute } from "../upstream/selection.ts";
import type { RouteDeps } from "./deps.ts";

/** 128 random bits: nobody meets another's id by chance. */
const EXTERNAL_ID_BYTES = 16;

/** The service takes 50 attributes; one of them is ours. */
const MAX_PAGE_TRAITS = 49;

type Start = Exchange<typeof startSession>;

/** Starts a session, or resumes the one that the bearer token names; never the first where the second was asked for. */
export function createStartSession(deps: RouteDeps) {
  return route(startSession, (exchange) => {
    if (exchange.body.token !== undefined) {
      throw new Failure("bad_request", { detail: "token: identity is not configured on this server." });
    }
    return exchange.session === undefined ? start(deps, exchange) : resume(deps, exchange, exchange.session);
  });
}

/** The design's order: the customer, the service's session, what it can do, who answers. Each step is verified or it ends here. */
async function start(deps: RouteDeps, exchange: Start): Promise<Response> {
  deps.limits.starts.take(exchange.address);
  const { upstream, sessions, clock, random, wishes } = deps;
  const { locale, page, traits } = exchange.body;
  const externalId = `anon_${Buffer.from(random(EXTERNAL_ID_BYTES)).toString("base64url")}`;

  await identifyCustomer(upstream, { externalId, attributes: attributesOf(deps, traits) });
  const opened = await openServiceSession(upstream, { externalId });
  const serviceToken = serviceTokenOf(opened.value, clock.now());
  const { token } = serviceToken;
  const capabilities = await readCapabilities(upstream, token);
  const { answer, selection } = await selectRoute(upstream, {
    serviceToken: token,
    externalId,
    locale,
    wishes,
  });

  const { bearer, session } = await sessions.open(
    {
      customer: { externalId, identified: false },
      ...selection,
      capabilities,
      ...(locale === undefined ? {} : { locale }),
      ...pageOf(page),
    },
    serviceToken,
  );
  return respond(exchange, 201, answer, () => stateOf(deps, session, bearer, null));
}

async function resume(deps: RouteDeps, exchange: Start, session: Session): Promise<Response> {
  deps.limits.calls.take(session.id);
  const conversation = await readSnapshot(deps, session);
  // The snapshot was read from the service; the rest is this session's own row.
  return respondOwn(exchange, stateOf(deps, session, exchange.bearer ?? "", conversation));
}

function stateOf(
  { sessions }: RouteDeps,
  session: Session,
  token: string,
  conversation: SessionState["conversation"],
): SessionState {
  const { customer, route, capabilities } = session;
  return {
    token,
    expiresAt: new Date(sessions.expiresAt(session)).toISOString(),
    customer,
    route,
    capabilities: [...capabilities],
    conversation,
  };
}

/** What the page says of its visitor, without what looks like a secret (R47), and that nobody proved who it is. */
function attributesOf({ log }: RouteDeps, traits: Traits | undefined): Traits {
  const { traits: safe, dropped } = withoutSecrets(traits ?? {});
  if (dropped.length > 0) log.warn({ traits: dropped }, "traits that look like secrets were left out");
  return { ...Object.fromEntries(Object.entries(safe).slice(0, MAX_PAGE_TRAITS)), identified: false };
}

/** Origin and path of the page: queries and fragments carry tokens (R86). */
function pageOf(page: StartSession["page"]): { page?: string } {
  if (page === undefined || !URL.canParse(page.url)) return {};
  const { protocol, origin, pathname } = new URL(page.url);
  return protocol === "https:" || protocol === "http:" ? { page: origin + pathname } : {};
}
