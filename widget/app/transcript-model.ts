import { computed, createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Chat } from "./chat.ts";
import type { ChatFailure } from "./chat-failure.ts";
import type { LogState } from "./log-state.ts";
import { problemText } from "./problem-texts.ts";
import type { SaveFile } from "./stored-files.ts";

export interface TranscriptModelDeps {
  readonly chat: Pick<Chat, "conversation" | "report">;
  readonly save: SaveFile;
}

/** Writes the conversation in one format. */
export type WriteTranscript = (said: LogState) => { readonly file: Blob; readonly name: string };

interface Unsaved {
  readonly failure: ChatFailure;
  readonly write: WriteTranscript;
}

export type TranscriptModel = InstanceType<typeof TranscriptModel>;

/** Saves the whole conversation, or nothing. */
export const TranscriptModel = createModel(({ chat, save }: TranscriptModelDeps) => {
  const { current, earlier, log } = chat.conversation;
  const unsaved = signal<Unsaved | undefined>(undefined);
  const id = computed(() => current.value?.id);
  // A failure does not concern the next conversation, nor the next customer.
  effect(() => {
    void id.value;
    unsaved.value = undefined;
  });

  return {
    /** Why it could not be saved, and what to save again. */
    unsaved: unsaved as ReadonlySignal<Unsaved | undefined>,
    async download(write: WriteTranscript): Promise<void> {
      const mine = id.peek();
      let failure: ChatFailure | undefined;
      while (earlier.hasMore.value && !failure) failure = await earlier.load();
      if (id.peek() !== mine) return;
      unsaved.value = failure && { failure, write };
      if (failure) {
        chat.report({ type: "said", isUrgent: true, words: (texts) => problemText(texts, failure) });
        return;
      }
      const { file, name } = write(log.value);
      save(file, name);
    },
  };
});
