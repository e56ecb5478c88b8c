import { computed, effect, untracked } from "@preact/signals";
import type * as conversation from "../../shared/api/conversation.ts";
import type { Message } from "../../shared/message.ts";
import type { ApiOperation } from "../../shared/operation.ts";
import { applyEvent } from "./apply-event.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import type { LogState } from "./log-state.ts";
import { readAs, record } from "./reader.ts";
import type { SessionStatus } from "./session-model.ts";
import { seq } from "./wire.ts";

/** So long nothing more must come before it is told how far the customer has read. */
const REST_MS = 1_000;

const READ: Pick<typeof conversation.markRead, "method" | "path"> & Pick<ApiOperation, "method" | "path"> = {
  method: "POST",
  path: "/api/conversation/read",
};
const readMarked = (value: unknown) =>
  readAs(record<{ read: { seq: number } }>({ read: record<{ seq: number }>({ seq }) }), value)?.read.seq;

/** Whether the service keeps how far a customer has read. */
const keepsReading = (session: SessionStatus) =>
  session.kind === "ready" && session.capabilities.includes("read");

/**
 * The messages that the service does not know to be read, oldest first. What stands above the customer's own last words
 * is; where the service keeps no such thing, all of it is.
 */
export function unreadOf(chat: Pick<Chat, "session" | "conversation">): readonly Message[] {
  return keepsReading(chat.session.state.peek()) ? unreadIn(chat.conversation.log.peek()) : [];
}

function unreadIn({ conversation, messages }: LogState): readonly Message[] {
  const own = messages.findLast(({ role }) => role === "customer")?.seq ?? 0;
  const upTo = Math.max(conversation?.read?.customer ?? 0, own);
  return messages.filter((message) => message.role !== "customer" && message.seq > upTo);
}

/**
 * Tells the service how far the customer has read, while they look at the panel: forward alone, and without a word where
 * it fails. Where a conversation is taken up again, and where another screen has read on, the unread count is the service's.
 * @returns what stops it
 */
export function startReading(
  chat: Chat,
  environment: Pick<Environment, "isVisible" | "setTimer">,
): () => void {
  const { client, session } = chat;
  const { log, unread, commit } = chat.conversation;
  const isSeen = () => chat.isOpen.value && (environment.isVisible?.() ?? true);
  const mayTell = computed(() => keepsReading(session.state.value));
  const id = computed(() => chat.conversation.current.value?.id);
  const told = computed(() => chat.conversation.current.value?.read?.customer ?? 0);
  const newest = computed(() => log.value.messages.findLast(({ role }) => role !== "customer")?.seq ?? 0);

  const tell = async (mine: string | undefined, upTo: number) => {
    const marked = await session.withToken((token) =>
      client.call(READ, readMarked, { token, body: { seq: upTo } }),
    );
    if (marked < upTo || id.value !== mine) return;
    commit(applyEvent(log.value, { type: "conversation.read", by: "customer", upTo: marked }));
  };

  let known: string | undefined;
  const stopCounting = effect(() => {
    const [current, , isTold] = [id.value, told.value, mayTell.value];
    if (!isTold) return;
    const isTakenUp = current !== known;
    known = current;
    untracked(() => {
      if (isSeen()) return;
      const left = unreadIn(log.value).length;
      unread.value = isTakenUp ? left : Math.min(unread.value, left);
    });
  });

  let cancel = (): void => undefined;
  const stopTelling = effect(() => {
    const [mine, upTo] = [id.value, newest.value];
    const isDue = mayTell.value && unread.value === 0 && upTo > told.value;
    cancel();
    // Nobody waits for it; what was not told is told with the next message, or when the panel is opened again.
    if (isSeen() && isDue)
      cancel = environment.setTimer(() => void tell(mine, upTo).catch(() => undefined), REST_MS);
  });
  return () => {
    stopCounting();
    stopTelling();
    cancel();
  };
}
