import { Failure } from "../../shared/errors.ts";
import { type Handoff, HandoffStatus } from "../../shared/handoff.ts";
import { requestHandoff } from "../../shared/v1/handoffs.ts";
import { factsOf } from "../feeds/feed-snapshot.ts";
import { transcriptText } from "../feeds/transcript-text.ts";
import { type CurrentConversation, onlyOf } from "../sessions/pointer.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { keepsOwnLog, logOf } from "./own-log.ts";
import { learnEnd } from "./refusal.ts";
import { idempotencyKey } from "./send.ts";

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
  // A service without events may not have the messages, and the person who takes over needs them.
  const own = keepsOwnLog(session) ? logOf(session, conversationId) : undefined;
  const written = own ? await deps.feeds.read(own, 0) : [];
  const transcript = transcriptText(written);
  const request = {
    conversationId,
    ...(reason === undefined ? {} : { reason }),
    ...(summary === undefined ? {} : { currentIntent: summary }),
    ...(transcript === undefined ? {} : { transcript }),
  };
  const key = idempotencyKey("handoff", conversationId, handoffs + 1, reason, summary, transcript);
  const proof = await deps.service
    .call(session, requestHandoff, { request, idempotencyKey: key })
    .catch(async (error: unknown) => {
      throw await learnEnd(deps, { session, conversationId, error });
    });
  // The next request has another key: after a person handed back, the old answer would be false.
  await deps.pointers.change(
    session.customer.externalId,
    onlyOf(conversationId, (now) => ({ ...now, handoffs: handoffs + 1 })),
  );
  const handoff = { id: proof.value.handoff.id, status: statusOf(proof.value.handoff.status) };
  const known = factsOf(written).handoff;
  if (own && (known?.id !== handoff.id || known.status !== handoff.status)) {
    await deps.feeds.append(own, proof, [{ type: `handoff.${handoff.status}`, handoff }]);
  }
  return { handoff, proof };
}

/** Whatever another service calls it, it means that a person was asked, and no more (contract). */
function statusOf(status: string): HandoffStatus {
  const known = HandoffStatus.safeParse(status);
  return known.success ? known.data : "requested";
}

/** @throws Failure not_found for an action that nobody asked for, key_reused for one that was answered otherwise */
export async function findAnswer(
  deps: LinkDeps,
  session: Session,
  conversationId: string,
  { actionId, approved }: { readonly actionId: string; readonly approved: boolean },
): Promise<"answered" | "open"> {
  const { actions = [] } = factsOf(await deps.feeds.read(logOf(session, conversationId), 0));
  const asked = actions.find((action) => action.actionId === actionId);
  if (!asked) throw new Failure("not_found");
  if (asked.approved === undefined) return "open";
  if (asked.approved !== approved) throw new Failure("key_reused");
  return "answered";
}
