import { identifySession, type SessionState, type StartSession } from "../../shared/api/session.ts";
import { linkedPointer } from "../conversations/linked-conversation.ts";
import { readSnapshot } from "../conversations/snapshot.ts";
import { LINKED_TO, safePageTraits } from "../identity/attributes.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import type { PointerOf } from "../sessions/pointers.ts";
import type { Session } from "../sessions/sessions.ts";
import { identifyCustomer } from "../upstream/customers.ts";
import type { Verified } from "../upstream/verified.ts";
import { bindCustomer, newcomerOf, pageOf, upsertCustomer } from "./bind-customer.ts";
import type { RouteDeps } from "./deps.ts";
import { respond, route } from "./exchange.ts";
import { stateOf } from "./session-state.ts";

/** A session that a customer was verifiably bound to, and how to tell of it. */
export interface Entered {
  readonly status: 200 | 201;
  readonly answer: Verified<unknown>;
  readonly state: SessionState;
}

/** Says who is speaking in a session that runs already. */
export function createIdentifySession(deps: RouteDeps) {
  return route(identifySession, async (exchange) => {
    const { session, bearer = "", body } = exchange;
    const proven = await deps.verifyToken(body.token);
    const { status, answer, state } = await enter(deps, proven, { session, bearer, said: {} });
    return respond(exchange, status, answer, () => state);
  });
}

/** What the page says of its visitor, in a start. */
export function saidBy(deps: Pick<RouteDeps, "log">, { locale, page, traits }: StartSession) {
  return {
    ...(locale === undefined ? {} : { locale }),
    ...pageOf(page),
    ...(traits === undefined ? {} : { pageTraits: safePageTraits(traits, deps.log) }),
  };
}

/**
 * Brings a customer in whom the site vouched for. Without a session a new one begins; the same customer's goes on; another
 * customer's ends before anything else, and nothing of it is in the next one; an anonymous one becomes theirs, once.
 */
export async function enter(
  deps: RouteDeps,
  proven: ProvenIdentity,
  from: {
    readonly session?: Session | undefined;
    readonly bearer?: string;
    /** What the page says in this very request. */
    readonly said: Pick<Session, "locale" | "page" | "pageTraits">;
  },
): Promise<Entered> {
  const { session, bearer = "", said } = from;
  if (session === undefined) return begin(deps, newcomerOf(deps, proven, said));
  const newcomer = newcomerOf(deps, proven, { ...session, ...said });
  const { externalId, identified } = session.customer;
  // One at a time with whatever this customer has under way, so that a conversation that just starts is linked too.
  if (!identified) return deps.locks.run(externalId, () => link(deps, session, newcomer));
  if (externalId === proven.externalId) return renew(deps, session, bearer, newcomer);
  await deps.sessions.revoke(session);
  deps.streams.closeSession(session.id);
  return begin(deps, newcomerOf(deps, proven, said));
}

type Newcomer = ReturnType<typeof newcomerOf>;

async function begin(deps: RouteDeps, newcomer: Newcomer): Promise<Entered> {
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  const { bearer, session } = await deps.sessions.open(facts, serviceToken);
  const conversation = await readSnapshot(deps, session);
  return { status: 201, answer, state: await stateOf(deps, session, bearer, conversation) };
}

async function renew(
  deps: RouteDeps,
  session: Session,
  bearer: string,
  newcomer: Newcomer,
): Promise<Entered> {
  const answer = await upsertCustomer(deps, newcomer);
  await deps.sessions.renew(session, newcomer);
  const conversation = await readSnapshot(deps, session);
  return { status: 200, answer, state: await stateOf(deps, session, bearer, conversation) };
}

/** The anonymous session makes place for the customer's, and its conversation goes along (docs/identity.md). */
async function link(deps: RouteDeps, anonymous: Session, newcomer: Newcomer): Promise<Entered> {
  const anonymousId = anonymous.customer.externalId;
  const { externalId } = newcomer.customer;
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  // Nor may another device of theirs start a conversation between reading and writing.
  const { bearer, session, isLinked } = await deps.locks.run(externalId, async () => {
    const pointer = await pointerFor(deps, anonymousId, externalId);
    const exchanged = await deps.sessions.exchange(anonymous, facts, serviceToken, pointer);
    return { ...exchanged, isLinked: pointer !== undefined };
  });
  deps.streams.closeSession(anonymous.id);
  if (isLinked) await noteAtService(deps, anonymousId, externalId);
  const conversation = await readSnapshot(deps, session);
  return { status: 201, answer, state: await stateOf(deps, session, bearer, conversation) };
}

async function pointerFor(
  deps: Pick<RouteDeps, "pointers">,
  anonymousId: string,
  externalId: string,
): Promise<PointerOf | undefined> {
  const [own, anonymous] = await Promise.all([
    deps.pointers.read(externalId),
    deps.pointers.read(anonymousId),
  ]);
  const pointer = linkedPointer(own, anonymous, anonymousId);
  return pointer && { externalId, pointer };
}

/** For the people who answer. Nobody is told of it, so a service that does not take it holds nobody up. */
async function noteAtService(deps: RouteDeps, anonymousId: string, externalId: string): Promise<void> {
  try {
    await identifyCustomer(deps.upstream, {
      externalId: anonymousId,
      attributes: { identified: false, [LINKED_TO]: externalId.slice(0, 256) },
    });
  } catch {
    deps.log.warn({}, "the service was not told who an anonymous visitor turned out to be");
  }
}
