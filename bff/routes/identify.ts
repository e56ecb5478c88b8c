import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { linkConversation } from "../../shared/v1/conversations.ts";
import { offers } from "../conversation/service.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import { afterLink } from "../sessions/pointer.ts";
import type { PointerOf } from "../sessions/pointers.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { Session } from "../sessions/sessions.ts";
import { Refused } from "../upstream/failure.ts";
import type { Verified } from "../upstream/verified.ts";
import { bindCustomer, newcomerOf, upsertCustomer } from "./bind-customer.ts";
import type { RouteDeps } from "./deps.ts";

/** A session that a customer was verifiably bound to. */
export interface Entered {
  readonly status: 200 | 201;
  readonly answer: Verified<unknown>;
  readonly session: Session;
  readonly bearer: string;
  readonly conversation: ConversationSnapshot | null;
}

type Newcomer = ReturnType<typeof newcomerOf>;

/**
 * Identifies the customer of a token that the site signed. Without a session a new one begins. The same customer's session
 * continues. Another customer's session ends first, and nothing of it is in the next one. An anonymous session becomes
 * theirs, once.
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
  // Under the visitor's lock, so that a conversation that is just starting is linked too.
  if (!identified) return deps.locks.run(externalId, () => link(deps, session, newcomer));
  if (externalId === proven.externalId) return renew(deps, session, bearer, newcomer);
  await deps.sessions.revoke(session);
  deps.streams.closeSession(session.id);
  return begin(deps, newcomerOf(deps, proven, said));
}

async function begin(deps: RouteDeps, newcomer: Newcomer): Promise<Entered> {
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  const opened = await deps.sessions.open(facts, serviceToken);
  return { status: 201, answer, ...opened, conversation: await deps.link.snapshot(opened.session) };
}

async function renew(
  deps: RouteDeps,
  session: Session,
  bearer: string,
  newcomer: Newcomer,
): Promise<Entered> {
  const answer = await upsertCustomer(deps, newcomer);
  await deps.sessions.renew(session, newcomer);
  return { status: 200, answer, session, bearer, conversation: await deps.link.snapshot(session) };
}

/** The customer's session replaces the anonymous one, and its conversation comes along (docs/identity.md). */
async function link(deps: RouteDeps, anonymous: Session, newcomer: Newcomer): Promise<Entered> {
  const { externalId } = newcomer.customer;
  // Another customer may have replaced this session while the lock was awaited: the conversation is theirs.
  await deps.sessions.learnEnds([anonymous.id]);
  if (deps.sessions.isOver(anonymous)) throw new Failure("unauthenticated");
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  // No other device of theirs may start a conversation between reading and writing the pointer.
  const opened = await deps.locks.run(externalId, async () => {
    const pointer = await linkedPointer(deps, anonymous.customer.externalId, facts);
    return deps.sessions.exchange(anonymous, facts, serviceToken, pointer);
  });
  deps.streams.closeSession(anonymous.id);
  return { status: 201, answer, ...opened, conversation: await deps.link.snapshot(opened.session) };
}

/**
 * Asks the service to give the anonymous conversation to the customer. Undefined where there is none, where the service
 * can't do it or refuses: then the conversation stays with the anonymous visitor, and the customer starts without it.
 *
 * @throws Failure what a call throws: the anonymous session continues, and the customer may try again
 */
async function linkedPointer(
  { pointers, upstream, log }: RouteDeps,
  anonymousId: string,
  facts: SessionFacts,
): Promise<PointerOf | undefined> {
  const { externalId } = facts.customer;
  const [own, anonymous] = await Promise.all([pointers.read(externalId), pointers.read(anonymousId)]);
  if (anonymous.status === "none" || !offers(facts, "link") || !offers(facts, "events")) return undefined;
  const pointer = afterLink(own, anonymous, anonymousId);
  if (pointer === undefined) return undefined;
  try {
    const params = { id: anonymous.conversationId };
    const request = { externalId: anonymousId, linkedTo: externalId };
    await upstream.call(linkConversation, { params, request });
    return { externalId, pointer };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    log.warn({ answered: error.answered }, "the service did not link an anonymous conversation");
    return undefined;
  }
}
