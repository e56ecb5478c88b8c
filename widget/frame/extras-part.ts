import { createAftercare } from "../app/aftercare.ts";
import { createAttachments } from "../app/attachments.ts";
import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import { createExtrasClient } from "../app/extras-client.ts";
import { createStoredFiles } from "../app/stored-files.ts";
import { uploadByXhr } from "../app/xhr-upload.ts";
import type { ExtrasPart } from "../ui/extras.ts";
import { createExtrasPart } from "../ui/extras-part.tsx";

/** How long a download may take to begin. */
const SAVE_MS = 60_000;

export interface ExtrasDeps {
  readonly chat: Chat;
  readonly environment: Environment;
  readonly document: Document;
}

/** The part of files, rating, transcript and erasing; its style sheet comes with it (docs/decisions/0018-parts.md). */
export function startExtras({ chat, environment, document }: ExtrasDeps): ExtrasPart {
  const save = (file: Blob, name: string) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    environment.setTimer(() => URL.revokeObjectURL(link.href), SAVE_MS);
  };
  const calls = createExtrasClient(environment, chat.client, uploadByXhr);
  const common = { environment, client: calls, chat, addresses: URL, save };
  const stored = createStoredFiles(common);
  const attachments = createAttachments({ ...common, onSent: stored.take });
  return createExtrasPart({ chat, attachments, stored, aftercare: createAftercare(common), save });
}
