import type { FilesModel } from "./files-model.ts";
import { type FormsModel, factsForm } from "./forms-model.ts";
import type { RepliesModel } from "./replies-model.ts";

interface UnsentDeps {
  readonly replies: RepliesModel;
  readonly files: FilesModel;
  readonly forms: FormsModel;
}

/** What this person has not sent to each conversation: drafts, unconfirmed replies, files and half-filled facts. */
export function createUnsent({ replies, files, forms }: UnsentDeps) {
  return {
    /** The texts for one conversation, and the names of the files. */
    textsOf(id: string): string[] {
      const isOfIt = ({ conversationId }: { readonly conversationId: string }) => conversationId === id;
      const sent = replies.replies.value
        .filter(isOfIt)
        .flatMap(({ body, attachments }) => [body, ...attachments.map(({ name }) => name)]);
      const names = files.files.value.filter(isOfIt).map(({ file }) => file.name);
      const texts = [...sent, replies.drafts.value[id] ?? "", ...names, ...forms.textsOf(factsForm(id))];
      return texts.filter((text) => text.trim() !== "");
    },
    /** The conversations that have something unsent, or had a draft. */
    conversations(): ReadonlySet<string> {
      const unsent = [...replies.replies.peek(), ...files.files.peek()].map((each) => each.conversationId);
      const typed = [...Object.keys(replies.drafts.peek()), ...forms.conversationsOfForms()];
      return new Set([...typed, ...unsent]);
    },
    /** Removes all of it for one conversation. */
    drop: (id: string): void => {
      replies.dropUnsentOf(id);
      files.dropFilesOf(id);
      forms.dropForm(factsForm(id));
    },
  };
}
