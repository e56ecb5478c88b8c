import { startSession } from "../../shared/api/session.ts";
import { Failure } from "../../shared/errors.ts";
import { readSnapshot } from "../conversations/snapshot.ts";
import type { Session } from "../sessions/sessions.ts";
import { bindCustomer, upsertCustomer } from "./bind-customer.ts";
import type { RouteDeps } from "./deps.ts";
import { type Exchange, respond, respondOwn, route } from "./exchange.ts";
import { enter, saidBy } from "./identify-session.ts";
import { stateOf } from "./session-state.ts";

/** 128 random bits: nobody meets another's id by chance. */
const EXTERNAL_ID_BYTES = 16;

type Start = Exchange<typeof startSession>;

/** Starts a session, or resumes the one that the bearer token names; never the first where the second was asked for. */
export function createStartSession(deps: RouteDeps) {
  return route(startSession, (exchange) => {
    const { session, body } = exchange;
    if (body.token !== undefined) return startIdentified(deps, exchange, body.token);
    return session === undefined ? startAnonymous(deps, exchange) : resume(deps, exchange, session);
  });
}

async function startIdentified(deps: RouteDeps, exchange: Start, token: string): Promise<Response> {
  const { session, bearer, body, address } = exchange;
  await deps.limits.take("identities", { address });
  const proven = await deps.verifyToken(token);
  const { status, answer, state } = await enter(deps, proven, {
    session,
    said: saidBy(deps, body),
    ...(bearer === undefined ? {} : { bearer }),
  });
  return respond(exchange, status, answer, () => state);
}

async function startAnonymous(deps: RouteDeps, exchange: Start): Promise<Response> {
  if (deps.publicConfig.identityPolicy === "required") throw new Failure("identity_required");
  await deps.limits.take("starts", exchange);
  const externalId = `anon_${Buffer.from(deps.random(EXTERNAL_ID_BYTES)).toString("base64url")}`;
  const { answer, facts, serviceToken } = await bindCustomer(deps, {
    customer: { externalId, identified: false },
    ...saidBy(deps, exchange.body),
  });
  const { bearer, session } = await deps.sessions.open(facts, serviceToken);
  const state = await stateOf(deps, session, bearer, null);
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
  const conversation = await readSnapshot(deps, session);
  // The snapshot was read from the service; the rest is this session's own row.
  return respondOwn(exchange, await stateOf(deps, session, exchange.bearer ?? "", conversation));
}

function isSame(a: object | undefined, b: object | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
