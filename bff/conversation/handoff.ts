import type { Handoff } from "../../shared/handoff.ts";
import { handoffStatusOf, requestHandoff } from "../../shared/v1/handoffs.ts";
import type { CurrentConversation } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { endLearned } from "./refusal.ts";
import { idempotencyKey } from "./send.ts";
import { withWait } from "./wait.ts";

export type AskedHandoff = Verified<{ readonly handoff: Handoff }>;

/** Asks for a person in an open conversation. The caller holds the customer's lock. */
export async function askForPerson(
  deps: LinkDeps,
  session: Session,
  { conversationId, handoffs }: CurrentConversation,
  { reason, summary }: { readonly reason?: string | undefined; readonly summary?: string | undefined },
): Promise<AskedHandoff> {
  const request = { conversationId, reason, currentIntent: summary };
  const key = idempotencyKey("handoff", conversationId, handoffs + 1, reason, summary);
  const proof = await deps.service
    .call(session, requestHandoff, { request, idempotencyKey: key })
    .catch(endLearned(deps, session, conversationId));
  // The next request needs another key: after a person handed back, the old answer would be false.
  await deps.pointers.changeAt(session.customer.externalId, conversationId, (now) => ({
    ...now,
    handoffs: handoffs + 1,
  }));
  return proof.as(({ handoff: { id, status, wait } }) => ({
    handoff: withWait(deps, session, { id, status: handoffStatusOf(status), wait }),
  }));
}
