import { Failure } from "../../shared/errors.ts";
import type { FeedEvent } from "../../shared/event.ts";
import { readMessages } from "../../shared/v1/messages.ts";
import { afterEnd, afterLoss, afterReopening, startedFor, wasShown } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import { isGone, Refused } from "../upstream/failure.ts";
import type { LinkDeps } from "./link-deps.ts";
import { offers } from "./service.ts";

type Deps = Pick<LinkDeps, "service" | "pointers">;

/** A call about one conversation that failed. */
interface FailedCall {
  readonly session: Session;
  readonly conversationId: string;
  readonly error: unknown;
}

/** Learns from a failure that the conversation has ended, for example because a person resolved it. */
async function learnEnd(deps: Deps, { session, conversationId, error }: FailedCall): Promise<unknown> {
  if (!(error instanceof Refused && error.code === "conversation_ended")) return error;
  await noteEnd(deps, session, conversationId);
  return new Failure("conversation_ended");
}

/** For `catch`: as `learnEnd`, and throws the failure to report. */
export const endLearned =
  (deps: Deps, session: Session, conversationId: string) =>
  async (error: unknown): Promise<never> => {
    throw await learnEnd(deps, { session, conversationId, error });
  };

/** Stores that a conversation has ended. An end whose event (`seq`) is before the customer continued it is ignored. */
export function noteEnd(
  { pointers }: Pick<Deps, "pointers">,
  { customer }: Session,
  conversationId: string,
  seq = Number.POSITIVE_INFINITY,
): Promise<unknown> {
  return pointers.changeAt(customer.externalId, conversationId, (now) =>
    seq > (now.continuesAfter ?? 0) ? afterEnd(now) : now,
  );
}

/**
 * Learns from a message or a file that the service refused whether the conversation has ended or is lost. A 404 counts
 * as a loss only if the transcript (where the service has one) is gone too, and not for a message that started a
 * conversation never shown: a service that answers 404 to everything would get another one with each retry.
 *
 * @returns the failure to report
 */
export async function learnLoss(deps: Deps, call: FailedCall, clientMessageId?: string): Promise<unknown> {
  if (!isGone(call.error)) return learnEnd(deps, call);
  const pointer = await deps.pointers.read(call.session.customer.externalId);
  const isStarted = clientMessageId !== undefined && startedFor(pointer, clientMessageId) !== undefined;
  if (isStarted && (pointer.status === "none" || !wasShown(pointer))) {
    return new Failure("not_confirmed", { cause: "404, and the message has had its start" });
  }
  const lost = await noteLoss(deps, call);
  return lost ?? new Failure("not_confirmed", { cause: "404, and the transcript does not agree" });
}

/**
 * Stores that the service lost the conversation if its 404 says so and the transcript (where it has one) is gone too.
 * The next message then starts another. Returns the failure to report, or undefined if nothing proves a loss.
 */
export async function noteLoss(deps: Deps, call: FailedCall): Promise<Failure | undefined> {
  const { session, conversationId, error } = call;
  let proof = error;
  if (isGone(error) && offers(session, "messages")) {
    const ask = { params: { id: conversationId }, page: { limit: 1 } };
    proof = await deps.service.call(session, readMessages, ask).catch((failure: unknown) => failure);
  }
  if (!isGone(proof)) return undefined;
  const { code } = proof;
  await deps.pointers.changeAt(session.customer.externalId, conversationId, (now) => afterLoss(now, code));
  return new Failure("no_conversation", { cause: "the service does not have it" });
}

/** For `catch`: undefined in place of a conversation that the service lost. */
export function ignoreLoss(error: unknown): undefined {
  if (!(error instanceof Failure && error.code === "no_conversation")) throw error;
}

/** Stores the ends and reopenings that the log's events report, in the order of the log. */
export function createEndListener(
  deps: Pick<LinkDeps, "pointers" | "log">,
  session: Session,
  conversationId: string,
): (event: FeedEvent) => void {
  let stored: Promise<unknown> = Promise.resolve();
  const store = (change: () => Promise<unknown>) => {
    stored = stored
      .then(change)
      .catch(() =>
        deps.log.warn({}, "the end of a conversation could not be stored; the service will report it again"),
      );
  };
  const { externalId } = session.customer;
  const noteOpen = (seq: number) =>
    deps.pointers.changeAt(externalId, conversationId, (now) => afterReopening(now, seq));
  return (event) => {
    if (event.type === "conversation.ended") store(() => noteEnd(deps, session, conversationId, event.seq));
    if (event.type === "conversation.reopened") store(() => noteOpen(event.seq));
  };
}
