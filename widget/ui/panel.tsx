import { type ReadonlySignal, type Signal, useComputed, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { PanelSettings } from "../../shared/frame-port.ts";
import type { Language } from "../app/language.ts";
import type { Part } from "../app/part.ts";
import { createAnnouncer } from "../client/announcer.ts";
import { ErrorBoundary } from "../elements/error-boundary.tsx";
import { isComposing } from "../elements/is-composing.ts";
import { BrokenPanel } from "./broken-panel.tsx";
import { Composer, HeldBox } from "./composer/composer.tsx";
import { useGivenFiles } from "./composer/given-files.ts";
import { Suggestions } from "./composer/suggestions.tsx";
import type { ConversationPart } from "./conversation-part.ts";
import { EventAnnouncer } from "./event-announcer.tsx";
import { Header } from "./header.tsx";
import { PlainLog } from "./log/plain-log.tsx";
import styles from "./panel.module.css";
import { PanelActions } from "./panel-actions.tsx";
import { PanelContext, usePanel } from "./panel-context.ts";
import { PastEntry } from "./past/past-entry.tsx";
import { Strips } from "./strips.tsx";
import { useBackButton } from "./use-back-button.ts";
import { useLineAnnouncement } from "./use-line-announcement.ts";
import { useQuestion } from "./use-question.ts";
import { useAnswerer } from "./who-answers.ts";

/** Long enough for every screen reader to notice, short enough that nobody finds the text again. */
const SPOKEN_MS = 4_000;

interface OwnProps {
  readonly settings: ReadonlySignal<Pick<PanelSettings, "suggestions">>;
  /** Renders the conversation; loaded as soon as there is one, or the customer writes. */
  readonly part: Part<ConversationPart>;
  /** Counts the gestures that opened the panel; each moves the focus to the composer. */
  readonly focusCalls: Signal<number>;
  /** Loads the server's version of the panel; absent while this one is whole. */
  readonly onReload?: (() => void) | undefined;
  /** Absent if the panel can't be closed. */
  readonly onClose: (() => void) | undefined;
}

export interface PanelProps extends OwnProps, Pick<PanelContext, "chat" | "environment" | "extras"> {
  readonly language: ReadonlySignal<Language>;
}

/** The whole panel, or a way on when it can't be rendered. */
export function Panel({ chat, language, environment, extras, ...props }: PanelProps) {
  const { tag: locale, texts } = language.value;
  const box = useRef<HTMLTextAreaElement>(null);
  const announcer = useMemo(() => createAnnouncer(environment.setTimer, SPOKEN_MS), [environment]);
  const panel = useMemo(
    () => ({
      chat,
      texts,
      locale,
      environment,
      announcer,
      extras,
      focusComposer: () => box.current?.focus(),
    }),
    [chat, texts, locale, environment, announcer, extras],
  );
  return (
    <PanelContext.Provider value={panel}>
      <ErrorBoundary fallback={(reload) => <BrokenPanel onReload={reload} onClose={props.onClose} />}>
        <WholePanel {...props} box={box} />
      </ErrorBoundary>
    </PanelContext.Provider>
  );
}

/** Header, log, unconfirmed requests and the composer. */
function WholePanel({
  settings,
  part,
  focusCalls,
  onReload,
  onClose,
  box,
}: OwnProps & { box: { current: HTMLTextAreaElement | null } }) {
  const { chat, texts, environment, extras, focusComposer } = usePanel();
  const question = useQuestion();
  const { onFiles, onTransfer } = useGivenFiles();
  const isEmpty = useComputed(
    () =>
      chat.conversation.log.value.messages.length + chat.conversation.log.value.pending.length === 0 &&
      !chat.session.isResuming.value,
  );
  useSignalEffect(() => {
    // Once the part is loaded, no signal is read, so a message does not run this effect again.
    const { draft } = chat.composer;
    if (!part.it.value && (!isEmpty.value || draft.value !== "" || chat.conversation.current.value))
      part.want();
  });
  const drawn = part.it.value;
  const more = extras.it.value;

  const calls = focusCalls.value;
  // Before the browser paints, so that a customer who pressed the launcher can type at once.
  useLayoutEffect(() => {
    if (calls > 0) focusComposer();
  }, [calls, focusComposer]);

  const steadyPress = useMemo(() => drawn?.createSteadyPress(environment.now), [drawn, environment]);
  const goBack = () => {
    if (!question.leave()) onClose?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || isComposing(event) || event.defaultPrevented) return;
    event.preventDefault();
    goBack();
  };
  useBackButton(onClose && chat.isOpen.value ? goBack : undefined);
  const answerer = useAnswerer();
  useLineAnnouncement(answerer);
  // While another customer may be signing in, nothing of the conversation is rendered or left in a live region or text box.
  const { kind, claimed } = chat.identity.who.value;
  const isHeld = kind === "changing";
  const wasWriting = useRef(false);
  // Read in each render with a box; the last one is that which removes it.
  if (box.current) wasWriting.current = document.activeElement === box.current;
  // The box of a hold, and the one after it, are new elements, because a browser undoes what the former customer typed.
  // Only a customer who was writing gets the focus: on a phone it opens the keyboard.
  useLayoutEffect(() => {
    if (wasWriting.current && document.hasFocus() && document.activeElement === document.body)
      focusComposer();
  }, [isHeld, claimed, focusComposer]);
  const greeting = isEmpty.value ? texts.greeting : undefined;
  return (
    <section
      class={styles.panel}
      role={onClose ? "dialog" : "region"}
      aria-label={texts.panel}
      data-first={greeting && !isHeld ? "" : undefined}
      onKeyDown={onKeyDown}
      onClickCapture={steadyPress}
      onPaste={onTransfer}
      onDragOver={onTransfer}
      onDrop={onTransfer}
    >
      <Header greeting={isHeld ? texts.checkingIdentity : greeting} answerer={answerer} onClose={onClose}>
        {drawn && !isHeld && <drawn.More sound={drawn.sound} onErase={() => question.ask("Erase")} />}
      </Header>
      {!isHeld && (drawn ? <drawn.LogView /> : <PlainLog />)}
      <div class={styles.foot}>
        <Strips part={drawn} onReload={onReload} />
        {isHeld ? (
          (wasWriting.current || chat.composer.held.value) && <HeldBox key={claimed} box={box} />
        ) : (
          <>
            {more && <more.Foot />}
            <PastEntry />
            {isEmpty.value && <Suggestions setting={settings.value.suggestions} />}
            <Composer box={box} onFiles={onFiles} />
            <PanelActions onEnd={() => question.ask("End")} />
          </>
        )}
      </div>
      {!isHeld && question.current && drawn && (
        <drawn.Confirm
          what={question.current}
          onKeep={() => question.leave()}
          onYes={() => {
            if (question.current === "End") void chat.conversation.end();
            else more?.erase();
            question.leave();
          }}
        />
      )}
      <EventAnnouncer words={drawn} />
    </section>
  );
}
