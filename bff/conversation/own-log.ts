import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import { sendTurn } from "../../shared/v1/turns.ts";
import type { LogName } from "../feeds/feeds.ts";
import type { Taken } from "../feeds/turns.ts";
import type { Session } from "../sessions/sessions.ts";
import { turnOf } from "../upstream/turn-stream.ts";
import type { Verified } from "../upstream/verified.ts";
import type { LinkDeps } from "./link-deps.ts";
import { learnLoss } from "./refusal.ts";
import { offers } from "./service.ts";

/** Whether the BFF stores the log of what was verified itself, because the service has no events to follow. */
export function keepsOwnLog(session: Pick<Session, "capabilities">): boolean {
  return !offers(session, "events");
}

export function logOf(session: Session, conversationId: string): LogName {
  return { externalId: session.customer.externalId, conversationId };
}

/**
 * Sends a message into a running conversation of a service without events. A service without turns takes only the message
 * that came with the start.
 *
 * @throws Failure not_carried, and what `Turns.send` throws
 */
export async function sendByLog(
  deps: LinkDeps,
  session: Session,
  conversationId: string,
  outgoing: Outgoing,
): Promise<Taken> {
  const { clientMessageId, body, attachments } = outgoing;
  if (attachments !== undefined) throw new Failure("not_carried");
  const log = logOf(session, conversationId);
  if (!offers(session, "turns")) {
    const message = await deps.feeds.find(log, clientMessageId);
    if (message && message.body !== body) throw new Failure("key_reused");
    if (!message) throw new Failure("not_carried");
    return { message };
  }
  const open = (signal: AbortSignal) =>
    deps.service.open(session, sendTurn, turnOf(conversationId, outgoing), signal);
  try {
    return await deps.turns.send({ log, outgoing, open });
  } catch (error) {
    throw await learnLoss(deps, { session, conversationId, error }, clientMessageId);
  }
}

/** Begins the log of a conversation that was verifiably started; `subject` is the message that went with the start. */
export async function beginLog(
  { feeds }: Pick<LinkDeps, "feeds">,
  log: LogName,
  proof: Verified<unknown>,
  subject: Outgoing | undefined,
): Promise<SentMessage | undefined> {
  const started = { type: "conversation.started" as const };
  if (!subject) {
    await feeds.append(log, proof, [started]);
    return undefined;
  }
  const { clientMessageId, body } = subject;
  const message = { id: clientMessageId, role: "customer" as const, body, clientMessageId };
  const entries = await feeds.append(log, proof, [started, { type: "message.created", message }]);
  const entry = entries.at(-1);
  return entry && { ...message, seq: entry.seq, at: entry.at };
}
