import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import { Failure } from "../../shared/errors.ts";
import type { LogName } from "../feeds/feeds.ts";
import type { Taken } from "../feeds/turns.ts";
import type { RouteDeps } from "../routes/deps.ts";
import type { Session } from "../sessions/sessions.ts";
import { offers } from "../upstream/capabilities.ts";
import { openTurn } from "../upstream/turn-stream.ts";
import type { Verified } from "../upstream/verified.ts";
import type { Place } from "./current-conversation.ts";
import { learnFromTurn } from "./lost-conversation.ts";

/** Whether the BFF keeps the log of what was verified itself, because the service has no events to follow. */
export function keepsOwnLog(session: Pick<Session, "capabilities">): boolean {
  return !offers(session, "events");
}

/** The log of a conversation: in the name of the customer in whose name the service has it. */
export function logOf(session: Session, { conversationId, owner }: Place): LogName {
  return { externalId: owner ?? session.customer.externalId, conversationId };
}

/**
 * Takes a message into a running conversation of a service without events. One that has no turns either can't carry it;
 * what it took with the start, it took.
 *
 * @throws Failure not_carried, and what `Turns.send` throws
 */
export async function sendByLog(
  deps: RouteDeps,
  session: Session,
  place: Place,
  outgoing: Outgoing,
): Promise<Taken> {
  if (outgoing.attachments !== undefined) throw new Failure("not_carried");
  const log = logOf(session, place);
  if (!offers(session, "turns")) {
    const message = await deps.feeds.find(log, outgoing.clientMessageId);
    if (message && message.body !== outgoing.body) throw new Failure("key_reused");
    if (!message) throw new Failure("not_carried");
    return { message };
  }
  const { conversationId, owner } = place;
  const turn = { conversationId, ...outgoing };
  try {
    return await deps.turns.send({
      log,
      outgoing,
      open: (signal) =>
        deps.serviceTokens.lend(
          session,
          (serviceToken) => openTurn(deps.upstream, { ...turn, serviceToken }, signal),
          owner,
        ),
    });
  } catch (error) {
    throw await learnFromTurn(error, deps, session, place, outgoing.clientMessageId);
  }
}

/** Begins the log of a conversation that was verifiably started; with the message that went with the start as its subject. */
export async function beginLog(
  { feeds }: Pick<RouteDeps, "feeds">,
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
