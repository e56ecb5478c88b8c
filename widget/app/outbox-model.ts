import { computed, createModel } from "@preact/signals";
import type { Outgoing, SentMessage } from "../../shared/api/conversation.ts";
import type { Attachment } from "../../shared/attachment.ts";
import { cleaned, codePoints } from "../../shared/characters.ts";
import type { Conversation } from "../../shared/conversation.ts";
import { createOutbox } from "../client/outbox.ts";
import { applyConversation, applyMessage } from "./apply-own.ts";
import type { BffClient } from "./bff-client.ts";
import { ChatFailure, failureFrom, isFailure } from "./chat-failure.ts";
import type { ConnectionModel } from "./connection-model.ts";
import type { ConversationLog } from "./conversation-log.ts";
import type { Environment } from "./environment.ts";
import { MAX_WAITING, type Pending } from "./log-state.ts";
import type { SessionModel } from "./session-model.ts";
import type { StoredDrafts } from "./stored-drafts.ts";

/** While nothing answers, this many attempts, in about a minute; then the customer decides. */
const ATTEMPTS = 4;
/** Without a network an attempt is still made now and then, because the device's report may be wrong. */
const OFFLINE_MS = 30_000;

export interface OutboxModelDeps {
  readonly environment: Pick<Environment, "isOnline" | "random" | "randomId" | "setTimer" | "tabs">;
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

/** Whether the message began the conversation: the BFF says when, or only the entry of its start is before it. */
const isBegunBy = ({ seq }: SentMessage, { startedAt }: Conversation) => startedAt !== undefined || seq <= 2;

/**
 * The customer's messages that the service has not confirmed. They are sent one after another, so that the service's
 * order is the order in which the customer wrote. A message whose answer confirms nothing is unconfirmed at once; if
 * nothing answers, it is sent again with the same key.
 */
export const OutboxModel = createModel((deps: OutboxModelDeps) => {
  const { client, session, log, drafts, connection } = deps;
  const { isOnline, random, randomId, setTimer, tabs } = deps.environment;
  const pending = computed(() => log.state.value.pending);
  const isFull = computed(() => pending.value.length + drafts.hiddenCount.value >= MAX_WAITING);
  let cancelWait = (): void => undefined;
  let attempts = 0;
  /** Since the running attempt began its session has ended, and taken its conversation along. */
  let isSessionOver = false;

  const isHere = (key: string) => pending.value.some(({ clientMessageId }) => clientMessageId === key);

  const outbox = createOutbox<Pending>({
    read: () => pending.value,
    write: (next) => log.commit({ ...log.state.value, pending: next }),
    laneOf: () => "",
    async deliver(take) {
      let into: string | undefined;
      isSessionOver = false;
      const answer = await session.withToken(async (token) => {
        // The session restores an earlier page's messages, or proves that this one has arrived.
        const next = take();
        if (!next) return undefined;
        const attachments = next.attachments?.map(({ id }) => id);
        const { clientMessageId, body } = next;
        into = log.state.value.conversation?.id;
        isSessionOver = false;
        const sent = { ...next, by: session.customer()?.externalId };
        log.commit({ ...log.state.value, pending: pending.value.map((one) => (one === next ? sent : one)) });
        return deliver(token, { clientMessageId, body, ...(attachments && { attachments }) });
      });
      attempts = 0;
      const before = log.state.value;
      // Meanwhile its conversation was erased, and the message with it, or the next one began, which does not have it, or
      // its session ended.
      if (!answer || isSessionOver || (!answer.conversation && before.conversation?.id !== into)) return;
      const { message, conversation } = answer;
      const isKnown = !conversation || conversation.id === before.conversation?.id;
      if (isKnown || isBegunBy(message, conversation)) {
        log.commit(applyMessage(conversation ? applyConversation(before, conversation) : before, message));
        // An ended conversation that goes on has to be followed again.
        if (isKnown && before.conversation?.status === "open") return;
        connection.follow();
      } else {
        // Another device began it. The session reads its newest page, which is no news and may be long.
        await session.refresh();
        log.report({ type: "message.sent", message });
      }
      tabs.post("started");
    },
    onFailure({ clientMessageId }, error) {
      const failure = failureFrom(error);
      // The conversation of a session that ended may have it and can't be read: in the next one it might arrive again.
      if (failure.isSilence && !isSessionOver) waitOrDoubt(clientMessageId, failure);
      else setDoubt(clientMessageId, failure);
    },
  });

  const deliver = async (token: string, message: Outgoing): Promise<Delivered> => {
    if (log.state.value.conversation?.status !== "open") return client.startConversation(token, message);
    try {
      return { message: await client.sendMessage(token, message) };
    } catch (error) {
      // It is full, or ended elsewhere, which this screen did not know: the same message, with its key, starts the next one.
      const isOver = isFailure(error, "conversation_ended", "conversation_full", "no_conversation");
      if (!isOver) throw error;
      // If the service lost it, what it had confirmed there is in doubt before the next one replaces it.
      if (isFailure(error, "no_conversation")) await session.refresh();
      if (!isHere(message.clientMessageId)) throw error;
      return client.startConversation(token, message);
    }
  };

  const waitOrDoubt = (key: string, failure: ChatFailure) => {
    const isCut = !isOnline();
    // What failed just before the device noticed does not count, however long it stays without a network or asleep.
    attempts = isCut ? 0 : attempts + 1;
    if (attempts >= ATTEMPTS) return setDoubt(key, failure);
    outbox.pause();
    cancelWait = setTimer(hurry, isCut ? OFFLINE_MS : 1000 * 4 ** (attempts - 1) * (1 - random() / 2));
  };

  const hurry = () => {
    cancelWait();
    outbox.resume();
  };

  const leaveFiles = (key: string) => {
    const isIt = (one: Pending) => one.clientMessageId === key && one.body !== "";
    const next = pending.value.map((one) => (isIt(one) ? { ...one, attachments: undefined } : one));
    log.replace({ ...log.state.value, pending: next });
  };

  const setDoubt = (key: string, failure: ChatFailure) => {
    attempts = 0;
    // Each Retry with the file would be refused. The customer can attach it again.
    if (failure.code === "file_gone") leaveFiles(key);
    outbox.doubt(key, failure);
  };

  const insist = () => {
    attempts = 0;
    hurry();
  };

  /** Sends an unconfirmed message again, with the same key; a waiting one at once. */
  const retry = (clientMessageId: string) => {
    drafts.take(clientMessageId);
    const one = pending.value.find((known) => known.clientMessageId === clientMessageId);
    if (one?.status === "queued") insist();
    void outbox.retry(clientMessageId);
  };

  client.subscribe((sign) => {
    if (sign === "verified") hurry();
  });
  session.subscribe((change) => {
    if (change.kind !== "started") return;
    const { externalId, identified } = change.answer.customer;
    const isFresh = change.relation === "fresh";
    isSessionOver ||= isFresh;
    // As above, also for an attempt of an earlier page. A customer who signed in may have taken the conversation along.
    const tried = pending.value.find(
      ({ status, by = externalId }) => status === "queued" && by !== externalId && (isFresh || !identified),
    );
    if (tried) setDoubt(tried.clientMessageId, new ChatFailure("support_timeout"));
    void outbox.run("");
  });

  return {
    queuedCount: computed(() => pending.value.filter(({ status }) => status === "queued").length),
    hiddenCount: drafts.hiddenCount,
    isFull,
    isAtRisk: drafts.isAtRisk,
    /** Sends waiting messages at once; a person may do that as often as they like. */
    insist,
    /**
     * Sends a message, with files that the service stored for it. `refused` if it is empty or too long, `full` if too many
     * wait; then nothing changed.
     */
    send(text: string, attachments: readonly Attachment[] = []): "sending" | "refused" | "full" {
      // A paste may bring characters for which the service would refuse the whole message.
      const body = cleaned(text);
      if ((body === "" && attachments.length === 0) || codePoints(body) > session.features.value.maxLength)
        return "refused";
      if (isFull.value) return "full";
      const files = attachments.length > 0 && { attachments };
      void outbox.add({ clientMessageId: randomId(), body, status: "sending", ...files });
      return "sending";
    },
    retry,
    /** The same for all unconfirmed messages, in their order. */
    retryAll(): void {
      for (const { clientMessageId } of pending.value) retry(clientMessageId);
    },
    discard: (clientMessageId: string) => outbox.discard(clientMessageId),
  };
});
