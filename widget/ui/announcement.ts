import type { AskedAction } from "../../shared/action.ts";
import { actionQuestion } from "../app/action-words.ts";
import { authorOf } from "../app/author-name.ts";
import { wordsOfMessage } from "../app/message-words.ts";
import type { PanelEvent } from "../app/panel-events.ts";
import { isRefusal, problemText } from "../app/problem-texts.ts";
import type { Texts } from "../app/texts.ts";

/** How a loaded conversation is read out. Without it, messages are read with their markup, and no answer or result of an action is read. */
export interface Words {
  /** A message's text without its markup. */
  readonly wordsOf: (body: string) => string;
  readonly wordsOfAction: (texts: Texts, action: AskedAction) => string;
}

/**
 * Returns the text that a screen reader says about an event; success only for what was verified. Undefined if the event
 * needs no text.
 */
export function announcementOf(
  event: PanelEvent,
  texts: Texts,
  words?: Words,
): { text: string; isUrgent: boolean } | undefined {
  const calm = (text: string) => ({ text, isUrgent: false });
  const urgent = (text: string) => ({ text, isUrgent: true });
  switch (event.type) {
    case "message.received": {
      const { role, author, incomplete } = event.message;
      const body = wordsOfMessage(texts, event.message);
      const choices = event.message.choices?.map(({ label }) => label ?? texts.talkToPerson) ?? [];
      const cut = incomplete ? ` ${texts.incomplete}` : "";
      const offered = choices.length > 0 ? ` ${texts.choices}: ${choices.join(", ")}` : "";
      return calm(
        `${texts.says(authorOf(texts, role, author?.name))} ${words?.wordsOf(body) ?? body}${cut}${offered}`,
      );
    }
    case "message.sent":
      return calm(texts.messageSent);
    case "message.not_confirmed":
      return urgent(
        `${texts.messageNotConfirmed} ${problemText(texts, { ...event.pending, code: event.pending.code ?? "not_confirmed" })}`,
      );
    case "handoff.requested":
      return calm(texts.sentence(texts.markRequested));
    case "handoff.accepted":
      return calm(event.name ? texts.personJoinedBy(event.name) : texts.personJoined);
    case "handoff.returned":
      return calm(texts.markReturned);
    case "handoff.failed":
      return calm(texts.sentence(texts.markFailed));
    case "conversation.ended":
      return calm(texts.conversationEnded);
    case "conversation.erased":
      return calm(texts.erased);
    case "said":
      return { text: event.words(texts), isUrgent: event.isUrgent };
    case "action.requested":
      return calm(actionQuestion(texts, event.action));
    case "action.changed":
      return (
        words && {
          text: words.wordsOfAction(texts, event.action),
          isUrgent: event.action.result?.status === "unknown",
        }
      );
    case "handoff.suggested":
      return calm(event.reason ? texts.personSuggestedFor(event.reason) : texts.personSuggested);
    case "conversation.started":
      return undefined;
    case "identity.failed":
      if (event.code === "identity_unavailable") return urgent(problemText(texts, event));
      return urgent(`${texts.sentence(texts.statusUnknown)} ${problemText(texts, event)}`);
    case "failed":
      if (event.code === "no_conversation") return urgent(texts.conversationLost);
      if (event.isOffline) return urgent(texts.sentence(texts.statusOffline));
      if (event.what === "session" && isRefusal(event.code)) return urgent(problemText(texts, event));
      return urgent(`${FAILED[event.what](texts)} ${problemText(texts, event)}`);
  }
}

const FAILED: Record<"session" | "handoff" | "end", (texts: Texts) => string> = {
  session: (texts) => texts.unreachable,
  handoff: (texts) => texts.personNotConfirmed,
  end: (texts) => texts.endNotConfirmed,
};
