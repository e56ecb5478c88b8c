import type { ConversationSnapshot } from "../../shared/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { pause } from "../../shared/server/clock.ts";
import { afterReturn, type ConversationPointer, epochOf, onlyOf } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { isGone } from "../upstream/failure.ts";
import type { LinkDeps } from "./link-deps.ts";

/** A 404 is asked again after this long before the customer's screen is emptied because of it, in ms. */
const SECOND_LOOK_MS = 1_000;

/** The customer's pointer. After a linked conversation ended, it leads to the one that was set aside for it. */
export function enter(
  { pointers }: Pick<LinkDeps, "pointers">,
  session: Session,
): Promise<ConversationPointer> {
  return pointers.change(session.customer.externalId, afterReturn);
}

/**
 * Reads the service's log of a conversation after `after`, and stores its epoch and its end. One failed read does not prove
 * that the conversation is gone: a service that can't show transcripts would otherwise get a new one with each message.
 *
 * @throws Failure no_conversation, where the service says that it has no such conversation
 */
export async function readLog(deps: LinkDeps, session: Session, conversationId: string, after: number) {
  const log = await deps.service.transcript(session, conversationId, after).catch((error: unknown) => {
    throw isGone(error) ? new Failure("no_conversation", { cause: "its transcript is gone" }) : error;
  });
  const epoch = epochOf(conversationId, log.epoch);
  const isEnded = log.status === "ended";
  await deps.pointers.change(
    session.customer.externalId,
    onlyOf(conversationId, (now) => ({ ...now, epoch, ...(isEnded ? { status: "ended" } : {}) })),
  );
  return { epoch, log };
}

/** The customer's conversation as the service has it now; null where there is none. */
export async function readSnapshot(deps: LinkDeps, session: Session): Promise<ConversationSnapshot | null> {
  const pointer = await enter(deps, session);
  if (pointer.status === "none") return null;
  const { conversationId: id, status } = pointer;
  try {
    const known = await readTwice(deps, session, id);
    return { ...known.log, id, status: known.log.status ?? status, epoch: known.epoch };
  } catch (error) {
    if (error instanceof Failure && error.code === "no_conversation") return null;
    throw error;
  }
}

/** The whole log. Only a second 404 shows that there is none: one may be a moment's. */
async function readTwice(deps: LinkDeps, session: Session, conversationId: string) {
  try {
    return await readLog(deps, session, conversationId, 0);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "no_conversation")) throw error;
    await pause(deps.clock, SECOND_LOOK_MS);
    return readLog(deps, session, conversationId, 0);
  }
}
