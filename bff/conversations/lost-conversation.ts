import { Failure } from "../../shared/errors.ts";
import type { RouteDeps } from "../routes/deps.ts";
import type { ConversationPointer } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { offers } from "../upstream/capabilities.ts";
import { isGone } from "../upstream/failure.ts";
import { readTranscript } from "../upstream/transcript.ts";
import { learnFromRefusal, type Place } from "./current-conversation.ts";

/** Messages whose starts are remembered per customer; the oldest is let go beyond it. */
const MAX_STARTED_FOR = 10;

type LostDeps = Pick<RouteDeps, "upstream" | "serviceTokens" | "pointers">;

/** The conversation that was started for this message before, if one was: a retry of it goes there, and starts no other. */
export function startedFor(pointer: ConversationPointer, clientMessageId: string): string | undefined {
  return pointer.startedFor?.find(([key]) => key === clientMessageId)?.[1];
}

/** The starts to remember when `conversationId` was started for this message. */
export function withStart(
  pointer: ConversationPointer,
  clientMessageId: string,
  conversationId: string,
): NonNullable<ConversationPointer["startedFor"]> {
  const others = (pointer.startedFor ?? []).filter(([key]) => key !== clientMessageId);
  return [...others, [clientMessageId, conversationId] as const].slice(-MAX_STARTED_FOR);
}

/**
 * The failure to tell when a turn was refused. A 404 counts as the loss of the conversation only where the transcript, if
 * the service has one, says the same, and where this message did not start a conversation already: a service that answers
 * 404 whatever it is asked would else get one more with each retry.
 */
export async function learnFromTurn(
  error: unknown,
  deps: LostDeps,
  session: Session,
  place: Place,
  clientMessageId: string,
): Promise<unknown> {
  const { externalId } = session.customer;
  if (!isGone(error)) return learnFromRefusal(error, deps.pointers, externalId, place.conversationId);
  if (startedFor(await deps.pointers.read(externalId), clientMessageId) !== undefined) {
    return new Failure("not_confirmed", { cause: "404, and the message has had its start" });
  }
  if (offers(session, "messages") && !(await transcriptIsGone(deps, session, place))) {
    return new Failure("not_confirmed", { cause: "404 to a turn, and the transcript does not agree" });
  }
  return learnFromRefusal(error, deps.pointers, externalId, place.conversationId);
}

/** The same for a file that was refused: without it, a conversation that is gone would refuse each file from then on. */
export async function learnFromFile(
  error: unknown,
  deps: LostDeps,
  session: Session,
  place: Place,
): Promise<unknown> {
  if (isGone(error) && offers(session, "messages") && !(await transcriptIsGone(deps, session, place))) {
    return new Failure("not_confirmed", { cause: "404 to a file, and the transcript does not agree" });
  }
  return learnFromRefusal(error, deps.pointers, session.customer.externalId, place.conversationId);
}

async function transcriptIsGone(deps: LostDeps, session: Session, place: Place): Promise<boolean> {
  const { conversationId, owner } = place;
  try {
    await deps.serviceTokens.lend(
      session,
      (serviceToken) => readTranscript(deps.upstream, { serviceToken, conversationId, after: 0 }),
      owner,
    );
    return false;
  } catch (error) {
    return isGone(error);
  }
}
