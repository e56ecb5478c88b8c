import type { Aftercare } from "../app/aftercare.ts";
import type { Attachments } from "../app/attachments.ts";
import type { Chat } from "../app/chat.ts";
import type { SaveFile, StoredFiles } from "../app/stored-files.ts";
import type { Texts } from "../app/texts.ts";
import { transcriptOf } from "../app/transcript.ts";
import { DropArea } from "./drop-area.tsx";
import { ErasureStrip } from "./erasure-strip.tsx";
import type { ExtrasPart } from "./extras.ts";
import styles from "./menu.module.css";
import { MessageFiles } from "./message-files.tsx";
import { RatingForm } from "./rating-form.tsx";
import { SoundSwitch } from "./sound-switch.tsx";
import { Tray } from "./tray.tsx";

export interface ExtrasPartDeps {
  readonly chat: Chat;
  readonly attachments: Attachments;
  readonly stored: StoredFiles;
  readonly aftercare: Aftercare;
  readonly save: SaveFile;
}

/** What the panel shows of files, rating, transcript and erasing; wanted by the first use of one of them. */
export function createExtrasPart({ chat, attachments, stored, aftercare, save }: ExtrasPartDeps): ExtrasPart {
  const offers = (capability: string) => {
    const session = chat.session.state.value;
    return session.kind === "ready" && session.capabilities.includes(capability);
  };
  const saveTranscript = (texts: Texts, locale: string) => {
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "long" });
    const text = transcriptOf(chat.conversation.log.value, texts, (at) => format.format(new Date(at)));
    // With its mark, else some programs take it for another encoding.
    save(new Blob([`\uFEFF${text}`], { type: "text/plain" }), "conversation.txt");
  };

  return {
    erase: () => void aftercare.erase(),
    Foot: ({ texts }) => (
      <>
        <ErasureStrip aftercare={aftercare} texts={texts} />
        <Tray attachments={attachments} texts={texts} />
        {chat.session.features.value.files && <DropArea texts={texts} />}
      </>
    ),
    Menu: ({ texts, locale, sound, onDone, onErase }) => (
      <div class={styles.menu}>
        {sound && <SoundSwitch sound={sound} texts={texts} />}
        <button
          type="button"
          onClick={() => {
            saveTranscript(texts, locale);
            onDone();
          }}
        >
          {texts.downloadTranscript}
        </button>
        {offers("erase") && (
          <button type="button" class={styles.danger} onClick={onErase}>
            {texts.eraseConversation}
          </button>
        )}
      </div>
    ),
    MessageFiles: (props) => <MessageFiles {...props} stored={stored} />,
    Rating: ({ texts }) => {
      const conversation = chat.conversation.current.value;
      if (conversation?.status !== "ended" || !offers("rating")) return null;
      return (
        <RatingForm
          key={conversation.id}
          given={conversation.rating}
          stand={aftercare.rating.value}
          texts={texts}
          onRate={(rating) => void aftercare.rate(rating)}
        />
      );
    },
  };
}
