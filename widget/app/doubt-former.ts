import type { Chat } from "./chat.ts";
import type { Texts } from "./texts.ts";

/**
 * Says that a request for the conversation `id` is in doubt, if its session has ended meanwhile: its place on the screen
 * is gone, so the doubt is shown beside the word that the session has expired. Otherwise does nothing.
 */
export function doubtFormer(
  { conversation: { startedOver }, report }: Pick<Chat, "conversation" | "report">,
  id: string | undefined,
  doubt: (texts: Texts) => string,
): void {
  if (id === undefined || startedOver.peek()?.id !== id) return;
  startedOver.value = { id, doubt };
  report({ type: "said", isUrgent: true, words: doubt });
}
