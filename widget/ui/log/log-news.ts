import { type ReadonlySignal, signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Chat } from "../../app/chat.ts";
import type { Place } from "../../elements/follow.ts";

/** Whether nobody sees the log now. */
export const isUnseen = (chat: Chat) => !chat.isOpen.peek() || document.hidden;

/** The first unseen message while nobody looks, otherwise the newest message unless it is the customer's own. */
export function newestOf(content: HTMLElement, isUnseen: boolean): Element | undefined {
  const divider = isUnseen && content.querySelector("[data-new]");
  if (divider) return divider;
  // Reads children instead of searching, because a long log has thousands of elements.
  const section = content.lastElementChild;
  const last = section?.matches("[data-section]") ? section.lastElementChild : null;
  if (!last?.matches("[data-role]:not([data-role=customer])")) return undefined;
  const messages = last.querySelectorAll(':scope > [role="article"]');
  return messages.length > 1 ? messages[messages.length - 1] : last;
}

/** Tracks the first unseen message, and whether a message arrived while the reader was elsewhere in the log. */
export function useNews(chat: Chat, place: ReadonlySignal<Place>) {
  const id = useComputed(() => chat.conversation.current.value?.id);
  // Computed once, because it reads the whole log.
  const firstNew = useMemo(() => signal(chat.conversation.unreadMessages()[0]?.seq), [chat]);
  const hasNews = useSignal(false);
  /** The id of the answer that is aligned to the top: its reader needs no notice when it ends. */
  const beingRead = useRef<string | undefined>(undefined);
  useSignalEffect(() => {
    if (place.value === "end") hasNews.value = false;
    beingRead.current = place.value === "held" ? chat.conversation.log.peek().answer?.messageId : undefined;
  });
  useEffect(() => {
    const unsubscribe = chat.subscribe((happening) => {
      if (happening.type === "message.sent") firstNew.value = undefined;
      const isOfAction = happening.type === "action.requested" || happening.type === "action.changed";
      if (isOfAction && place.peek() !== "end") hasNews.value = true;
      if (happening.type !== "message.received") return;
      const { id, seq } = happening.message;
      if (id === beingRead.current) return;
      if (place.peek() !== "end") hasNews.value = true;
      else if (!isUnseen(chat)) return;
      firstNew.value ??= seq;
    });
    // A reader who leaves has seen what was on the screen.
    const forget = () => {
      if (document.hidden) firstNew.value = undefined;
    };
    document.addEventListener("visibilitychange", forget);
    return () => {
      unsubscribe();
      document.removeEventListener("visibilitychange", forget);
    };
  }, [chat, place, firstNew, hasNews]);
  const conversationId = id.value;
  const known = useRef(conversationId);
  useEffect(() => {
    // A resumed conversation starts where its reader stopped, on whatever device.
    if (conversationId !== known.current) firstNew.value = chat.conversation.unreadMessages()[0]?.seq;
    known.current = conversationId;
  }, [chat, conversationId, firstNew]);
  const wasOpen = useRef(false);
  useSignalEffect(() => {
    const isOpen = chat.isOpen.value;
    if (wasOpen.current && !isOpen) firstNew.value = undefined;
    wasOpen.current = isOpen;
  });
  return { firstNew, hasNews, conversationId };
}
