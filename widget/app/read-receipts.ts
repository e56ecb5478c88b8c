import { computed, effect, untracked } from "@preact/signals";
import type * as conversation from "../../shared/api/conversation.ts";
import { applyRead } from "./apply-details.ts";
import { onScreen, type TargetOf } from "./bff-client.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import { answer, record } from "./reader.ts";
import { seq } from "./wire.ts";

/** The position is sent after this long without another message, or when the panel is closed. */
const REST_MS = 1_000;

const READ: TargetOf<typeof conversation.markRead> = "POST /api/conversation/read";
const readMarked = answer<{ read: { seq: number } }>({ read: record<{ seq: number }>({ seq }) });

/**
 * Reports to the service how far the customer has read, while they look at the panel. The position only moves forward,
 * and a failure is not shown. The unread count is the service's when a conversation is resumed or another screen has
 * read further.
 */
export function sendReadReceipts(chat: Chat, environment: Pick<Environment, "isVisible" | "setTimer">): void {
  const { client, session } = chat;
  const { log, unread, commit } = chat.conversation;
  const isSeen = () => chat.isOpen.value && environment.isVisible();
  const maySend = computed(() => session.features.value.read);
  const id = computed(() => chat.conversation.current.value?.id);
  const sent = computed(() => chat.conversation.current.value?.read?.customer ?? 0);
  const newest = computed(() => log.value.messages.findLast(({ role }) => role !== "customer")?.seq ?? 0);

  const send = async (mine: string, upTo: number) => {
    const { read } = await session.withToken((token) =>
      client.call(READ, readMarked, { token, body: { seq: upTo }, ...onScreen(mine) }),
    );
    if (read.seq < upTo || id.value !== mine) return;
    commit(applyRead(log.value, "customer", read.seq));
  };

  let known: string | undefined;
  effect(() => {
    const [current, , isStored] = [id.value, sent.value, maySend.value];
    if (!isStored) return;
    const isTakenUp = current !== known;
    known = current;
    untracked(() => {
      if (isSeen()) return;
      const left = chat.conversation.unreadMessages().length;
      unread.value = isTakenUp ? left : Math.min(unread.value, left);
    });
  });

  let due: (() => void) | undefined;
  const sendDue = () => {
    due?.();
    due = undefined;
  };
  effect(() => {
    const [mine, upTo] = [id.value, newest.value];
    const isDue = maySend.value && unread.value === 0 && upTo > sent.value;
    if (!isSeen() || !isDue) {
      // A customer who closes the panel has seen what it showed, so it is not unread on the next page.
      if (!chat.isOpen.value) untracked(sendDue);
      return undefined;
    }
    // Not awaited; an unconfirmed position is sent with the next message, or when the panel is opened again.
    due = () => {
      if (mine !== undefined && id.peek() === mine) send(mine, upTo).catch(() => undefined);
    };
    return environment.setTimer(sendDue, REST_MS);
  });
}
