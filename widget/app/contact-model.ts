import { computed, createModel, effect, type ReadonlySignal, signal } from "@preact/signals";
import { applyContact } from "./apply-details.ts";
import { askOnScreen } from "./ask-on-screen.ts";
import type { Chat } from "./chat.ts";
import { failureFrom } from "./chat-failure.ts";
import type { RequestState } from "./conversation-requests.ts";
import { doubtFormer } from "./doubt-former.ts";
import type { ExtrasClient } from "./extras-client.ts";
import { problemText } from "./problem-texts.ts";
import type { Texts } from "./texts.ts";

export interface ContactDeps {
  readonly client: Pick<ExtrasClient, "setContact">;
  readonly chat: Pick<Chat, "session" | "conversation" | "report">;
}

export type ContactModel = InstanceType<typeof ContactModel>;

const IDLE: RequestState = { kind: "idle" };

/**
 * The address at which the team can write to the customer. It counts as stored only once the service verifiably has it.
 */
export const ContactModel = createModel(({ client, chat }: ContactDeps) => {
  const { log, commit } = chat.conversation;
  const request = signal<RequestState>(IDLE);
  const isOpen = signal(false);
  const id = computed(() => log.value.conversation?.id);
  const stored = computed(() => log.value.conversation?.contact?.email ?? null);
  let doubt = (texts: Texts) => texts.notConfirmed;
  chat.conversation.onExpiry((former) => {
    if (request.peek().kind === "failed") doubtFormer(chat, former, doubt);
  });
  // A failure of one conversation does not concern the next one.
  effect(() => {
    void id.value;
    request.value = IDLE;
  });

  return {
    request: request as ReadonlySignal<RequestState>,
    /** The customer is writing an address. */
    isOpen,
    stored,
    /** Stores an address, or removes it with null. Returns whether the service verifiably did. */
    async set(email: string | null): Promise<boolean> {
      const mine = id.peek();
      const before = request.value;
      const former = stored.peek() ?? "";
      if (mine === undefined || before.kind === "asking") return false;
      request.value = { kind: "asking" };
      doubt = (texts) => `${email ?? texts.contactRemove(former)}: ${texts.sentence(texts.notConfirmed)}`;
      try {
        await askOnScreen(chat.session, before, (token) => client.setContact(token, email, mine));
        if (id.peek() !== mine) return false;
        commit(applyContact(log.peek(), email));
      } catch (error) {
        if (id.peek() !== mine) {
          doubtFormer(chat, mine, doubt);
          return false;
        }
        // The stream may have brought the proof although the answer was lost.
        if (stored.peek() !== email) {
          const failure = failureFrom(error);
          request.value = { kind: "failed", failure };
          chat.report({
            type: "said",
            isUrgent: true,
            words: (texts) => `${texts.sentence(texts.notConfirmed)} ${problemText(texts, failure)}`,
          });
          return false;
        }
      }
      request.value = IDLE;
      if (email !== null)
        chat.report({ type: "said", isUrgent: false, words: (texts) => texts.contactStored(email) });
      return true;
    },
  };
});
