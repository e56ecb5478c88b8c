import { computed, createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { Rating } from "../../shared/rating.ts";
import { applyRated } from "./apply-details.ts";
import { askOnScreen } from "./ask-on-screen.ts";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { RequestState } from "./conversation-requests.ts";
import { doubtFormer } from "./doubt-former.ts";
import type { Environment } from "./environment.ts";
import type { ExtrasClient } from "./extras-client.ts";
import { EMPTY_LOG } from "./log-state.ts";
import { problemText } from "./problem-texts.ts";
import type { Texts } from "./texts.ts";

export interface AftercareDeps {
  readonly environment: Pick<Environment, "tabs">;
  readonly client: Pick<ExtrasClient, "rate" | "erase">;
  readonly chat: Pick<Chat, "session" | "conversation" | "composer" | "report">;
}

export type AftercareModel = InstanceType<typeof AftercareModel>;

const IDLE: RequestState = { kind: "idle" };
const ASKING: RequestState = { kind: "asking" };

/** Rating and erasing a conversation. Only what the service verifiably confirmed counts as done. */
export const AftercareModel = createModel(({ environment, client, chat }: AftercareDeps) => {
  const { log, commit } = chat.conversation;
  const rating = signal<RequestState>(IDLE);
  const unsent = signal<Partial<Rating>>({});
  const erasure = signal<RequestState>(IDLE);
  /** Whether the erasure of a conversation that is no longer on the screen is in doubt. */
  const isFormerInDoubt = signal(false);
  /**
   * The conversation left the screen with no other in its place since the erasure began, as when the stream says that it
   * was erased, or the session passed to somebody else.
   */
  let wasGone = false;
  const sayDoubt = (what: "rateNotConfirmed" | "eraseNotConfirmed", failure: ChatFailure) => {
    const words = (texts: Texts) => `${texts[what]} ${problemText(texts, failure)}`;
    chat.report({ type: "said", isUrgent: true, words });
  };
  const id = computed(() => log.value.conversation?.id);
  /** Its session has expired. */
  const isOver = (former: string | undefined) =>
    former !== undefined && chat.conversation.startedOver.peek()?.id === former;
  const rated = computed(() => log.value.conversation?.rating);
  /** The rating that was sent last, until the log has it. */
  let sent: Rating | undefined;
  const thank = () => {
    rating.value = IDLE;
    chat.report({ type: "said", isUrgent: false, words: ({ rateThanks }) => rateThanks });
  };
  let shown: string | undefined;
  // What was written about one conversation, and its failure, does not concern the next one.
  effect(() => {
    unsent.value = {};
    // The conversation is out of reach because the session expired. That does not prove the deletion.
    const isDoubt = erasure.peek().kind === "failed" && isOver(shown);
    shown = id.value;
    if (shown === undefined) {
      wasGone = true;
      isFormerInDoubt.value = false;
    }
    if (shown !== undefined || isDoubt) rating.value = erasure.value = IDLE;
    if (isDoubt) isFormerInDoubt.value = true;
  });
  chat.conversation.onExpiry((former) => {
    if (rating.peek().kind === "failed") doubtFormer(chat, former, (texts) => texts.rateNotConfirmed);
  });
  // Another customer's conversation replaces this one in one batch, so the effect never sees the gap.
  chat.session.subscribe(({ kind }) => {
    if (kind !== "cleared") return;
    wasGone = true;
    isFormerInDoubt.value = false;
  });
  effect(() => {
    const { score, comment } = rated.value ?? {};
    if (!sent || sent.score !== score || sent.comment !== comment) return;
    sent = undefined;
    if (rating.peek().kind === "failed") thank();
  });

  return {
    rating: rating as ReadonlySignal<RequestState>,
    /** What the rating form contains. It stays when the form disappears because the team undid the end. */
    unsent,
    erasure: erasure as ReadonlySignal<RequestState>,
    isFormerInDoubt,
    async rate(given: Rating): Promise<void> {
      const mine = id.peek();
      const before = rating.value;
      if (mine === undefined || before.kind === "asking") return;
      rating.value = ASKING;
      sent = given;
      try {
        const taken = await askOnScreen(chat.session, before, (token) => client.rate(token, given, mine));
        if (id.peek() !== mine) return;
        commit(applyRated(log.value, taken));
        thank();
      } catch (error) {
        if (id.peek() !== mine) return doubtFormer(chat, mine, (texts) => texts.rateNotConfirmed);
        // The log may have brought the proof although the answer was lost.
        if (sent !== given) return thank();
        const failure = failureFrom(error);
        rating.value = { kind: "failed", failure };
        sayDoubt("rateNotConfirmed", unrated(failure));
      }
    },
    /** Erases the conversation for good, and removes it here and in the other tabs once that is verified. */
    async erase(): Promise<void> {
      const mine = id.peek();
      const before = erasure.value;
      if (mine === undefined || before.kind === "asking") return;
      erasure.value = ASKING;
      wasGone = isFormerInDoubt.value = false;
      try {
        await askOnScreen(chat.session, before, (token) => client.erase(token, mine));
        erasure.value = IDLE;
        chat.composer.files.value = [];
        chat.composer.refused.value = [];
        environment.tabs.post(`erased ${mine}`);
        // Unconfirmed messages go with it, except a message that started another conversation meanwhile.
        if (id.peek() === undefined || id.peek() === mine) commit(EMPTY_LOG);
        // Whether there are earlier ones. A failure is in the session's state.
        chat.session.refresh().catch(() => undefined);
      } catch (error) {
        const isShown = id.peek() === mine;
        const failure = failureFrom(error);
        erasure.value = isShown ? { kind: "failed", failure } : IDLE;
        isFormerInDoubt.value = isOver(mine) || !(isShown || wasGone);
        if (isShown || isFormerInDoubt.value) sayDoubt("eraseNotConfirmed", failure);
      }
    },
  };
});

/** Why a rating was not taken. The sentence of a full conversation promises a new one, which no rating starts. */
export function unrated(failure: ChatFailure): ChatFailure {
  return failure.code === "conversation_full" ? new ChatFailure("support_refused") : failure;
}
