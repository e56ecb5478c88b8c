import { Failure } from "../../shared/errors.ts";
import { endConversation, reopenConversation } from "../../shared/v1/conversations.ts";
import { afterChoice, epochOf } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { isRefused } from "../upstream/failure.ts";
import { readOwn } from "./history.ts";
import type { LinkDeps } from "./link-deps.ts";
import { ignoreLoss, noteEnd, noteLoss } from "./refusal.ts";
import { offers } from "./service.ts";

/**
 * Makes a past conversation the customer's current one. The one that is open ends first, because nobody would see a reply
 * in it. Writes nothing into the past one: only a message opens it again. The caller holds the customer's lock.
 *
 * @throws Failure not_found, conversation_ended where the service opens none again, and what a call throws
 */
export async function continuePast(deps: LinkDeps, session: Session, reference: string): Promise<string> {
  const { externalId } = session.customer;
  const { id, log } = await readOwn(deps, session, reference);
  const isEnded = log.status !== "open";
  if (isEnded && !offers(session, "reopen")) throw new Failure("conversation_ended");
  const now = await deps.pointers.read(externalId);
  if (now.status === "open" && now.conversationId === id) return id;
  // A conversation that the service lost needs no end.
  if (now.status === "open") await end(deps, session, now.conversationId).catch(ignoreLoss);
  const chosen = { conversationId: id, epoch: epochOf(id, log.epoch) };
  await deps.pointers.change(externalId, (pointer) => afterChoice(pointer, chosen, log.lastSeq, isEnded));
  return id;
}

/** Opens the conversation that the customer chose to continue. The caller holds the customer's lock. */
export async function reopen(deps: LinkDeps, session: Session, conversationId: string): Promise<void> {
  const { externalId } = session.customer;
  try {
    await deps.service.call(session, reopenConversation, { params: { id: conversationId } });
  } catch (error) {
    // The service accepts no more messages in it: the panel says so, and the next try starts another conversation.
    if (isRefused(error, 409) && error.code !== "support_refused")
      await noteEnd(deps, session, conversationId);
    throw (await noteLoss(deps, { session, conversationId, error })) ?? error;
  }
  await deps.pointers.changeAt(externalId, conversationId, (now) => ({ ...now, status: "open" }));
}

/** Ends a conversation. @throws Failure no_conversation if the service lost it: no end is claimed */
export async function end(deps: LinkDeps, session: Session, conversationId: string) {
  const ask = { params: { id: conversationId } };
  const proof = await deps.service.call(session, endConversation, ask).catch(async (error: unknown) => {
    throw (await noteLoss(deps, { session, conversationId, error })) ?? error;
  });
  await noteEnd(deps, session, conversationId);
  return proof.as(() => ({ conversation: { id: conversationId, status: "ended" as const } }));
}
