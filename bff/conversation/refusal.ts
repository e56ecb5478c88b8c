import { Failure } from "../../shared/errors.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { afterLoss, onlyOf, startedFor } from "../sessions/pointer.ts";
import type { Pointers } from "../sessions/pointers.ts";
import type { Session } from "../sessions/sessions.ts";
import { isGone, Refused } from "../upstream/failure.ts";
import { offers, type Service } from "./service.ts";

interface Deps {
  readonly service: Service;
  readonly pointers: Pointers;
}

/** A call about one conversation that failed. */
interface FailedCall {
  readonly session: Session;
  readonly conversationId: string;
  readonly error: unknown;
}

/** Learns from a failure that the conversation has ended, for example because a person resolved it. */
export async function learnEnd({ pointers }: Deps, call: FailedCall): Promise<unknown> {
  const { session, conversationId, error } = call;
  if (!(error instanceof Refused && error.code === "conversation_ended")) return error;
  await noteEnd(pointers, session.customer.externalId, conversationId);
  return new Failure("conversation_ended");
}

export function noteEnd(pointers: Pointers, externalId: string, conversationId: string): Promise<unknown> {
  return pointers.change(
    externalId,
    onlyOf(conversationId, (now) => ({ ...now, status: "ended" })),
  );
}

/**
 * Learns from a message or a file that the service refused whether the conversation has ended or is lost. A 404 counts as
 * a loss only where the transcript, if the service has one, is gone too, and where this message has not started a
 * conversation already: a service that answers 404 to everything would otherwise get one more with each retry.
 *
 * @returns the failure to report
 */
export async function learnLoss(
  deps: Deps,
  call: FailedCall,
  clientMessageId: string | undefined,
): Promise<unknown> {
  const { session, conversationId, error } = call;
  if (!isGone(error)) return learnEnd(deps, call);
  const { externalId } = session.customer;
  const pointer = await deps.pointers.read(externalId);
  if (clientMessageId !== undefined && startedFor(pointer, clientMessageId) !== undefined) {
    return new Failure("not_confirmed", { cause: "404, and the message has had its start" });
  }
  if (offers(session, "messages") && !(await isTranscriptGone(deps.service, session, conversationId))) {
    return new Failure("not_confirmed", { cause: "404, and the transcript does not agree" });
  }
  await deps.pointers.change(externalId, onlyOf(conversationId, afterLoss));
  return new Failure("no_conversation", { cause: "the service does not have it" });
}

async function isTranscriptGone(service: Service, session: Session, id: string): Promise<boolean> {
  try {
    await service.call(session, readMessages, { params: { id } });
    return false;
  } catch (error) {
    return isGone(error);
  }
}
