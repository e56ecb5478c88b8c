import { readConfig } from "../../shared/api/config.ts";
import {
  endSession,
  identifySession,
  type SessionState,
  type StartSession,
  startSession,
} from "../../shared/api/session.ts";
import { defined } from "../../shared/defined.ts";
import { Failure } from "../../shared/errors.ts";
import { ANONYMOUS_PREFIX } from "../../shared/id.ts";
import { identify as identifyAtService } from "../../shared/v1/identify.ts";
import { openingHours } from "../conversation/handoff.ts";
import { attributesOf, safePageTraits } from "../identity/attributes.ts";
import type { Parts } from "../parts.ts";
import { MAX_PAGE } from "../routing/page-glob.ts";
import type { Verified } from "../upstream/verified.ts";
import type { Said } from "./bind-customer.ts";
import { browserName } from "./browser-name.ts";
import { carried, type Exchange, type Route, respond, respondOwn, route } from "./exchange.ts";
import { begin, type Entered, identifyCustomer } from "./identify.ts";

/** 128 random bits, so that no visitor gets another's id by chance. */
const EXTERNAL_ID_BYTES = 16;

type Start = Exchange<typeof startSession>;

/** The panel's calls before it has a conversation. */
export function sessionRoutes(deps: Parts): readonly Route[] {
  const { sessions, streams, publicConfig } = deps;
  return [
    route(readConfig, (exchange) => respondOwn(exchange, publicConfig)),
    // Never starts a new session if resuming was requested.
    route(startSession, async (exchange) => {
      const { session, body } = exchange;
      if (session && body.token === undefined) return resume(deps, { ...exchange, session });
      const { status, claim } = await start(deps, exchange);
      return respond(exchange, status, claim);
    }),
    route(identifySession, async (exchange) => {
      const { status, claim } = await identify(deps, exchange, exchange.body.token, {});
      return respond(exchange, status, claim);
    }),
    // Logout: the session is revoked and its streams are closed before this answers.
    route(endSession, async (exchange) => {
      await sessions.revoke(exchange.session);
      streams.closeSession(exchange.session.id);
      return respondOwn(exchange, { revoked: true });
    }),
  ];
}

/** What the browser is answered once it has its session. */
interface Claimed {
  readonly status: Entered["status"];
  readonly claim: Verified<SessionState>;
}

/** Starts a session, anonymous if the page sent no token of the site. */
async function start(deps: Parts, exchange: Start): Promise<Claimed> {
  const said = saidBy(deps, exchange);
  const { token } = exchange.body;
  if (token !== undefined) return identify(deps, exchange, token, said);
  if (deps.publicConfig.identityPolicy === "required") throw new Failure("identity_required");
  const externalId = ANONYMOUS_PREFIX + Buffer.from(deps.random(EXTERNAL_ID_BYTES)).toString("base64url");
  const newcomer = { customer: { externalId, identified: false }, ...said };
  return deps.limits.entry("starts", exchange, async () => claimOf(deps, await begin(deps, newcomer)));
}

function identify(
  deps: Parts,
  exchange: Pick<Start, "session" | "bearer" | "address">,
  token: string,
  said: Said,
): Promise<Claimed> {
  const { session, bearer = "" } = exchange;
  return deps.limits.entry("identities", exchange, () =>
    deps.verifyToken(token, async (proven) =>
      claimOf(deps, await identifyCustomer(deps, proven, { session, bearer, said })),
    ),
  );
}

async function claimOf(deps: Parts, entered: Entered): Promise<Claimed> {
  const state = await stateOf(deps, entered);
  return { status: entered.status, claim: entered.answer.as(() => state) };
}

async function resume(
  deps: Parts,
  exchange: Start & { readonly session: Entered["session"] },
): Promise<Response> {
  const { session, bearer = "", address } = exchange;
  await deps.limits.take("calls", { session, address });
  const said = saidBy(deps, exchange);
  const { locale = session.locale, page = session.page, pageTraits = session.pageTraits } = said;
  const isNewOfCustomer = JSON.stringify(pageTraits) !== JSON.stringify(session.pageTraits);
  // Another device may have a newer name and address from the site; what is left out stays as it is.
  const { emailVerified: _, ...attributes } = attributesOf({ ...session, ...said });
  const request = { externalId: session.customer.externalId, attributes };
  if (isNewOfCustomer) await deps.upstream.call(identifyAtService, { request });
  if (isNewOfCustomer || locale !== session.locale || page !== session.page) {
    await deps.sessions.changeFacts(session, said);
  }
  const conversation = await deps.link.snapshot(session);
  // The snapshot comes from the service; the rest from this session's own record.
  return respondOwn(exchange, await stateOf(deps, { session, bearer, conversation }));
}

function saidBy({ log }: Parts, { body, userAgent }: Pick<Start, "body" | "userAgent">): Said {
  const { locale, page, traits } = body;
  return defined({
    locale,
    page: pageOf(page),
    browser: browserName(userAgent),
    pageTraits: traits && safePageTraits(traits, log),
  });
}

/**
 * Origin and path of the page, without query and fragment, which may carry tokens. Undefined for a path that is too long
 * once it is encoded, as browsers send it: no rule matches it, and no session stores it. A resumed session keeps its former
 * page.
 */
function pageOf(page: StartSession["page"]): string | undefined {
  const url = URL.parse(page?.url ?? "");
  if (url?.protocol !== "https:" && url?.protocol !== "http:") return undefined;
  const address = url.origin + url.pathname;
  return address.length <= MAX_PAGE ? address : undefined;
}

/** The fields that the panel receives, one by one. A customer whose address the site signed is not asked for one. */
async function stateOf(
  deps: Parts,
  { session, bearer, conversation }: Pick<Entered, "session" | "bearer" | "conversation">,
): Promise<SessionState> {
  const { sessions, link } = deps;
  const { externalId, displayName, identified } = session.customer;
  const hours = openingHours(deps);
  return {
    token: bearer,
    expiresAt: new Date(sessions.expiresAt(session)).toISOString(),
    customer: { externalId, displayName, identified },
    route: await link.routeOf(session),
    capabilities: carried(session).filter((one) => one !== "contact" || session.signed?.email === undefined),
    ...(hours ? { hours } : {}),
    conversation,
    ...(conversation === null ? await link.absence(session) : {}),
  };
}
