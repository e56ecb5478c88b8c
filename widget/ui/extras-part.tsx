import { signal } from "@preact/signals";
import type { AftercareModel } from "../app/aftercare.ts";
import type { AttachmentsModel } from "../app/attachments.ts";
import type { Chat } from "../app/chat.ts";
import type { ChatFailure } from "../app/chat-failure.ts";
import type { ContactModel } from "../app/contact-model.ts";
import type { PastModel } from "../app/past-model.ts";
import { problemText } from "../app/problem-texts.ts";
import type { SaveFile, StoredFilesModel } from "../app/stored-files.ts";
import type { SummaryModel } from "../app/summary-model.ts";
import { transcriptOf, transcriptPage } from "../app/transcript.ts";
import { ContactOffer } from "./contact-offer.tsx";
import { DropArea } from "./drop-area.tsx";
import { ErasureStrip } from "./erasure-strip.tsx";
import type { ExtrasPart } from "./extras.ts";
import { AlertIcon } from "./icons.tsx";
import styles from "./menu.module.css";
import { MessageFiles } from "./message-files.tsx";
import { type PanelContext, usePanel } from "./panel-context.ts";
import { PastView } from "./past-view.tsx";
import { RatingForm } from "./rating-form.tsx";
import { wordsWithAddresses } from "./rich-text-words.ts";
import { SoundSwitch } from "./sound-switch.tsx";
import { Strip } from "./strips.tsx";
import { SummaryOffer } from "./summary-offer.tsx";
import { Tray } from "./tray.tsx";

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
  readonly save: SaveFile;
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
  save,
}: ExtrasPartDeps): ExtrasPart {
  const offers = (capability: string) => {
    const session = chat.session.state.value;
    return session.kind === "ready" && session.capabilities.includes(capability);
  };
  const unsaved = signal<ChatFailure | undefined>(undefined);
  /** Saves the whole transcript, or nothing. */
  const saveTranscript = async ({ texts, locale }: PanelContext, isPage: boolean): Promise<void> => {
    const failure = await chat.conversation.earlier.loadAll();
    unsaved.value = failure;
    if (failure) {
      chat.report({ type: "said", isUrgent: true, words: (words) => problemText(words, failure) });
      return;
    }
    const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
    const timeOf = (at: string) => format.format(new Date(at));
    const reader = { texts, timeOf, wordsOf: wordsWithAddresses };
    const said = chat.conversation.log.value;
    if (isPage) {
      const { dir } = document.documentElement;
      const page = transcriptPage(said, reader, { tag: locale, dir: dir || "ltr" });
      save(new Blob([page], { type: "text/html" }), "conversation.html");
      return;
    }
    const text = transcriptOf(said, reader);
    // With a byte order mark, because some programs assume another encoding without it.
    save(new Blob([`\uFEFF${text}`], { type: "text/plain" }), "conversation.txt");
  };

  return {
    erase: () => void aftercare.erase(),
    openPast: past.open,
    Foot: () => (
      <>
        <ErasureStrip aftercare={aftercare} />
        {unsaved.value && <Unsaved failure={unsaved.value} />}
        <Tray attachments={attachments} />
        <PastView past={past} stored={storedInPast} />
        {chat.session.features.value.files && <DropArea />}
      </>
    ),
    Menu({ sound, onDone, onErase }) {
      const panel = usePanel();
      const { texts } = panel;
      return (
        <div class={styles.menu}>
          {sound && <SoundSwitch sound={sound} />}
          {offers("history") && (
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
            {texts.downloadTranscript}
            {(["HTML", "TXT"] as const).map((format) => (
              <button
                key={format}
                type="button"
                aria-label={`${texts.downloadTranscript} ${format}`}
                onClick={() => {
                  void saveTranscript(panel, format === "HTML");
                  onDone();
                }}
              >
                {format}
              </button>
            ))}
          </div>
          {offers("erase") && (
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
    isSummaryOpen: summary.isOpen,
    MessageFiles: (props) => <MessageFiles {...props} stored={stored} />,
    Rating() {
      const conversation = chat.conversation.current.value;
      if (conversation?.status !== "ended" || !offers("rating")) return null;
      return (
        <RatingForm
          key={conversation.id}
          given={conversation.rating}
          stand={aftercare.rating.value}
          unsent={aftercare.unsent}
          onRate={(rating) => void aftercare.rate(rating)}
        />
      );
    },
  };
}

/** Why the transcript could not be saved. */
function Unsaved({ failure }: { readonly failure: ChatFailure }) {
  const { texts } = usePanel();
  return (
    <Strip tone="doubt" icon={<AlertIcon />}>
      {texts.downloadTranscript}: {problemText(texts, failure)}
    </Strip>
  );
}
