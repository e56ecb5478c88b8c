import type { AftercareModel } from "../app/aftercare.ts";
import type { AttachmentsModel } from "../app/attachments.ts";
import type { Chat } from "../app/chat.ts";
import type { ContactModel } from "../app/contact-model.ts";
import type { PastModel } from "../app/past-model.ts";
import type { StoredFilesModel } from "../app/stored-files.ts";
import type { SummaryModel } from "../app/summary-model.ts";
import { transcriptOf, transcriptPage } from "../app/transcript.ts";
import type { TranscriptModel, WriteTranscript } from "../app/transcript-model.ts";
import { DropArea } from "./composer/drop-area.tsx";
import { Tray } from "./composer/tray.tsx";
import { ContactOffer } from "./contact-offer.tsx";
import { ErasureStrip } from "./erasure-strip.tsx";
import type { ExtrasPart } from "./extras.ts";
import styles from "./menu.module.css";
import { MessageFiles } from "./message-files.tsx";
import { type PanelContext, usePanel } from "./panel-context.ts";
import { PastView } from "./past/past-view.tsx";
import { Problem } from "./problem.tsx";
import { RatingForm } from "./rating-form.tsx";
import { wordsWithAddresses } from "./rich-text-words.ts";
import { SoundSwitch } from "./sound-switch.tsx";
import { FailureStrip } from "./strips.tsx";
import { SummaryOffer } from "./summary-offer.tsx";

export interface ExtrasPartDeps {
  readonly chat: Chat;
  readonly attachments: AttachmentsModel;
  readonly stored: StoredFilesModel;
  readonly aftercare: AftercareModel;
  readonly past: PastModel;
  readonly contact: ContactModel;
  readonly summary: SummaryModel;
  /** Files of the past conversation that is read. */
  readonly storedInPast: StoredFilesModel;
  readonly transcript: TranscriptModel;
}

/** The components of files, rating, transcript and erasing; loaded on the first use of one of them. */
export function createExtrasPart({
  chat,
  attachments,
  stored,
  aftercare,
  past,
  contact,
  summary,
  storedInPast,
  transcript,
}: ExtrasPartDeps): ExtrasPart {
  const { features } = chat.session;
  const writeIn =
    ({ texts, locale }: PanelContext, isPage: boolean): WriteTranscript =>
    (said) => {
      const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
      const timeOf = (at: string) => format.format(new Date(at));
      const reader = { texts, timeOf, wordsOf: wordsWithAddresses };
      if (isPage) {
        const { dir } = document.documentElement;
        const page = transcriptPage(said, reader, { tag: locale, dir: dir || "ltr" });
        return { file: new Blob([page], { type: "text/html" }), name: "conversation.html" };
      }
      const text = transcriptOf(said, reader);
      // With a byte order mark, because some programs assume another encoding without it.
      return { file: new Blob([`\uFEFF${text}`], { type: "text/plain" }), name: "conversation.txt" };
    };

  return {
    erase: () => void aftercare.erase(),
    openPast: past.open,
    Foot: () => (
      <>
        <ErasureStrip aftercare={aftercare} />
        <UnsavedStrip transcript={transcript} />
        <Tray attachments={attachments} />
        <PastView past={past} stored={storedInPast} />
        {features.value.files && <DropArea />}
      </>
    ),
    Menu({ sound, onDone, onErase }) {
      const panel = usePanel();
      const { texts } = panel;
      return (
        <div class={styles.menu}>
          {sound && <SoundSwitch sound={sound} />}
          {features.value.history && (
            <button
              type="button"
              onClick={() => {
                onDone();
                past.open();
              }}
            >
              {texts.past}
            </button>
          )}
          <div class={styles.saving}>
            <span>{texts.downloadTranscript}</span>
            {(["HTML", "TXT"] as const).map((format) => (
              <button
                key={format}
                type="button"
                aria-label={`${texts.downloadTranscript} ${format}`}
                onClick={() => {
                  void transcript.download(writeIn(panel, format === "HTML"));
                  onDone();
                }}
              >
                {format}
              </button>
            ))}
          </div>
          {features.value.erase && (
            <button type="button" class={styles.danger} onClick={onErase}>
              {texts.eraseConversation}
            </button>
          )}
        </div>
      );
    },
    Contact: () => <ContactOffer key={chat.conversation.current.value?.id ?? ""} contact={contact} />,
    Summary: () => (
      <SummaryOffer key={chat.conversation.current.value?.handoff?.id ?? ""} summary={summary} />
    ),
    isContactOpen: contact.isOpen,
    isSummaryOpen: summary.isOpen,
    MessageFiles: (props) => <MessageFiles {...props} stored={stored} />,
    Rating() {
      const conversation = chat.conversation.current.value;
      if (conversation?.status !== "ended" || !features.value.rating) return null;
      return (
        <RatingForm
          key={conversation.id}
          given={conversation.rating}
          state={aftercare.rating.value}
          unsent={aftercare.unsent}
          onRate={(rating) => void aftercare.rate(rating)}
        />
      );
    },
  };
}

/** Why the transcript could not be saved. */
function UnsavedStrip({ transcript }: { readonly transcript: TranscriptModel }) {
  const { texts } = usePanel();
  const { value } = transcript.unsaved;
  if (!value) return null;
  return (
    <FailureStrip
      text={
        <>
          {texts.downloadTranscript}: <Problem failure={value.failure} />
        </>
      }
      button={texts.retry}
      onPress={() => void transcript.download(value.write)}
    />
  );
}
