import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type * as conversation from "../../shared/api/conversation.ts";
import type { FeedbackChange, FeedbackScore } from "../../shared/feedback.ts";
import { applyFeedback } from "./apply-details.ts";
import type { TargetOf } from "./bff-client.ts";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import { doubtFormer } from "./doubt-former.ts";
import { problemText } from "./problem-texts.ts";
import { answer } from "./reader.ts";
import type { Texts } from "./texts.ts";
import { feedback } from "./wire.ts";

const FEEDBACK: TargetOf<typeof conversation.giveFeedback> = "POST /api/conversation/feedback";
const readFeedback = answer<{ feedback: FeedbackChange }>({ feedback });

/** A press on its way, or whose outcome is not known. */
export interface Press {
  readonly score: FeedbackScore | null;
  readonly failure?: ChatFailure;
}

export type Feedback = ReturnType<typeof createFeedback>;
type ScoredChat = Pick<Chat, "client" | "session" | "conversation" | "report">;

/** The presses in one conversation, by the message's id. */
interface Presses {
  readonly of?: string | undefined;
  readonly all: ReadonlyMap<string, Press>;
}
const NONE: Presses = { all: new Map() };

const made = new WeakMap<ScoredChat, Feedback>();

/** The scores of a chat. A failed press outlives the log, which is not drawn while the customer is identified again. */
export function feedbackOf(chat: ScoredChat): Feedback {
  const feedback = made.get(chat) ?? createFeedback(chat);
  made.set(chat, feedback);
  return feedback;
}

/** The customer's scores of single answers. A score counts as given once the service verifiably has it. */
function createFeedback(chat: ScoredChat) {
  const { client, session, report } = chat;
  const { log, commit, current, onExpiry } = chat.conversation;
  const messages = computed(() => log.value.messages);
  const scores = computed(() => new Map(messages.value.map(({ id, feedback }) => [id, feedback])));
  const pressed = signal(NONE);
  // A service may number the messages of each conversation from the start.
  const presses = computed(() => (pressed.value.of === current.value?.id ? pressed.value : NONE).all);
  const show = (messageId: string, press?: Press) => {
    const all = new Map(presses.value);
    all.delete(messageId);
    if (press) all.set(messageId, press);
    pressed.value = { of: current.value?.id, all };
  };
  onExpiry((former) => {
    const isDoubt = messages.peek().some(({ id }) => presses.peek().get(id)?.failure);
    if (isDoubt) doubtFormer(chat, former, (texts) => texts.rateNotConfirmed);
  });

  return {
    /** By the message's id, as the service last said. */
    scores: scores as ReadonlySignal<ReadonlyMap<string, FeedbackScore | undefined>>,
    presses,
    /** Gives a score, or with null takes it back. */
    async give(messageId: string, score: FeedbackScore | null): Promise<void> {
      const press = presses.value.get(messageId);
      if (press && !press.failure) return;
      show(messageId, { score });
      const mine = current.value?.id;
      const isMine = () => current.value?.id === mine;
      let isDone = false;
      // The stream has the service's order: what it brought after this score is newer than a late answer.
      const leave = scores.subscribe((now) => {
        isDone ||= isMine() && now.has(messageId) && (now.get(messageId) ?? null) === score;
      });
      try {
        const body = { messageId, score };
        const { feedback: taken } = await session.withToken((token) =>
          client.call(FEEDBACK, readFeedback, { token, body }),
        );
        if (taken.messageId !== messageId || taken.score !== score) throw new ChatFailure("not_confirmed");
        if (!isMine()) return;
        if (!isDone) commit(applyFeedback(log.value, taken));
        show(messageId);
      } catch (error) {
        const failure = failureFrom(error);
        const isShown = isMine() && scores.value.has(messageId);
        if (isMine()) show(messageId, isDone || !isShown ? undefined : { score, failure });
        // The stream may have brought the proof although the answer was lost. Another customer's log is not changed.
        if (isDone) return;
        if (!isShown) doubtFormer(chat, mine, (texts) => texts.rateNotConfirmed);
        else report({ type: "said", isUrgent: true, words: (texts) => doubtText(texts, failure) });
      } finally {
        leave();
      }
    },
  };
}

/** Says that a score was not confirmed, and why. */
export const doubtText = (texts: Texts, failure: ChatFailure) =>
  `${texts.rateNotConfirmed} ${problemText(texts, failure)}`;
