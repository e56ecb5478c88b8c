import { useEffect, useRef } from "preact/hooks";
import type { Chat } from "../../app/chat.ts";

/** Announces once for each waiting message that it is stored here and not confirmed (SAY1). */
export function useWaitingAnnouncement(chat: Chat): void {
  const before = useRef(0);
  const count = chat.outbox.queuedCount.value;
  // Not an effect on the signal, which would run for each message of the log.
  useEffect(() => {
    const isMore = count > before.current;
    before.current = count;
    if (!isMore) return;
    chat.report({
      type: "said",
      isUrgent: false,
      words: (texts) => `${texts.sentence(texts.notConfirmed)} ${texts.queued}`,
    });
  }, [chat, count]);
}
