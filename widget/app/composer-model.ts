import { computed, createModel, signal } from "@preact/signals";
import type { Attachment } from "../../shared/attachment.ts";
import type { ChatFailure } from "./chat-failure.ts";

/** A file that will not go with a message, and why. The same bytes would be refused again. */
export interface RefusedFile {
  readonly key: string;
  readonly file: File;
  readonly failure: ChatFailure;
}

export type ComposerModel = InstanceType<typeof ComposerModel>;

export const ComposerModel = createModel(() => {
  const draft = signal("");
  const files = signal<readonly Attachment[] | undefined>([]);
  const picked = signal<readonly File[]>([]);
  const refused = signal<readonly RefusedFile[]>([]);
  const suggested = signal("");
  /** The draft, unless it is the page's own suggestion. */
  const ownText = computed(() => (draft.value === suggested.value ? "" : draft.value));
  return {
    draft,
    /** Files that the service stored for the next message; undefined while one of them is unconfirmed. */
    files,
    picked,
    /** Files that were refused. They hold no message back and stay, with the reason, until they are removed. */
    refused,
    ownText,
    /** Puts the page's text into the box; text of the customer's own stays. */
    suggest(text: string): void {
      if (!ownText.value) draft.value = suggested.value = text;
    },
    clear(): void {
      draft.value = "";
      files.value = picked.value = [];
      refused.value = [];
    },
  };
});
