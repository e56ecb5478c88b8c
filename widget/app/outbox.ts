import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type { FailureCode } from "../../shared/errors.ts";
import { applyConversation, applyDiscard, applyDoubt, applyKept, applyMessage } from "./apply-own.ts";
import type { BffClient } from "./bff-client.ts";
import { type ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";
import type { Log } from "./log.ts";
import type { SessionLife } from "./session-life.ts";

/** While nothing answers: so many attempts in so long, then the customer decides. */
const ATTEMPTS = 4;
const PATIENCE_MS = 60_000;
/** Without a network an attempt is made now and then all the same: what the device says of itself may be wrong. */
const OFFLINE_MS = 30_000;

/** Faults of one message alone; every other fault would meet the next message as well. */
const OWN_FAULTS: ReadonlySet<FailureCode> = new Set([
  "bad_json",
  "bad_request",
  "body_too_large",
  "key_reused",
]);

export interface OutboxDeps {
  readonly environment: Pick<Environment, "isOnline" | "now" | "random" | "setTimer">;
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

/**
 * Sends what waits, one after the other, so that the service's order is the order in which the customer wrote. An answer
 * that confirms nothing is a doubt at once; where nothing answers, it is tried again by the same key.
 */
export function createOutbox({ environment, client, session, log, onConversation }: OutboxDeps) {
  const { isOnline, now, random, setTimer } = environment;
  let isBusy = false;
  let isWaiting = false;
  let cancelWait = (): void => undefined;
  let attempts = 0;
  let firstAt = 0;

  const run = async () => {
    if (isWaiting) log.commit(applyKept(log.state.value));
    if (isBusy || isWaiting) return;
    isBusy = true;
    try {
      while (!isWaiting && first()) await attempt();
    } finally {
      isBusy = false;
    }
  };

  const first = () => log.state.value.pending.find(({ status }) => status !== "not_confirmed");
  const isHere = (key: string) =>
    log.state.value.pending.some(({ clientMessageId }) => clientMessageId === key);

  const attempt = async () => {
    let key = first()?.clientMessageId ?? "";
    if (attempts === 0) firstAt = now();
    try {
      const answer = await session.withToken(async (token) => {
        // With the session comes what an earlier page left behind, or the proof that this one has arrived.
        const next = first();
        if (!next) return undefined;
        key = next.clientMessageId;
        const attachments = next.attachments?.map(({ id }) => id);
        return deliver(token, { clientMessageId: key, body: next.body, ...(attachments && { attachments }) });
      });
      attempts = 0;
      if (!answer) return;
      const before = log.state.value;
      // Erased while it was on its way: what has arrived there is gone with the rest.
      if (!answer.conversation && !before.conversation) return log.commit(applyDiscard(before, key));
      const placed = answer.conversation ? applyConversation(before, answer.conversation) : before;
      log.commit(applyMessage(placed, answer.message));
      if (placed.conversation?.id !== before.conversation?.id) onConversation();
    } catch (error) {
      const failure = failureFrom(error);
      // Erased meanwhile: nobody waits for it, and it holds up no other.
      if (!isHere(key)) return;
      if (failure.isSilence) keepOrDoubt(key, failure);
      else doubt(key, failure);
    }
  };

  const deliver = async (token: string, message: Outgoing): Promise<Delivered> => {
    if (log.state.value.conversation?.status !== "open") return client.startConversation(token, message);
    try {
      return { message: await client.sendMessage(token, message) };
    } catch (error) {
      // It was ended elsewhere, and this screen had not heard of it: the same message, by its key, starts the next one.
      if (!isFailure(error, "conversation_ended", "no_conversation") || !isHere(message.clientMessageId))
        throw error;
      return client.startConversation(token, message);
    }
  };

  const keepOrDoubt = (key: string, failure: ChatFailure) => {
    if (!first()) return;
    const isCut = !isOnline();
    if (!isCut) attempts += 1;
    if (attempts >= ATTEMPTS || (attempts > 0 && now() - firstAt >= PATIENCE_MS)) return doubt(key, failure);
    isWaiting = true;
    log.commit(applyKept(log.state.value));
    cancelWait = setTimer(goOn, isCut ? OFFLINE_MS : 1000 * 4 ** (attempts - 1) * (1 - random() / 2));
  };

  const goOn = () => {
    cancelWait();
    isWaiting = false;
    void run();
  };

  /** The messages behind one that could not be passed on wait for the customer as well: else they would overtake it. */
  const doubt = (clientMessageId: string, failure: ChatFailure) => {
    attempts = 0;
    const behind = OWN_FAULTS.has(failure.code)
      ? []
      : log.state.value.pending.filter(({ status }) => status !== "not_confirmed");
    const keys = [clientMessageId, ...behind.map((pending) => pending.clientMessageId)];
    log.commit(applyDoubt(log.state.value, keys, failure));
  };

  return {
    run: () => void run(),
    /** Something answers again; or a person wants it now, who may want it as often as they like. */
    hurry(isWanted = false) {
      if (isWanted) attempts = 0;
      if (isWaiting) goOn();
    },
  };
}
