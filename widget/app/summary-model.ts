import { computed, createModel, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Chat } from "./chat.ts";
import { ChatFailure, failureFrom } from "./chat-failure.ts";
import type { UnsentSummary } from "./composer-model.ts";
import type { RequestState } from "./conversation-requests.ts";
import { doubtFormer } from "./doubt-former.ts";
import type { ExtrasClient } from "./extras-client.ts";
import { problemText } from "./problem-texts.ts";
import type { Texts } from "./texts.ts";

export interface SummaryDeps {
  readonly client: Pick<ExtrasClient, "proposeSummary" | "sendSummary">;
  readonly chat: Pick<Chat, "session" | "conversation" | "composer" | "report">;
}

export type SummaryModel = InstanceType<typeof SummaryModel>;

const IDLE: RequestState = { kind: "idle" };
/** An earlier page asked, and its answer never arrived here. */
const IN_DOUBT: RequestState = { kind: "failed", failure: new ChatFailure("support_timeout") };

/**
 * The customer's summary for the team, while a hand-off is open. It counts as sent only once the service verifiably has
 * it. `StoredDrafts` stores the box and restores it after a reload.
 */
export const SummaryModel = createModel(({ client, chat }: SummaryDeps) => {
  const { log } = chat.conversation;
  const { summary } = chat.composer;
  const text = computed(() => summary.value?.text ?? "");
  const isOpen = computed(() => summary.value?.isOpen === true);
  const isGenerated = computed(() => summary.value?.isGenerated === true);
  const unproposed = signal<ChatFailure | undefined>(undefined);
  /** The last request of this page. */
  const asking = signal<RequestState>(IDLE);
  const request = computed(() => {
    if (summary.value?.asked === undefined) return IDLE;
    return asking.value.kind === "idle" ? IN_DOUBT : asking.value;
  });
  /** The hand-off whose summary the service's own answer reported as sent. */
  const confirmed = signal<string | undefined>(undefined);
  const handoffId = computed(() => log.value.conversation?.handoff?.id);
  const isInLog = computed(() => {
    const { marks } = log.value;
    // Not only up to a request: the log's entry of a new one may come later than the answer to it.
    return marks.findLast(({ type }) => type !== "handoff.accepted")?.type === "summary.sent";
  });
  // While the text in the box is on its way or in doubt, an entry of the log may be about another tab's.
  const isSent = computed(
    () =>
      request.value.kind === "idle" &&
      (isInLog.value || (confirmed.value !== undefined && confirmed.value === handoffId.value)),
  );
  const change = (next: Partial<UnsentSummary>) => {
    const id = handoffId.peek();
    if (id === undefined) return;
    summary.value = {
      ...(summary.peek() ?? { handoffId: id, text: "", isOpen: false, isGenerated: false }),
      ...next,
    };
  };
  const discard = () => {
    summary.value = undefined;
    unproposed.value = undefined;
    asking.value = IDLE;
  };
  // A text for one hand-off is never sent with another one, or twice.
  effect(() => {
    if (isSent.value || summary.value?.handoffId !== handoffId.value) discard();
  });

  const doubt = (texts: Texts) => `${texts.summaryOffer}: ${texts.sentence(texts.notConfirmed)}`;
  chat.conversation.onExpiry((former) => {
    if (request.peek().kind === "failed") doubtFormer(chat, former, doubt);
  });

  const send = async () => {
    const id = handoffId.peek();
    const conversationId = log.peek().conversation?.id;
    const given = text.peek().trim();
    if (id === undefined || given === "" || request.peek().kind === "asking") return;
    asking.value = { kind: "asking" };
    change({ asked: given });
    try {
      await chat.session.withToken((token) => client.sendSummary(token, { handoffId: id, text: given }));
      if (handoffId.peek() === id) {
        confirmed.value = id;
        discard();
      }
      chat.report({
        type: "said",
        isUrgent: false,
        words: (texts) => texts.sentence(texts.summarySent),
      });
    } catch (error) {
      if (handoffId.peek() !== id) return doubtFormer(chat, conversationId, doubt);
      const failure = failureFrom(error);
      asking.value = { kind: "failed", failure };
      // It may be asked for again already.
      if (request.peek().kind !== "failed") return;
      chat.report({
        type: "said",
        isUrgent: true,
        words: (texts) => `${texts.sentence(texts.notConfirmed)} ${problemText(texts, failure)}`,
      });
    }
  };
  let isAskedAgain = false;
  // The answer was lost, and the log has a summary: this text, or another tab's. Sending the same text again changes
  // nothing, and the answer says whose text it was. A text that changed since is sent only when the customer presses
  // Send.
  effect(() => {
    const { value } = request;
    if (!isInLog.value || isAskedAgain || value.kind !== "failed" || value.failure.code === "key_reused")
      return;
    isAskedAgain = true;
    if (text.peek().trim() === summary.peek()?.asked) untracked(() => void send());
  });

  return {
    text,
    isOpen,
    isSent,
    /** Software wrote the text in the box. */
    isGenerated,
    /** Why nothing was proposed; the customer can still write. */
    unproposed: unproposed as ReadonlySignal<ChatFailure | undefined>,
    request,
    write(next: string): void {
      change({ text: next });
    },
    close(): void {
      change({ isOpen: false });
    },
    /** Closes the box without the text, unless that is on its way: it may have been sent, or may be sent again. */
    cancel(): void {
      if (request.peek().kind === "asking") change({ isOpen: false });
      else discard();
    },
    /** Opens the box, and fills it with what the service proposes unless the customer is faster. */
    async open(): Promise<void> {
      const id = handoffId.peek();
      change({ isOpen: true });
      unproposed.value = undefined;
      if (id === undefined || text.peek() !== "") return;
      try {
        const proposal = await chat.session.withToken((token) => client.proposeSummary(token));
        if (proposal.handoffId !== id || handoffId.peek() !== id) return;
        if (proposal.isSent) confirmed.value = id;
        else if (isOpen.peek() && text.peek() === "") {
          change({
            text: proposal.sentences.map((sentence) => sentence.text).join("\n"),
            isGenerated: proposal.generated !== undefined,
          });
          // The focus is in the box already, so that its new text would not be heard of.
          const by = (texts: Texts) => (isGenerated.peek() ? `${texts.says(texts.agent)} ` : "");
          if (text.peek() !== "")
            chat.report({ type: "said", isUrgent: false, words: (texts) => by(texts) + texts.summaryHint });
        }
      } catch (error) {
        if (handoffId.peek() === id) unproposed.value = failureFrom(error);
      }
    },
    /** Sends the text of the box, which stays there until the service verifiably has it. */
    send(): Promise<void> {
      isAskedAgain = false;
      return send();
    },
  };
});
