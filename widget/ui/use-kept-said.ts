import { useEffect, useRef } from "preact/hooks";
import type { Chat } from "../app/chat.ts";

/** Says once of what was written, to who can't see it, that it is kept here and not confirmed (SAY1). */
export function useKeptSaid(chat: Chat): void {
  const before = useRef(0);
  const count = chat.outbox.queuedCount.value;
  // No effect of the signal: each message would wake it.
  useEffect(() => {
    const isMore = count > before.current;
    before.current = count;
    if (!isMore) return;
    chat.report({
      type: "said",
      isUrgent: false,
      words: (texts) => `${texts.sentence(texts.notConfirmed)} ${texts.kept}`,
    });
  }, [chat, count]);
}
