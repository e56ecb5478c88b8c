import { computed } from "@preact/signals";
import { AftercareModel } from "../app/aftercare.ts";
import { AttachmentsModel } from "../app/attachments.ts";
import type { Chat } from "../app/chat.ts";
import { ContactModel } from "../app/contact-model.ts";
import type { Environment } from "../app/environment.ts";
import { createExtrasClient } from "../app/extras-client.ts";
import { uploadFile } from "../app/panel-upload.ts";
import { createPastClient } from "../app/past-client.ts";
import { PastModel } from "../app/past-model.ts";
import { StoredFilesModel } from "../app/stored-files.ts";
import { SummaryModel } from "../app/summary-model.ts";
import { TranscriptModel } from "../app/transcript-model.ts";
import type { ExtrasPart } from "../ui/extras.ts";
import { createExtrasPart } from "../ui/extras-part.tsx";

/** How long a download may take to begin. */
const SAVE_MS = 60_000;

export interface ExtrasDeps {
  readonly chat: Chat;
  readonly environment: Environment;
  readonly document: Document;
}

/** The part for files, rating, transcript and erasing, including its style sheet (docs/decisions/0018-parts.md). */
export function startExtras({ chat, environment, document }: ExtrasDeps): ExtrasPart {
  const save = (file: Blob, name: string) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    environment.setTimer(() => URL.revokeObjectURL(link.href), SAVE_MS);
  };
  const calls = createExtrasClient(environment, chat.client, uploadFile);
  const common = { environment, client: calls, chat, addresses: URL, save };
  const stored = new StoredFilesModel(common);
  const past = new PastModel({ client: createPastClient(chat.client), chat, environment });
  const reference = computed(() => past.chosen.value?.reference);
  const storedInPast = new StoredFilesModel({ ...common, past: reference });
  const contact = new ContactModel(common);
  const attachments = new AttachmentsModel({ ...common, onSent: stored.take });
  return createExtrasPart({
    chat,
    attachments,
    stored,
    aftercare: new AftercareModel(common),
    past,
    storedInPast,
    contact,
    summary: new SummaryModel(common),
    transcript: new TranscriptModel({ chat, save }),
  });
}
