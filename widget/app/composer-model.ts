import { computed, createModel, signal } from "@preact/signals";
import type { Attachment } from "../../shared/attachment.ts";

export type ComposerModel = InstanceType<typeof ComposerModel>;

/** The text box and the files beside it. */
export const ComposerModel = createModel(() => {
  const draft = signal("");
  const files = signal<readonly Attachment[] | undefined>([]);
  const picked = signal<readonly File[]>([]);
  const suggested = signal("");
  /** The draft, unless it is the page's own suggestion. */
  const ownText = computed(() => (draft.value === suggested.value ? "" : draft.value));
  return {
    draft,
    /** Files that the service stored for the next message; undefined while one of them is not confirmed. */
    files,
    /** Files that the customer gave, and that nothing has looked at yet. */
    picked,
    ownText,
    /** Puts the page's words into the box; what the customer has written there stays. */
    suggest(text: string): void {
      if (!ownText.value) draft.value = suggested.value = text;
    },
    clear(): void {
      draft.value = "";
      files.value = picked.value = [];
    },
  };
});
