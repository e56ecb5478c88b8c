import { hash } from "node:crypto";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import type { Session } from "../sessions/sessions.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { learnLoss } from "./refusal.ts";

/**
 * The key of one action: the same for every attempt, another for the next action (contract, "OURS Idempotency-Key").
 * The request body is part of it, because the same key with another body is refused.
 */
export function idempotencyKey(...parts: readonly (string | number | undefined)[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url");
}

/**
 * Sends one message into an open conversation. Fields that the service does not echo are taken from what was sent.
 * @throws Failure not_carried, conversation_ended, no_conversation, and what a call throws
 */
export async function send(
  deps: LinkDeps,
  session: Session,
  conversationId: string,
  outgoing: Outgoing,
): Promise<Verified<{ readonly message: SentMessage }>> {
  const { clientMessageId, body, attachments: files = [] } = outgoing;
  const request = {
    clientMessageId,
    content: { body, format: "plain" as const },
    attachments: files.map((id) => ({ id })),
  };
  try {
    const proof = await deps.service.call(session, sendTurn, { params: { id: conversationId }, request });
    const role = "customer";
    const now = () => new Date(deps.clock.now()).toISOString();
    return proof.as(({ message: { id, seq, body: stored = body, at = now(), attachments } }) => ({
      message: { id, seq, role, body: stored, at, clientMessageId, ...(files.length > 0 && { attachments }) },
    }));
  } catch (error) {
    throw await learnLoss(deps, { session, conversationId, error }, clientMessageId);
  }
}
