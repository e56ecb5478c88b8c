import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { DeskConversation, DeskUser } from "../../shared/desk.ts";
import type { Failure } from "../../shared/errors.ts";
import { applyDeskEvent } from "./apply-desk-event.ts";
import type { BoardStore } from "./board-store.ts";
import { failureFrom, isGone } from "./desk-calls.ts";
import type { DeskClient } from "./desk-client.ts";
import type { OpenedModel } from "./opened-model.ts";
import type { QueueModel } from "./queue-model.ts";
import type { RepliesModel } from "./replies-model.ts";
import type { createUnsent } from "./unsent.ts";

/** What is known of a conversation that can't be read. */
const NONE: Pick<DeskConversation, "messages"> = { messages: [] };

/** What becomes of conversations that the service no longer has: erased ones, and those that a restore took away. */
export function createGone(deps: {
  readonly client: Pick<DeskClient, "read" | "session">;
  readonly store: BoardStore;
  readonly me: ReadonlySignal<DeskUser | undefined>;
  readonly queue: Pick<QueueModel, "noteChanged" | "readQueue">;
  readonly opened: Pick<OpenedModel, "noteErased" | "openedId" | "readAgain">;
  readonly replies: Pick<RepliesModel, "doubtLost" | "sent">;
  readonly unsent: ReturnType<typeof createUnsent>;
  readonly noteFailure: (cause: unknown) => Failure;
  readonly onSignedOut: () => void;
}) {
  const { client, store, me, queue, opened, replies, unsent, noteFailure, onSignedOut } = deps;
  /** Every conversation that was erased since the desk was loaded. */
  const erased = signal<ReadonlySet<string>>(new Set());
  /** A restore replaced the log: a conversation that is gone was not erased, and what is unsent for it stays. */
  let isReplaced = false;
  /** The conversations that a restore took away, of those that were asked for. */
  const lost = signal<readonly string[]>([]);

  /** Removes everything of an erased conversation. */
  const dropErased = (conversationId: string): void => {
    const event = { type: "conversation.erased" } as const;
    queue.noteChanged(conversationId);
    store.commit(applyDeskEvent(store.state.peek(), { type: "conversation.event", conversationId, event }));
    unsent.drop(conversationId);
    opened.noteErased(conversationId);
    erased.value = new Set([...erased.peek(), conversationId]);
  };
  /** Removes what the service does not have. Another window may have signed in at another workspace, which never had it. */
  const dropGone = async (id: string): Promise<void> => {
    const session = await client.session().catch((cause) => void noteFailure(cause));
    if (!session) return;
    if (session.user.id !== me.peek()?.id) return onSignedOut();
    // The list says whether the log was replaced; without it, nothing is removed.
    if (!isReplaced && !(await queue.readQueue())) return;
    if (!isReplaced) return dropErased(id);
    if (!lost.peek().includes(id)) lost.value = [...lost.peek(), id];
    if (store.state.peek().opened?.id !== id) return;
    store.replace({ ...store.state.peek(), opened: undefined });
    opened.readAgain();
  };
  /** Events are not replayed: asks for each conversation with something unsent that the list does not show. */
  const dropUnsentOfErased = async (): Promise<void> => {
    const listed = new Set(store.state.peek().queue.map(({ id }) => id));
    for (const id of unsent.conversations()) {
      if (listed.has(id)) continue;
      await client.read(id).catch((cause) => (isGone(failureFrom(cause)) ? dropGone(id) : undefined));
    }
  };
  /** Asks a restored service for the replies that it had confirmed. A conversation that is gone is not shown any more. */
  const doubtLost = async (): Promise<void> => {
    const sent = replies.sent();
    for (const id of new Set(sent.map(({ conversationId }) => conversationId))) {
      const read = await client.read(id).catch((cause) => {
        if (!isGone(failureFrom(cause))) return NONE;
        if (opened.openedId.peek() !== id) return undefined;
        void dropGone(id);
        return NONE;
      });
      if (!read) continue;
      const confirmed = sent.filter(({ conversationId }) => conversationId === id);
      replies.doubtLost(confirmed, read.messages);
    }
  };

  return {
    erased: erased as ReadonlySignal<ReadonlySet<string>>,
    /** What is unsent for conversations that a restore took away: no list has them. */
    lostUnsent: computed(() =>
      lost.value.map((id) => ({ id, unsent: unsent.textsOf(id) })).filter((each) => each.unsent.length > 0),
    ),
    dropErased,
    dropGone,
    dropUnsentOfErased,
    noteReplaced(): void {
      isReplaced = true;
      void doubtLost();
    },
    /** Nothing is left from before a restore. */
    forget(): void {
      lost.value = [];
      isReplaced = false;
    },
  };
}
