import { computed, effect, untracked } from "@preact/signals";
import type * as conversation from "../../shared/api/conversation.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import { applyEvent } from "./apply-event.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import { readAs, record } from "./reader.ts";
import { seq } from "./wire.ts";

/** The position is sent after this long without another message. */
const REST_MS = 1_000;

const READ: Pick<typeof conversation.markRead, "method" | "path"> & Pick<ApiOperation, "method" | "path"> = {
  method: "POST",
  path: "/api/conversation/read",
};
const readMarked = (value: unknown) =>
  readAs(record<{ read: { seq: number } }>({ read: record<{ seq: number }>({ seq }) }), value)?.read.seq;

/**
 * Sends the service how far the customer has read, while they look at the panel. The position only moves forward, and a
 * failure is not shown. The unread count is the service's when a conversation is resumed or another screen has read on.
 * @returns what stops it
 */
export function sendReadReceipts(
  chat: Chat,
  environment: Pick<Environment, "isVisible" | "setTimer">,
): () => void {
  const { client, session } = chat;
  const { log, unread, commit } = chat.conversation;
  const isSeen = () => chat.isOpen.value && (environment.isVisible?.() ?? true);
  const maySend = computed(() => session.features.value.read);
  const id = computed(() => chat.conversation.current.value?.id);
  const sent = computed(() => chat.conversation.current.value?.read?.customer ?? 0);
  const newest = computed(() => log.value.messages.findLast(({ role }) => role !== "customer")?.seq ?? 0);

  const send = async (mine: string | undefined, upTo: number) => {
    const marked = await session.withToken((token) =>
      client.call(READ, readMarked, { token, body: { seq: upTo } }),
    );
    if (marked < upTo || id.value !== mine) return;
    commit(applyEvent(log.value, { type: "conversation.read", by: "customer", upTo: marked }));
  };

  let known: string | undefined;
  const stopCounting = effect(() => {
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

  const stopSending = effect(() => {
    const [mine, upTo] = [id.value, newest.value];
    const isDue = maySend.value && unread.value === 0 && upTo > sent.value;
    if (!isSeen() || !isDue) return undefined;
    // Nobody waits for it; what was not confirmed is sent with the next message, or when the panel is opened again.
    return environment.setTimer(() => void send(mine, upTo).catch(() => undefined), REST_MS);
  });
  return () => {
    stopCounting();
    stopSending();
  };
}
