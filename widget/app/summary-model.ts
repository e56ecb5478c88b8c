import { computed, createModel, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { Chat } from "./chat.ts";
import { type ChatFailure, failureFrom } from "./chat-failure.ts";
import type { RequestState } from "./conversation-requests.ts";
import type { ExtrasClient } from "./extras-client.ts";
import { problemText } from "./problem-texts.ts";
import type { Texts } from "./texts.ts";

export interface SummaryDeps {
  readonly client: Pick<ExtrasClient, "proposeSummary" | "sendSummary">;
  readonly chat: Pick<Chat, "session" | "conversation" | "report">;
}

export type SummaryModel = InstanceType<typeof SummaryModel>;

const IDLE: RequestState = { kind: "idle" };

/**
 * The customer's summary for the team, while a hand-off is open. It counts as sent only once the service verifiably has
 * it.
 */
export const SummaryModel = createModel(({ client, chat }: SummaryDeps) => {
  const { log } = chat.conversation;
  const text = signal("");
  const isOpen = signal(false);
  const isGenerated = signal(false);
  const unproposed = signal<ChatFailure | undefined>(undefined);
  const request = signal<RequestState>(IDLE);
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
  const discard = () => {
    text.value = "";
    isOpen.value = isGenerated.value = false;
    unproposed.value = undefined;
    request.value = IDLE;
  };
  // A text for one hand-off is never sent with another one, or twice.
  effect(() => {
    if (handoffId.value === undefined || isSent.value) discard();
  });
  let written = handoffId.peek();
  effect(() => {
    if (handoffId.value !== written) discard();
    written = handoffId.value;
  });

  /** The text of the last request. */
  let asked = "";
  const send = async () => {
    const id = handoffId.peek();
    const given = text.peek().trim();
    if (id === undefined || given === "" || request.peek().kind === "asking") return;
    request.value = { kind: "asking" };
    asked = given;
    try {
      await chat.session.withToken((token) => client.sendSummary(token, { handoffId: id, text: given }));
      if (handoffId.peek() === id) {
        confirmed.value = id;
        request.value = IDLE;
      }
      chat.report({
        type: "said",
        isUrgent: false,
        words: (texts) => texts.sentence(texts.summarySent),
      });
    } catch (error) {
      if (handoffId.peek() !== id) return;
      const failure = failureFrom(error);
      request.value = { kind: "failed", failure };
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
    if (text.peek().trim() === asked) untracked(() => void send());
  });

  return {
    text: text as ReadonlySignal<string>,
    isOpen: isOpen as ReadonlySignal<boolean>,
    isSent,
    /** Software wrote the text in the box. */
    isGenerated: isGenerated as ReadonlySignal<boolean>,
    /** Why nothing was proposed; the customer can still write. */
    unproposed: unproposed as ReadonlySignal<ChatFailure | undefined>,
    request: request as ReadonlySignal<RequestState>,
    write(next: string): void {
      text.value = next;
    },
    close(): void {
      isOpen.value = false;
    },
    /** Closes the box without the text, unless that is on its way: it may have been sent, or may be sent again. */
    cancel(): void {
      if (request.peek().kind === "asking") isOpen.value = false;
      else discard();
    },
    /** Opens the box, and fills it with what the service proposes unless the customer is faster. */
    async open(): Promise<void> {
      const id = handoffId.peek();
      isOpen.value = true;
      unproposed.value = undefined;
      if (id === undefined || text.peek() !== "") return;
      try {
        const proposal = await chat.session.withToken((token) => client.proposeSummary(token));
        if (proposal.handoffId !== id || handoffId.peek() !== id) return;
        if (proposal.isSent) confirmed.value = id;
        else if (isOpen.peek() && text.peek() === "") {
          text.value = proposal.sentences.map((sentence) => sentence.text).join("\n");
          isGenerated.value = proposal.generated !== undefined;
          // The focus is in the box already, so that its new text would not be heard of.
          const by = (texts: Texts) => (isGenerated.peek() ? `${texts.says(texts.agent)} ` : "");
          if (text.value !== "")
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
