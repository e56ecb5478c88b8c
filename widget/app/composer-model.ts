import { computed, createModel, signal } from "@preact/signals";
import type { Attachment } from "../../shared/attachment.ts";
import type { ChatFailure } from "./chat-failure.ts";

/** A file that will not go with a message, and why. The same bytes would be refused again. */
export interface RefusedFile {
  readonly key: string;
  readonly file: File;
  readonly failure: ChatFailure;
}

/** The box with a summary for the team that the customer has not sent. */
export interface UnsentSummary {
  /** The hand-off that it is for. */
  readonly handoffId: string;
  readonly text: string;
  readonly isOpen: boolean;
  /** Software wrote the text, before the customer edited it. */
  readonly isGenerated: boolean;
  /** The text of a request that nothing has confirmed. */
  readonly asked?: string;
}

export type ComposerModel = InstanceType<typeof ComposerModel>;

export const ComposerModel = createModel(() => {
  const draft = signal("");
  const files = signal<readonly Attachment[] | undefined>([]);
  const picked = signal<readonly File[]>([]);
  const refused = signal<readonly RefusedFile[]>([]);
  const suggested = signal("");
  const held = signal("");
  const summary = signal<UnsentSummary | undefined>(undefined);
  /** The draft, unless it is the page's own suggestion. */
  const ownText = computed(() => (draft.value === suggested.value ? "" : draft.value));
  return {
    draft,
    /** Files that the service stored for the next message; undefined while one of them is unconfirmed. */
    files,
    picked,
    /** Files that were refused. They hold no message back and stay, with the reason, until one is sent. */
    refused,
    ownText,
    /** Typed while the customer's identity is checked. Not stored, because nobody knows yet who typed it. */
    held,
    /** The same customer goes on: what they typed meanwhile follows the draft. */
    release(): void {
      draft.value += held.value;
      held.value = "";
    },
    summary,
    /** Puts the page's text into the box; text of the customer's own stays. */
    suggest(text: string): void {
      if (!ownText.value) draft.value = suggested.value = text;
    },
    clear(): void {
      draft.value = held.value = "";
      files.value = picked.value = [];
      refused.value = [];
      summary.value = undefined;
    },
  };
});
