import { createHash } from "node:crypto";
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
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** A message that the service verifiably stored. */
export interface Sent {
  readonly message: SentMessage;
  readonly proof: Verified<unknown>;
}

/**
 * Sends one message into an open conversation of the session's customer.
 *
 * @throws Failure not_carried, conversation_ended, no_conversation, and what a call throws
 */
export async function send(
  deps: LinkDeps,
  session: Session,
  conversationId: string,
  outgoing: Outgoing,
): Promise<Sent> {
  const { clientMessageId, body, attachments = [] } = outgoing;
  const request = {
    clientMessageId,
    content: { body, format: "plain" as const },
    attachments: attachments.map((id) => ({ id })),
  };
  try {
    const proof = await deps.service.call(session, sendTurn, { params: { id: conversationId }, request });
    const { message } = proof.value;
    return { message: sentMessageOf(message, outgoing, deps.clock.now()), proof };
  } catch (error) {
    throw await learnLoss(deps, { session, conversationId, error }, clientMessageId);
  }
}

type Confirmed = Pick<SentMessage, "id" | "seq" | "clientMessageId"> & {
  readonly [Name in "body" | "at" | "attachments"]?: SentMessage[Name] | undefined;
};

/** The customer's message as confirmed; fields that the service does not echo are taken from what was sent. */
function sentMessageOf(confirmed: Confirmed, outgoing: Outgoing, now: number): SentMessage {
  const { id, seq, clientMessageId, body, at, attachments } = confirmed;
  return {
    id,
    seq,
    role: "customer",
    body: body ?? outgoing.body,
    at: at ?? new Date(now).toISOString(),
    clientMessageId,
    ...(outgoing.attachments && attachments ? { attachments } : {}),
  };
}
