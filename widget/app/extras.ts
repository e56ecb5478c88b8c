import css from "../ui/extras.css?inline";
import { createExtrasPart, type ExtrasPart } from "../ui/extras-part.tsx";
import { createAftercare } from "./aftercare.ts";
import { createAttachments } from "./attachments.ts";
import type { Chat } from "./chat.ts";
import type { Environment } from "./environment.ts";
import { createExtrasClient } from "./extras-client.ts";
import { enExtras } from "./locales/en-extras.ts";
import { createStoredFiles } from "./stored-files.ts";
import type { Words } from "./texts.ts";
import { uploadByXhr } from "./xhr-upload.ts";

/** How long a download may take to begin. */
const SAVE_MS = 60_000;

export interface ExtrasDeps {
  readonly chat: Chat;
  readonly environment: Environment;
  readonly document: Document;
  /** Takes the words that only this part shows. */
  readonly addWords: (words: Words) => void;
}

/** The part of files, rating, transcript and erasing; its style sheet comes with it (docs/decisions/0018-parts.md). */
export function startExtras({ chat, environment, document, addWords }: ExtrasDeps): ExtrasPart {
  addWords(enExtras);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);

  const { client, session, log } = chat.workings;
  const save = (file: Blob, name: string) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    environment.setTimer(() => URL.revokeObjectURL(link.href), SAVE_MS);
  };
  const calls = createExtrasClient(environment, client, uploadByXhr);
  const common = { environment, client: calls, session, log, files: chat.files, addresses: URL, save };
  const stored = createStoredFiles(common);
  const attachments = createAttachments({ ...common, picked: chat.picked, onSent: stored.take });
  return createExtrasPart({ chat, attachments, stored, aftercare: createAftercare(common), save });
}
