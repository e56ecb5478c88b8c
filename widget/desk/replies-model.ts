import { createModel, type ReadonlySignal, signal } from "@preact/signals";
import { MessageBody } from "../../shared/message.ts";
import type { Announcer } from "../client/announcer.ts";
import { createTypingThrottle } from "../client/typing-throttle.ts";
import { applyMessage } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import type { DeskClient } from "./desk-client.ts";
import { createOutbox, type OutboxDeps } from "./outbox.ts";
import { texts } from "./texts.ts";

export interface RepliesModelDeps extends Pick<OutboxDeps, "newId" | "now"> {
  readonly client: Pick<DeskClient, "reply" | "tellTyping">;
  readonly setTimer: (run: () => void, ms: number) => () => void;
  readonly store: BoardStore;
  readonly announcer: Announcer;
  readonly openedId: ReadonlySignal<string | undefined>;
  /** Whether the customer may be shown that this person is writing. */
  readonly mayShowTyping: () => boolean;
  readonly noteFailure: (cause: unknown) => unknown;
}

export type RepliesModel = InstanceType<typeof RepliesModel>;

/** What this person writes: a draft for each conversation, and the replies that the service has not confirmed. */
export const RepliesModel = createModel((deps: RepliesModelDeps) => {
  const { client, store, announcer, openedId, mayShowTyping, noteFailure } = deps;
  const drafts = signal<Readonly<Record<string, string>>>({});
  /** How typing is sent for each conversation. Without an entry, the next change of its draft is sent at once. */
  const typing = new Map<string, () => void>();
  const sendTyping = (id: string) => {
    const send = typing.get(id) ?? createTypingThrottle(() => client.tellTyping(id), deps.setTimer);
    typing.set(id, send);
    send();
  };
  const outbox = createOutbox({
    reply: (id, reply) => client.reply(id, reply),
    newId: deps.newId,
    now: deps.now,
    onConfirmed(conversationId, message) {
      store.commit(applyMessage(store.state.peek(), conversationId, message));
      announcer.say(texts.said.sent);
    },
    onNotConfirmed(_, failure) {
      announcer.say(texts.said.notConfirmed, true);
      noteFailure(failure);
    },
  });
  store.subscribe(({ before, next }) => {
    if (next.opened && next.opened.messages !== before.opened?.messages) outbox.settle(next.opened.messages);
  });

  return {
    drafts: drafts as ReadonlySignal<Readonly<Record<string, string>>>,
    replies: outbox.replies,
    settle: (...settled: Parameters<typeof outbox.settle>) => outbox.settle(...settled),
    setDraft(text: string): void {
      const id = openedId.peek();
      if (id === undefined) return;
      drafts.value = { ...drafts.peek(), [id]: text };
      if (text.trim() === "") typing.delete(id);
      else if (mayShowTyping()) sendTyping(id);
    },
    /** Sends the draft of the open conversation; false if there is nothing that could be sent. */
    reply(): boolean {
      const id = openedId.peek();
      if (id === undefined) return false;
      const body = MessageBody.safeParse(drafts.peek()[id] ?? "");
      if (!body.success) return false;
      const { [id]: _, ...others } = drafts.peek();
      drafts.value = others;
      typing.delete(id);
      void outbox.send(id, body.data);
      return true;
    },
    retry: (clientMessageId: string): Promise<void> => outbox.retry(clientMessageId),
    remove: (clientMessageId: string): void => outbox.remove(clientMessageId),
    clear(): void {
      drafts.value = {};
      outbox.clear();
    },
  };
});
