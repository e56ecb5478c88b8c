import { useEffect, useMemo, useRef } from "preact/hooks";
import { authorOf } from "../app/author-name.ts";
import type { Chat } from "../app/chat.ts";
import type { Environment } from "../app/environment.ts";
import type { PanelEvent } from "../app/panel-events.ts";
import { problemText } from "../app/problem-texts.ts";
import { nameOfAction, type Texts } from "../app/texts.ts";
import { createAnnouncer } from "../client/announcer.ts";
import styles from "./hidden.module.css";

/** Long enough for every screen reader to notice, short enough that nobody finds the words twice. */
const SPOKEN_MS = 4_000;

/** Says once, to a screen reader, what happened: finished messages, never a growing text; doubts at once. */
export function Announcer(props: {
  chat: Chat;
  texts: Texts;
  setTimer: Environment["setTimer"];
  /** A message without its marks. */
  wordsOf: (body: string) => string;
}) {
  const { chat, setTimer } = props;
  // The language may change while something is being said: it is neither cut off nor said twice.
  const latest = useRef(props);
  latest.current = props;
  const announcer = useMemo(() => createAnnouncer(setTimer, SPOKEN_MS), [setTimer]);
  useEffect(() => {
    const unsubscribe = chat.subscribe((event) => {
      const { texts, wordsOf } = latest.current;
      const said = announcementOf(event, texts, wordsOf);
      if (said && chat.isOpen.peek()) announcer.say(said.text, said.isUrgent);
    });
    return () => {
      unsubscribe();
      announcer.clear();
    };
  }, [chat, announcer]);
  const list = (isUrgent: boolean) =>
    announcer.said.value
      .filter(({ urgent }) => urgent === isUrgent)
      .map(({ id, text }) => <p key={id}>{text}</p>);
  return (
    <div class={styles.hiddenText}>
      <div role="status" aria-live="polite" aria-atomic="false" aria-relevant="additions">
        {list(false)}
      </div>
      <div role="alert" aria-live="assertive" aria-atomic="false" aria-relevant="additions">
        {list(true)}
      </div>
    </div>
  );
}

/** How a message is said while the reader of its marks is not there yet. */
export const asWritten = (body: string): string => body;

/** What is said of a happening; success only of what was verified. */
export function announcementOf(
  happening: PanelEvent,
  texts: Texts,
  wordsOf: (body: string) => string = asWritten,
): { text: string; isUrgent: boolean } | undefined {
  const calm = (text: string) => ({ text, isUrgent: false });
  const urgent = (text: string) => ({ text, isUrgent: true });
  switch (happening.type) {
    case "message.received": {
      const { role, author, notice, body } = happening.message;
      // A note has its words in each language; what an agent said stays what it said, however it ended.
      const words = notice && (role === "system" || !body) ? texts[`notice_${notice}`] : wordsOf(body);
      const choices = happening.message.choices?.map(({ label }) => label ?? texts.talkToPerson) ?? [];
      const offered = choices.length > 0 ? ` ${texts.choices}: ${choices.join(", ")}` : "";
      return calm(`${texts.says(authorOf(texts, role, author?.name))} ${words}${offered}`);
    }
    case "message.sent":
      return calm(texts.messageSent);
    case "message.not_confirmed":
      return urgent(
        `${texts.messageNotConfirmed} ${problemText(texts, { ...happening.pending, code: happening.pending.code ?? "not_confirmed" })}`,
      );
    case "handoff.requested":
      return calm(texts.sentence(texts.markRequested));
    case "handoff.accepted":
      return calm(happening.name ? texts.personJoinedBy(happening.name) : texts.personJoined);
    case "handoff.returned":
      return calm(texts.markReturned);
    case "handoff.failed":
      return calm(texts.personFailed);
    case "conversation.ended":
      return calm(texts.conversationEnded);
    case "conversation.erased":
      return calm(texts.erased);
    case "said":
      return { text: happening.words(texts), isUrgent: happening.isUrgent };
    case "action.requested":
      return calm(texts.actionAsked(nameOfAction(happening.name)));
    case "action.answered":
      return calm(happening.approved ? texts.actionAllowed : texts.actionNotAllowed);
    case "action.not_confirmed":
      return urgent(`${texts.actionNotConfirmed} ${problemText(texts, happening)}`);
    case "handoff.suggested":
      return calm(happening.reason ? texts.personSuggestedFor(happening.reason) : texts.personSuggested);
    case "conversation.started":
      return undefined;
    case "identity.failed":
      return urgent(`${texts.sentence(texts.statusUnknown)} ${problemText(texts, happening)}`);
    case "failed":
      return urgent(`${FAILED[happening.what](texts)} ${problemText(texts, happening)}`);
  }
}

const FAILED: Record<"session" | "handoff" | "end", (texts: Texts) => string> = {
  session: (texts) => texts.unreachable,
  handoff: (texts) => texts.personNotConfirmed,
  end: (texts) => texts.endNotConfirmed,
};
