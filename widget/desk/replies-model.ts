import { computed, createModel, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { BodyBesideFiles, type Message } from "../../shared/message.ts";
import type { Announcer } from "../client/announcer.ts";
import type { BrowserStorage } from "../client/browser-storage.ts";
import { createOutbox } from "../client/outbox.ts";
import { createTypingThrottle } from "../client/typing-throttle.ts";
import type { AgentDraftsModel } from "./agent-drafts-model.ts";
import { applyMessage } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import { failureFrom } from "./desk-calls.ts";
import type { DeskClient } from "./desk-client.ts";
import { type FilesModel, storedFiles } from "./files-model.ts";
import { faultOfReply, type Reply } from "./reply.ts";
import { storeUnsent } from "./stored-unsent.ts";
import { texts } from "./texts.ts";

type Keyed = Pick<Message, "clientMessageId">;

export interface RepliesModelDeps {
  readonly tabStorage: BrowserStorage | undefined;
  /** The signed-in person's id. */
  readonly owner: ReadonlySignal<string | undefined>;
  /** The log's epoch when this tab, with the pages before it, first read the list. */
  readonly firstEpoch: Signal<string | undefined>;
  readonly newId: () => string;
  readonly client: Pick<DeskClient, "reply" | "tellTyping">;
  readonly setTimer: (run: () => void, ms: number) => () => void;
  readonly store: BoardStore;
  readonly announcer: Announcer;
  readonly openedId: ReadonlySignal<string | undefined>;
  /** Whether the customer may see that this person is typing. */
  readonly mayShowTyping: () => boolean;
  readonly noteFailure: (cause: unknown) => unknown;
  readonly files: Pick<FilesModel, "files" | "dropStoredFilesOf">;
  readonly agentDrafts: Pick<AgentDraftsModel, "drafted" | "noteEmptied" | "takeDraft">;
}

/** How many confirmed replies a page remembers, the newest ones. */
const MAX_SENT = 200;

export type RepliesModel = InstanceType<typeof RepliesModel>;

/** This person's texts: a draft for each conversation, and the unconfirmed replies. */
export const RepliesModel = createModel((deps: RepliesModelDeps) => {
  const { client, store, announcer, openedId, mayShowTyping, noteFailure } = deps;
  const drafts = signal<Readonly<Record<string, string>>>({});
  /** The typing signals of each conversation. Without an entry, the next change of its draft sends one at once. */
  const typing = new Map<string, () => void>();
  const sendTyping = (id: string) => {
    const send = typing.get(id) ?? createTypingThrottle(() => client.tellTyping(id), deps.setTimer);
    typing.set(id, send);
    send();
  };
  const replies = signal<readonly Reply[]>([]);
  /** What the service confirmed to this page: a restored service may not have it. */
  let sent: readonly Reply[] = [];
  const isFrom = (list: readonly Keyed[]) => {
    const keys = new Set(list.map(({ clientMessageId }) => clientMessageId));
    return ({ clientMessageId }: Keyed) => keys.has(clientMessageId);
  };
  const noteSent = (confirmed: readonly Reply[]) => {
    const isNew = isFrom(confirmed);
    sent = [...sent.filter((one) => !isNew(one)), ...confirmed].slice(-MAX_SENT);
  };
  const stored = storeUnsent({ ...deps, drafts, drafted: deps.agentDrafts.drafted, replies });
  const outbox = createOutbox<Reply>({
    read: () => replies.peek(),
    write: (next) => {
      replies.value = next;
    },
    laneOf: ({ conversationId }) => conversationId,
    async deliver(take) {
      const reply = take();
      if (!reply) return;
      const { conversationId, clientMessageId, body, attachments, fromDraft } = reply;
      const files = attachments.map(({ id }) => ({ id }));
      const message = await client.reply(conversationId, {
        clientMessageId,
        body,
        ...(files.length > 0 ? { attachments: files } : {}),
        ...(fromDraft ? { fromDraft } : {}),
      });
      noteSent([reply]);
      store.commit(applyMessage(store.state.peek(), conversationId, message));
      announcer.say(texts.said.sent);
    },
    onFailure({ clientMessageId }, cause) {
      const failure = failureFrom(cause);
      outbox.doubt(clientMessageId, failure);
      announcer.say(texts.said.notConfirmed, true);
      noteFailure(failure);
    },
  });
  const clearDraft = (id: string) => {
    const { [id]: _, ...others } = drafts.peek();
    drafts.value = others;
    typing.delete(id);
  };
  /** The log contains these messages: replies with their keys are confirmed. */
  const settle = (messages: readonly Message[]) => {
    // Only a person's message can be a reply, because customers choose keys too.
    const isSeen = isFrom(messages.filter(({ role }) => role === "human"));
    const confirmed = replies.peek().filter(isSeen);
    if (confirmed.length === 0) return;
    noteSent(confirmed);
    replies.value = replies.peek().filter((one) => !isSeen(one));
  };
  store.subscribe(({ before, next }) => {
    if (next.opened && next.opened.messages !== before.opened?.messages) settle(next.opened.messages);
  });

  return {
    drafts: drafts as ReadonlySignal<Readonly<Record<string, string>>>,
    replies: replies as ReadonlySignal<readonly Reply[]>,
    /** The conversations that have an unconfirmed reply. */
    unconfirmedIn: computed(
      () => new Set(replies.value.filter(isDoubted).map(({ conversationId }) => conversationId)),
    ),
    settle,
    /** The replies that the service has confirmed to this page. */
    sent: () => sent,
    /** A restored service has only these messages of a conversation: the others of its confirmed replies are in doubt. */
    doubtLost(confirmed: readonly Reply[], messages: readonly Message[]): void {
      const isThere = isFrom([...messages, ...replies.peek()]);
      const lost = sent.filter((one) => confirmed.includes(one) && !isThere(one));
      if (lost.length === 0) return;
      sent = sent.filter((one) => !lost.includes(one));
      const doubts = lost.map((one) => ({ ...one, status: "not_confirmed", code: "not_confirmed" }) as const);
      replies.value = [...doubts, ...replies.peek()];
      announcer.say(texts.said.notConfirmed, true);
    },
    setDraft(text: string): void {
      const id = openedId.peek();
      if (id === undefined) return;
      drafts.value = { ...drafts.peek(), [id]: text };
      if (text.trim() === "") {
        typing.delete(id);
        deps.agentDrafts.noteEmptied(id);
      } else if (mayShowTyping()) sendTyping(id);
    },
    /** Changes a draft without telling the customer that somebody is typing. */
    fillDraft(id: string, text: string): void {
      drafts.value = { ...drafts.peek(), [id]: text };
    },
    /** Sends the draft of the open conversation, if there is anything to send. Says why it can't be sent. */
    reply(): void {
      const id = openedId.peek();
      if (id === undefined) return;
      const attachments = storedFiles(deps.files.files.peek(), id);
      if (!attachments) return;
      const draft = drafts.peek()[id] ?? "";
      const fault = faultOfReply(draft);
      if (fault) {
        announcer.say(fault, true);
        return;
      }
      const isFilesOnly = draft.trim() === "" && attachments.length > 0;
      const body = BodyBesideFiles.safeParse(isFilesOnly ? "" : draft);
      if (!body.success || (body.data === "" && !isFilesOnly)) return;
      clearDraft(id);
      deps.files.dropStoredFilesOf(id);
      void outbox.add({
        conversationId: id,
        clientMessageId: deps.newId(),
        body: body.data,
        attachments,
        fromDraft: deps.agentDrafts.takeDraft(id),
        status: "sending",
      });
    },
    retry: (clientMessageId: string) => outbox.retry(clientMessageId),
    remove: (clientMessageId: string) => outbox.discard(clientMessageId),
    /** The conversation is gone for good: nothing can be sent to it any more. */
    dropUnsentOf(id: string): void {
      clearDraft(id);
      deps.agentDrafts.takeDraft(id);
      const isElsewhere = ({ conversationId }: Reply) => conversationId !== id;
      replies.value = replies.peek().filter(isElsewhere);
      sent = sent.filter(isElsewhere);
    },
    restoreUnsent: (user: string) => stored.restore(user),
    clear(): void {
      drafts.value = {};
      replies.value = [];
      sent = [];
      stored.forget();
    },
  };
});

function isDoubted({ status }: Reply): boolean {
  return status === "not_confirmed";
}
