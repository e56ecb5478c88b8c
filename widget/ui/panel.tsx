import { type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { PanelSettings } from "../../shared/frame-port.ts";
import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import type { Language } from "../app/language.ts";
import type { Pending } from "../app/log-state.ts";
import type { Part } from "../app/part.ts";
import type { Texts } from "../app/texts.ts";
import { Announcer, asWritten } from "./announcer.tsx";
import { BrokenPanel } from "./broken-panel.tsx";
import buttonStyles from "./button.module.css";
import { Composer } from "./composer.tsx";
import type { ConversationPart } from "./conversation-part.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import type { ExtrasPart } from "./extras.ts";
import { filesOf } from "./files-of.ts";
import { Header } from "./header.tsx";
import { EndIcon, PersonIcon } from "./icons.tsx";
import { LogFrame } from "./log-frame.tsx";
import { once } from "./once.ts";
import styles from "./panel.module.css";
import stripsStyles from "./strips.module.css";
import { Strips } from "./strips.tsx";
import { Suggestions } from "./suggestions.tsx";
import { useBackButton } from "./use-back-button.ts";
import { useCalm } from "./use-calm.ts";
import { whoAnswers } from "./who-answers.ts";

export interface PanelProps {
  readonly chat: Chat;
  readonly language: ReadonlySignal<Language>;
  readonly settings: ReadonlySignal<Pick<PanelSettings, "suggestions">>;
  readonly environment: Pick<Environment, "now" | "setTimer">;
  /** Files, rating, transcript and erasing; wanted by the first use of one of them. */
  readonly extras: Part<ExtrasPart>;
  /** Draws the conversation; wanted as soon as there is one, or somebody writes. */
  readonly part: Part<ConversationPart>;
  /** Counts the gestures that opened the panel; each moves the focus to the composer. */
  readonly focusCalls: Signal<number>;
  /** Absent where there is nobody to close the panel. */
  readonly onClose: (() => void) | undefined;
}

/** The whole panel, or a way on when it can't be rendered. */
export function Panel(props: PanelProps) {
  return (
    <ErrorBoundary
      fallback={(reload) => (
        <BrokenPanel
          texts={props.language.value.texts}
          // While the customer may be changing, nothing of the former one may be shown.
          draft={props.chat.identity.isChanging.value ? "" : props.chat.composer.draft.value}
          onReload={reload}
          onClose={props.onClose}
        />
      )}
    >
      <WholePanel {...props} />
    </ErrorBoundary>
  );
}

/** Who answers, the transcript, what is in doubt, the composer. */
function WholePanel({
  chat,
  language,
  settings,
  environment,
  part,
  extras,
  focusCalls,
  onClose,
}: PanelProps) {
  const { tag, texts } = language.value;
  const box = useRef<HTMLTextAreaElement>(null);
  const asking = useSignal<"End" | "Erase" | undefined>(undefined);
  const conversation = chat.conversation.current;
  const isEmpty = useComputed(
    () =>
      chat.conversation.log.value.messages.length + chat.conversation.log.value.pending.length === 0 &&
      !chat.session.isResuming.value,
  );
  const focusComposer = () => box.current?.focus();
  useSignalEffect(() => {
    // Once it is there nothing more is awaited: no message wakes this again.
    if (!part.it.value && (!isEmpty.value || chat.composer.draft.value !== "" || conversation.value))
      part.want();
  });
  const drawn = part.it.value;
  const more = extras.it.value;

  const calls = focusCalls.value;
  // Before the picture, not after it: who pressed the launcher writes at once.
  useLayoutEffect(() => {
    if (calls > 0) focusComposer();
  }, [calls]);

  const isConfirming =
    asking.value === "Erase" ? !!conversation.value : asking.value && conversation.value?.status === "open";
  const wasConfirming = useRef(false);
  useEffect(() => {
    // Only after the question is gone: until then the composer is inert and takes no focus.
    if (wasConfirming.current && !isConfirming) focusComposer();
    wasConfirming.current = !!isConfirming;
  }, [isConfirming]);
  const leaveConfirm = () => {
    asking.value = undefined;
  };
  const goBack = () => {
    if (asking.value) leaveConfirm();
    else onClose?.();
  };
  const onFiles = (list: FileList | null) => {
    if (!list?.length || !chat.session.features.value.files || chat.identity.isChanging.value) return;
    chat.composer.picked.value = [...chat.composer.picked.value, ...list];
    chat.composer.files.value = undefined;
    extras.want();
  };
  const take = (event: ClipboardEvent | DragEvent) => {
    const given = filesOf(event);
    if (!given) return;
    event.preventDefault();
    extras.want();
    // What is only dragged so far may still be dropped elsewhere.
    if (event.type !== "dragover") onFiles(given);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
    event.preventDefault();
    goBack();
  };
  useBackButton(onClose && chat.isOpen.value ? goBack : undefined);
  // Covered, nothing of the conversation is drawn, and nothing of it is left in any live region or text box.
  const isHeld = chat.identity.isChanging.value;
  const answerer = whoAnswers(
    isHeld ? null : conversation.value,
    chat.session.state.value,
    { connection: useCalm(chat.connection.state, environment), kept: chat.outbox.queuedCount.value },
    chat.session.features.value,
    texts,
  );
  const opening = isEmpty.value ? texts.greeting : undefined;
  return (
    <section
      class={styles.panel}
      role={onClose ? "dialog" : "region"}
      aria-label={texts.panel}
      onKeyDown={onKeyDown}
      onPaste={take}
      onDragOver={take}
      onDrop={take}
    >
      <Header
        texts={texts}
        title={texts.title}
        greeting={isHeld ? texts.checkingIdentity : opening}
        answerer={answerer}
        onClose={onClose}
      >
        {drawn && !isHeld && (
          <drawn.More
            chat={chat}
            texts={texts}
            locale={tag}
            extras={extras}
            onErase={() => {
              asking.value = "Erase";
            }}
          />
        )}
      </Header>
      {isHeld ? (
        <div class={styles.foot}>
          <Strips chat={chat} texts={texts} Standing={drawn?.Standing} />
        </div>
      ) : (
        <>
          {drawn ? (
            <drawn.LogView
              chat={chat}
              texts={texts}
              locale={tag}
              environment={environment}
              extras={extras}
              onFocusLost={focusComposer}
            />
          ) : (
            <PlainLog chat={chat} texts={texts} />
          )}
          <div class={styles.foot} inert={isConfirming}>
            <Strips chat={chat} texts={texts} Standing={drawn?.Standing} />
            {more && <more.Foot texts={texts} />}
            {isEmpty.value && (
              <Suggestions
                texts={texts}
                setting={settings.value.suggestions}
                onChoose={(text) => {
                  chat.outbox.send(text);
                  focusComposer();
                }}
              />
            )}
            <Composer chat={chat} texts={texts} box={box} onFiles={onFiles} />
            {!isConfirming && (
              <Actions
                chat={chat}
                onPerson={() => {
                  void chat.conversation.requestHuman();
                  focusComposer();
                }}
                onEnd={() => {
                  asking.value = "End";
                }}
                names={texts}
              />
            )}
          </div>
          {isConfirming && drawn && (
            <drawn.Confirm
              texts={texts}
              what={asking.value ?? "End"}
              onKeep={leaveConfirm}
              onYes={() => {
                if (asking.value === "End") void chat.conversation.end();
                else more?.erase();
                leaveConfirm();
              }}
            />
          )}
          <Announcer
            chat={chat}
            texts={texts}
            setTimer={environment.setTimer}
            wordsOf={drawn?.wordsOf ?? asWritten}
          />
        </>
      )}
    </section>
  );
}

function stateText(status: Pending["status"], texts: Texts): string {
  if (status === "sending") return texts.sending;
  return status === "queued" ? texts.kept : texts.notConfirmed;
}

/** What stands on its way while nothing can draw it better: the words, and truthfully how they stand. */
function PlainLog({ chat, texts }: { chat: Chat; texts: Texts }) {
  return (
    <LogFrame texts={texts} features={chat.session.features.value}>
      {chat.conversation.log.value.messages.map(({ id, body }) => (
        <p key={id} class={stripsStyles.strip} dir="auto">
          {body}
        </p>
      ))}
      {chat.conversation.log.value.pending.map(({ clientMessageId, body, status }) => (
        <p key={clientMessageId} class={stripsStyles.strip} dir="auto">
          {body} ({stateText(status, texts)})
        </p>
      ))}
    </LogFrame>
  );
}

function Actions(props: {
  chat: Chat;
  names: { talkToPerson: string; endConversation: string };
  onPerson: () => void;
  onEnd: () => void;
}) {
  const { chat, names } = props;
  const conversation = chat.conversation.current.value;
  const isOpen = conversation?.status === "open";
  const status = isOpen ? conversation.handoff?.status : undefined;
  const isWithPeople = status === "requested" || status === "accepted";
  return (
    <div class={styles.actions}>
      {!isWithPeople && (
        <button type="button" class={buttonStyles.quiet} onClick={once(props.onPerson)}>
          <PersonIcon />
          {names.talkToPerson}
        </button>
      )}
      {isOpen && (
        <button type="button" class={buttonStyles.quiet} onClick={once(props.onEnd)}>
          <EndIcon />
          {names.endConversation}
        </button>
      )}
    </div>
  );
}
