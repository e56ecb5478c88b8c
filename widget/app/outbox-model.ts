import { computed, createModel, effect } from "@preact/signals";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type { Attachment } from "../../shared/attachment.ts";
import type { FailureCode } from "../../shared/errors.ts";
import {
  applyConversation,
  applyDiscard,
  applyDoubt,
  applyMessage,
  applyQueued,
  applySending,
} from "./apply-own.ts";
import type { BffClient } from "./bff-client.ts";
import { type ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import { codePoints } from "./code-points.ts";
import type { ConnectionModel } from "./connection-model.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment } from "./environment.ts";
import { MAX_WAITING } from "./log-state.ts";
import type { SessionModel } from "./session-model.ts";
import type { StoredDrafts } from "./stored-drafts.ts";

/** While nothing answers, this many attempts in this time; then the customer decides. */
const ATTEMPTS = 4;
const PATIENCE_MS = 60_000;
/** Without a network an attempt is still made now and then: what the device says of itself may be wrong. */
const OFFLINE_MS = 30_000;

/** Faults of one message; every other fault would meet the next message as well. */
const OWN_FAULTS: ReadonlySet<FailureCode> = new Set([
  "bad_json",
  "bad_request",
  "body_too_large",
  "key_reused",
]);

export interface OutboxModelDeps {
  readonly environment: Pick<Environment, "isOnline" | "now" | "random" | "randomId" | "setTimer" | "tabs">;
  readonly client: BffClient;
  readonly session: SessionModel;
  readonly log: ConversationLog;
  readonly drafts: StoredDrafts;
  readonly connection: Pick<ConnectionModel, "follow">;
}

export type OutboxModel = InstanceType<typeof OutboxModel>;

interface Delivered {
  readonly message: SentMessage;
  /** Set when the message went to a conversation that the service started, or found open. */
  readonly conversation?: Awaited<ReturnType<BffClient["startConversation"]>>["conversation"];
}

/**
 * The customer's messages that the service has not confirmed. They are sent one after the other, so that the service's
 * order is the order in which the customer wrote. An answer that confirms nothing is a doubt at once; if nothing answers,
 * the message is sent again with the same key.
 */
export const OutboxModel = createModel((deps: OutboxModelDeps) => {
  const { client, session, log, drafts, connection } = deps;
  const { isOnline, now, random, randomId, setTimer, tabs } = deps.environment;
  const pending = computed(() => log.state.value.pending);
  const isFull = computed(() => pending.value.length + drafts.hiddenCount.value >= MAX_WAITING);
  let isBusy = false;
  let isWaiting = false;
  let cancelWait = (): void => undefined;
  let attempts = 0;
  let firstAt = 0;

  const run = async () => {
    if (isWaiting) log.commit(applyQueued(log.state.value));
    if (isBusy || isWaiting) return;
    isBusy = true;
    try {
      while (!isWaiting && first()) await attempt();
    } finally {
      isBusy = false;
    }
  };

  const first = () => pending.value.find(({ status }) => status !== "not_confirmed");
  const isHere = (key: string) => pending.value.some(({ clientMessageId }) => clientMessageId === key);

  const attempt = async () => {
    let key = first()?.clientMessageId ?? "";
    if (attempts === 0) firstAt = now();
    try {
      const answer = await session.withToken(async (token) => {
        // The session restores an earlier page's messages, or proves that this one has arrived.
        const next = first();
        if (!next) return undefined;
        key = next.clientMessageId;
        const attachments = next.attachments?.map(({ id }) => id);
        return deliver(token, { clientMessageId: key, body: next.body, ...(attachments && { attachments }) });
      });
      attempts = 0;
      if (!answer) return;
      const before = log.state.value;
      // Erased while the message was on its way: it was erased with the rest.
      if (!answer.conversation && !before.conversation) return log.commit(applyDiscard(before, key));
      const placed = answer.conversation ? applyConversation(before, answer.conversation) : before;
      log.commit(applyMessage(placed, answer.message));
      if (placed.conversation?.id === before.conversation?.id) return;
      connection.follow();
      tabs?.post("started");
    } catch (error) {
      const failure = failureFrom(error);
      // Erased meanwhile: nobody waits for it, and it holds up no other.
      if (!isHere(key)) return;
      if (failure.isSilence) waitOrDoubt(key, failure);
      else setDoubt(key, failure);
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

  const waitOrDoubt = (key: string, failure: ChatFailure) => {
    if (!first()) return;
    const isCut = !isOnline();
    if (!isCut) attempts += 1;
    if (attempts >= ATTEMPTS || (attempts > 0 && now() - firstAt >= PATIENCE_MS))
      return setDoubt(key, failure);
    isWaiting = true;
    log.commit(applyQueued(log.state.value));
    cancelWait = setTimer(goOn, isCut ? OFFLINE_MS : 1000 * 4 ** (attempts - 1) * (1 - random() / 2));
  };

  const goOn = () => {
    cancelWait();
    isWaiting = false;
    void run();
  };

  /** The messages after one that could not be delivered wait for the customer as well: else they would overtake it. */
  const setDoubt = (clientMessageId: string, failure: ChatFailure) => {
    attempts = 0;
    const next = OWN_FAULTS.has(failure.code)
      ? []
      : pending.value.filter(({ status }) => status !== "not_confirmed");
    const keys = [clientMessageId, ...next.map((one) => one.clientMessageId)];
    log.commit(applyDoubt(log.state.value, keys, failure));
  };

  const hurry = () => {
    if (isWaiting) goOn();
  };
  const insist = () => {
    attempts = 0;
    hurry();
  };

  client.subscribe((sign) => {
    if (sign === "verified") hurry();
  });
  session.subscribe((change) => {
    if (change.kind === "started") void run();
  });
  effect(() => () => cancelWait());

  return {
    /** How many messages wait here until support can be reached. */
    queuedCount: computed(() => pending.value.filter(({ status }) => status === "queued").length),
    hiddenCount: drafts.hiddenCount,
    /** No further message can wait here. */
    isFull,
    isAtRisk: drafts.isAtRisk,
    /** Sends at once what waits; a person may want that as often as they like. */
    insist,
    /**
     * Sends a message, with files that the service stored for it. `refused` if it is empty or too long, `full` if too many
     * wait; then nothing changed.
     */
    send(text: string, attachments: readonly Attachment[] = []): "sending" | "refused" | "full" {
      // The service would refuse the whole message for control characters, which a paste may bring.
      const body = withoutControls(text.toWellFormed().replace(/\r\n?/g, "\n")).trim();
      if ((body === "" && attachments.length === 0) || codePoints(body) > session.features.value.maxLength)
        return "refused";
      if (isFull.value) return "full";
      log.commit(applySending(log.state.value, randomId(), body, attachments));
      void run();
      return "sending";
    },
    /** Sends an unconfirmed message again, with the same key. */
    retry(clientMessageId: string): void {
      drafts.take(clientMessageId);
      const one = pending.value.find((known) => known.clientMessageId === clientMessageId);
      if (one?.status === "queued") insist();
      if (one?.status !== "not_confirmed") return;
      log.commit(applySending(log.state.value, clientMessageId, one.body, one.attachments));
      void run();
    },
    discard(clientMessageId: string): void {
      log.commit(applyDiscard(log.state.value, clientMessageId));
    },
  };
});

/** The service refuses a text that holds a control character other than line feed and tab. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, (found) => (found === "\n" || found === "\t" ? found : ""));
}
