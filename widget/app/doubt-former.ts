import type { Chat } from "./chat.ts";
import type { Texts } from "./texts.ts";

/**
 * Says that a request for the conversation `id` is in doubt, if its session has ended meanwhile: its place on the screen
 * is gone, so the doubt is shown in the strip that says that the session has expired. Otherwise does nothing.
 */
export function doubtFormer(
  { conversation: { startedOver }, report }: Pick<Chat, "conversation" | "report">,
  id: string | undefined,
  doubt: (texts: Texts) => string,
): void {
  const former = startedOver.peek();
  if (id === undefined || former?.id !== id) return;
  const both = (texts: Texts) => {
    const before = former.doubt?.(texts) ?? "";
    return before.includes(doubt(texts)) ? before : `${before} ${doubt(texts)}`.trim();
  };
  startedOver.value = { id, doubt: both };
  report({ type: "said", isUrgent: true, words: doubt });
}
