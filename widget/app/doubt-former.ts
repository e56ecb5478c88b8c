import type { Signal } from "@preact/signals";
import type { ConversationLog } from "./conversation-log.ts";
import type { Texts } from "./texts.ts";

/** What a session that has ended took along. */
export interface StartedOver {
  /** The conversation that was on the screen. */
  readonly id: string;
  /** Sentences about requests for it: nobody can read any more what became of them. */
  readonly doubts: readonly ((texts: Texts) => string)[];
}

/**
 * Says that a request for the conversation `id` is in doubt, if its session has ended meanwhile: its place on the screen
 * is gone, so the doubt is shown in the strip that says that the session has expired. Otherwise does nothing.
 */
export function doubtFormer(
  {
    conversation: { startedOver },
    report,
  }: {
    readonly conversation: { readonly startedOver: Signal<StartedOver | null> };
    readonly report: ConversationLog["report"];
  },
  id: string | undefined,
  doubt: (texts: Texts) => string,
): void {
  const former = startedOver.peek();
  if (!former || former.id !== id) return;
  startedOver.value = { ...former, doubts: [...former.doubts, doubt] };
  report({ type: "said", isUrgent: true, words: doubt });
}
