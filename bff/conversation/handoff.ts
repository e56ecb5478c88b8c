import type { Handoff } from "../../shared/handoff.ts";
import { handoffStatusOf, requestHandoff } from "../../shared/v1/handoffs.ts";
import { type CurrentConversation, onlyOf } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { learnEnd } from "./refusal.ts";
import { idempotencyKey } from "./send.ts";
import { withWait } from "./wait.ts";

export interface AskedHandoff {
  readonly handoff: Handoff;
  readonly proof: Verified<unknown>;
}

/** Asks for a person in an open conversation. The caller holds the customer's lock. */
export async function askForPerson(
  deps: LinkDeps,
  session: Session,
  { conversationId, handoffs }: CurrentConversation,
  { reason, summary }: { readonly reason?: string | undefined; readonly summary?: string | undefined },
): Promise<AskedHandoff> {
  const request = {
    conversationId,
    ...(reason === undefined ? {} : { reason }),
    ...(summary === undefined ? {} : { currentIntent: summary }),
  };
  const key = idempotencyKey("handoff", conversationId, handoffs + 1, reason, summary);
  const proof = await deps.service
    .call(session, requestHandoff, { request, idempotencyKey: key })
    .catch(async (error: unknown) => {
      throw await learnEnd(deps, { session, conversationId, error });
    });
  // The next request needs another key: after a person handed back, the old answer would be false.
  await deps.pointers.change(
    session.customer.externalId,
    onlyOf(conversationId, (now) => ({ ...now, handoffs: handoffs + 1 })),
  );
  const { id, status, wait } = proof.value.handoff;
  const handoff = { id, status: handoffStatusOf(status), ...(wait ? { wait } : {}) };
  return { handoff: withWait(deps, session, handoff), proof };
}
