import { readConfig } from "../../shared/api/config.ts";
import {
  endSession,
  identifySession,
  type SessionState,
  type StartSession,
  startSession,
} from "../../shared/api/session.ts";
import { Failure } from "../../shared/errors.ts";
import { ANONYMOUS_PREFIX } from "../../shared/id.ts";
import { carried } from "../conversation/carried.ts";
import { safePageTraits } from "../identity/attributes.ts";
import type { Session } from "../sessions/sessions.ts";
import { bindCustomer, pageOf, upsertCustomer } from "./bind-customer.ts";
import type { RouteDeps } from "./deps.ts";
import { type Exchange, respond, respondOwn, route } from "./exchange.ts";
import { enter } from "./identify.ts";

/** 128 random bits: no visitor gets another's id by chance. */
const EXTERNAL_ID_BYTES = 16;

type Start = Exchange<typeof startSession>;

/** What the owner set for every visitor. */
export function createReadConfig({ publicConfig }: Pick<RouteDeps, "publicConfig">) {
  return route(readConfig, (exchange) => respondOwn(exchange, publicConfig));
}

/** Starts a session, or resumes that of the bearer token. It never starts a new one where resuming was asked for. */
export function createStartSession(deps: RouteDeps) {
  return route(startSession, (exchange) => {
    const { session, body } = exchange;
    if (body.token !== undefined) return startIdentified(deps, exchange, body.token);
    return session === undefined ? startAnonymous(deps, exchange) : resume(deps, exchange, session);
  });
}

/** Logout: the session is gone and its streams are closed before this answers. */
export function createEndSession({ sessions, streams }: Pick<RouteDeps, "sessions" | "streams">) {
  return route(endSession, async (exchange) => {
    await sessions.revoke(exchange.session);
    streams.closeSession(exchange.session.id);
    return respondOwn(exchange, { revoked: true });
  });
}

/** Identifies the customer of a running session. */
export function createIdentifySession(deps: RouteDeps) {
  return route(identifySession, async (exchange) => {
    const { session, bearer = "", body } = exchange;
    const proven = await deps.verifyToken(body.token);
    const entered = await enter(deps, proven, { session, bearer, said: {} });
    const state = await stateOf(deps, entered);
    return respond(exchange, entered.status, entered.answer, () => state);
  });
}

async function startIdentified(deps: RouteDeps, exchange: Start, token: string): Promise<Response> {
  const { session, bearer, body, address } = exchange;
  await deps.limits.take("identities", { address });
  const proven = await deps.verifyToken(token);
  const said = saidBy(deps, body);
  const entered = await enter(deps, proven, { session, said, ...(bearer === undefined ? {} : { bearer }) });
  const state = await stateOf(deps, entered);
  return respond(exchange, entered.status, entered.answer, () => state);
}

async function startAnonymous(deps: RouteDeps, exchange: Start): Promise<Response> {
  if (deps.publicConfig.identityPolicy === "required") throw new Failure("identity_required");
  await deps.limits.take("starts", exchange);
  const random = Buffer.from(deps.random(EXTERNAL_ID_BYTES)).toString("base64url");
  const { answer, facts, serviceToken } = await bindCustomer(deps, {
    customer: { externalId: ANONYMOUS_PREFIX + random, identified: false },
    ...saidBy(deps, exchange.body),
  });
  const opened = await deps.sessions.open(facts, serviceToken);
  const state = await stateOf(deps, { ...opened, conversation: null });
  return respond(exchange, 201, answer, () => state);
}

async function resume(deps: RouteDeps, exchange: Start, session: Session): Promise<Response> {
  await deps.limits.take("calls", { session, address: exchange.address });
  const said = saidBy(deps, exchange.body);
  const { locale = session.locale, page = session.page, pageTraits = session.pageTraits } = said;
  const isNewOfCustomer = !isSame(pageTraits, session.pageTraits);
  if (isNewOfCustomer) await upsertCustomer(deps, { ...session, ...said });
  if (isNewOfCustomer || locale !== session.locale || page !== session.page) {
    await deps.sessions.changeFacts(session, said);
  }
  const conversation = await deps.link.snapshot(session);
  // The service gave the snapshot; the rest is this session's own record.
  return respondOwn(exchange, await stateOf(deps, { session, bearer: exchange.bearer ?? "", conversation }));
}

/** What the page says about its visitor when a session starts. */
function saidBy(deps: Pick<RouteDeps, "log">, { locale, page, traits }: StartSession) {
  return {
    ...(locale === undefined ? {} : { locale }),
    ...pageOf(page),
    ...(traits === undefined ? {} : { pageTraits: safePageTraits(traits, deps.log) }),
  };
}

function isSame(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** What the panel learns about a session: an explicit list of fields. An open conversation has its own route (CONV1). */
async function stateOf(
  { sessions, link }: Pick<RouteDeps, "sessions" | "link">,
  opened: {
    readonly session: Session;
    readonly bearer: string;
    readonly conversation: SessionState["conversation"];
  },
): Promise<SessionState> {
  const { session, bearer, conversation } = opened;
  const { externalId, displayName, identified } = session.customer;
  return {
    token: bearer,
    expiresAt: new Date(sessions.expiresAt(session)).toISOString(),
    customer: { externalId, ...(displayName === undefined ? {} : { displayName }), identified },
    route: await link.routeOf(session),
    capabilities: carried(session),
    conversation,
  };
}
