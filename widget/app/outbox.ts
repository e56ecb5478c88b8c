import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type { FailureCode } from "../../shared/errors.ts";
import { applyConversation, applyDoubt, applyMessage } from "./apply-event.ts";
import type { BffClient } from "./bff-client.ts";
import { type ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import type { Log } from "./log.ts";
import type { Pending } from "./log-state.ts";
import type { SessionLife } from "./session-life.ts";

/** Faults of one message alone; every other fault would meet the next message as well. */
const OWN_FAULTS: ReadonlySet<FailureCode> = new Set([
  "bad_json",
  "bad_request",
  "body_too_large",
  "key_reused",
]);

export interface OutboxDeps {
  readonly client: BffClient;
  readonly session: SessionLife;
  readonly log: Log;
  /** The conversation that messages go to is another one than before. */
  readonly onConversation: () => void;
}

interface Delivered {
  readonly message: SentMessage;
  /** Set when the message went to a conversation that the service started, or found open. */
  readonly conversation?: Awaited<ReturnType<BffClient["startConversation"]>>["conversation"];
}

/** Sends what waits, one after the other, so that the service's order is the order in which the customer wrote. */
export function createOutbox({ client, session, log, onConversation }: OutboxDeps) {
  let isBusy = false;

  const run = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (let next = firstSending(); next; next = firstSending()) await attempt(next);
    } finally {
      isBusy = false;
    }
  };

  const firstSending = () => log.state.value.pending.find((pending) => pending.status === "sending");

  const attempt = async ({ clientMessageId, body }: Pending) => {
    try {
      const answer = await session.withToken((token) => deliver(token, { clientMessageId, body }));
      const before = log.state.value;
      const placed = answer.conversation ? applyConversation(before, answer.conversation) : before;
      log.commit(applyMessage(placed, answer.message));
      if (placed.conversation?.id !== before.conversation?.id) onConversation();
    } catch (error) {
      doubt(clientMessageId, failureFrom(error));
    }
  };

  const deliver = async (token: string, message: Outgoing): Promise<Delivered> => {
    if (log.state.value.conversation?.status !== "open") return client.startConversation(token, message);
    try {
      return { message: await client.sendMessage(token, message) };
    } catch (error) {
      // It was ended elsewhere, and this screen had not heard of it: the same message, by its key, starts the next one.
      if (!isFailure(error, "conversation_ended", "no_conversation")) throw error;
      return client.startConversation(token, message);
    }
  };

  /** The messages behind one that could not be passed on wait for the customer as well: else they would overtake it. */
  const doubt = (clientMessageId: string, failure: ChatFailure) => {
    const behind = OWN_FAULTS.has(failure.code)
      ? []
      : log.state.value.pending.filter((pending) => pending.status === "sending");
    const keys = [clientMessageId, ...behind.map((pending) => pending.clientMessageId)];
    log.commit(applyDoubt(log.state.value, keys, failure));
  };

  return { run: () => void run() };
}
