import { Failure } from "../../shared/errors.ts";
import type { listConversations, searchConversations } from "../../shared/v1/history.ts";
import type { Session } from "../sessions/sessions.ts";
import { isGone } from "../upstream/failure.ts";
import type { LinkDeps } from "./link-deps.ts";
import type { SessionAsk } from "./service.ts";

/** A page of the customer's conversations, or of a search. @throws Failure not_confirmed for another customer's list */
export async function listOwn<O extends typeof listConversations | typeof searchConversations>(
  deps: LinkDeps,
  session: Session,
  operation: O,
  ask: SessionAsk<O>,
) {
  const proof = await deps.readBounds(session.id, () => deps.service.call(session, operation, ask));
  const { customer, conversations, next } = proof.value;
  const { externalId } = session.customer;
  if (customer.externalId !== externalId) {
    throw new Failure("not_confirmed", { cause: "a list of another customer" });
  }
  const pointer = await deps.pointers.read(externalId);
  const now = pointer.status === "none" ? undefined : pointer.conversationId;
  const listed = await Promise.all(
    conversations.map(async ({ id, ...past }) => ({
      ...past,
      reference: await deps.references.create(externalId, id),
      isCurrent: id === now,
    })),
  );
  return proof.as(() => ({ conversations: listed, next }));
}

/** One of them: its newest page before `before`, or of all of it. @throws Failure not_found */
export async function readOwn(deps: LinkDeps, session: Session, reference: string, before?: number) {
  const id = await deps.references.open(session.customer.externalId, reference);
  const log = await deps
    .readBounds(session.id, () => deps.service.transcript(session, id, before))
    .catch((error: unknown) => {
      throw isGone(error) ? new Failure("not_found") : error;
    });
  return { id, log };
}
