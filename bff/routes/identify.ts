import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { linkConversation } from "../../shared/v1/conversations.ts";
import { offers } from "../conversation/service.ts";
import type { ProvenIdentity } from "../identity/verify-token.ts";
import type { Parts } from "../parts.ts";
import { afterLink } from "../sessions/pointer.ts";
import type { SessionFacts } from "../sessions/session-record.ts";
import type { OpenedSession, Session } from "../sessions/sessions.ts";
import type { Change } from "../store/store.ts";
import { Refused } from "../upstream/failure.ts";
import type { Verified } from "../upstream/verified.ts";
import { bindCustomer, type Newcomer, newcomerOf, type Said, upsertCustomer } from "./bind-customer.ts";

/** A session that is verifiably bound to a customer. */
export interface Entered extends OpenedSession {
  readonly status: 200 | 201;
  readonly answer: Verified<unknown>;
  readonly conversation: ConversationSnapshot | null;
}

/**
 * Identifies the customer of a token that the site signed. Without a session a new one begins. The same customer's
 * session continues. Another customer's session ends first, and the next one contains nothing of it. An anonymous
 * session becomes theirs, once. `said` is what the page says in this request.
 */
export async function identifyCustomer(
  deps: Parts,
  proven: ProvenIdentity,
  { session, bearer, said }: { session: Session | undefined; bearer: string; said: Said },
): Promise<Entered> {
  if (session === undefined) return begin(deps, newcomerOf(deps, proven, said));
  const newcomer = newcomerOf(deps, proven, { ...session, ...said });
  const { externalId, identified } = session.customer;
  // Under the visitor's lock, so that a conversation that is just starting is linked too.
  if (!identified) return deps.locks.run(externalId, () => link(deps, session, newcomer));
  if (externalId === proven.externalId) {
    const answer = await upsertCustomer(deps, newcomer);
    await deps.sessions.renew(session, newcomer);
    return withConversation(deps, 200, answer, { session, bearer });
  }
  await deps.sessions.revoke(session);
  deps.streams.closeSession(session.id);
  return begin(deps, newcomerOf(deps, proven, said));
}

export async function begin(deps: Parts, newcomer: Newcomer): Promise<Entered> {
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  return withConversation(deps, 201, answer, await deps.sessions.open(facts, serviceToken));
}

async function withConversation(
  { link }: Parts,
  status: Entered["status"],
  answer: Entered["answer"],
  opened: OpenedSession,
): Promise<Entered> {
  return { status, answer, ...opened, conversation: await link.snapshot(opened.session) };
}

/** The customer's session replaces the anonymous one and takes over its conversation (docs/identity.md). */
async function link(deps: Parts, anonymous: Session, newcomer: Newcomer): Promise<Entered> {
  const { externalId } = newcomer.customer;
  // Another customer may have replaced this session while we waited for the lock: the conversation is theirs.
  await deps.sessions.learnEnds([anonymous.id]);
  if (deps.sessions.isOver(anonymous)) throw new Failure("unauthenticated");
  const { answer, facts, serviceToken } = await bindCustomer(deps, newcomer);
  // No other device of theirs may start a conversation between reading and writing the pointer.
  const opened = await deps.locks.run(externalId, async () => {
    const linked = await linkedPointer(deps, anonymous.customer.externalId, facts);
    const exchanged = await deps.sessions.exchange(anonymous, facts, serviceToken, linked);
    // The streams of their other devices follow the conversation before.
    if (linked.length > 0) deps.streams.closeCustomer(externalId);
    return exchanged;
  });
  deps.streams.closeSession(anonymous.id);
  return withConversation(deps, 201, answer, opened);
}

/**
 * Asks the service to give the anonymous conversation to the customer, and returns the change that makes it theirs. No
 * change if there is none, or if the service can't link or refuses: then the conversation stays with the anonymous
 * visitor, and the customer starts without it.
 *
 * @throws Failure what a call throws, also for a 429: the anonymous session continues, and the customer may try again
 */
async function linkedPointer(
  { pointers, upstream, log }: Parts,
  anonymousId: string,
  facts: SessionFacts,
): Promise<readonly Change[]> {
  const { externalId } = facts.customer;
  const [own, anonymous] = await Promise.all([pointers.read(externalId), pointers.read(anonymousId)]);
  if (anonymous.status === "none" || !offers(facts, "link") || !offers(facts, "events")) return [];
  const pointer = afterLink(own, anonymous, anonymousId);
  if (pointer === undefined) return [];
  try {
    const params = { id: anonymous.conversationId };
    const request = { externalId: anonymousId, linkedTo: externalId };
    await upstream.call(linkConversation, { params, request });
    return [pointers.put(externalId, pointer)];
  } catch (error) {
    if (!(error instanceof Refused) || error.answered === 429) throw error;
    log.warn({ answered: error.answered }, "the service did not link an anonymous conversation");
    return [];
  }
}
