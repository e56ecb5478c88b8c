import type { Choice } from "../../../shared/message-kinds/choices.ts";
import type { Chat } from "../../app/chat.ts";

/** State and action of quick-reply buttons. */
export interface Choosing {
  /** Reads signals, so a component that calls it is rendered again when the result changes. */
  canChoose(messageId: string): boolean;
  choose(choice: Choice): void;
}

type ChoosingChat = {
  readonly conversation: Pick<Chat["conversation"], "log" | "current" | "isPersonAsked" | "requestHuman">;
  readonly outbox: Pick<Chat["outbox"], "send">;
};

/**
 * Quick replies work while their message is the last one of an open conversation and no person was asked for: the agent,
 * which would answer them, is silent from then on. Nothing here claims that a message was sent or a person asked.
 * @param onChosen runs before the pressed button loses the focus
 */
export function createChoosing({ conversation, outbox }: ChoosingChat, onChosen: () => void): Choosing {
  return {
    canChoose(messageId) {
      const { messages, pending } = conversation.log.value;
      const isLast = messages.at(-1)?.id === messageId && pending.length === 0;
      return isLast && conversation.current.value?.status === "open" && !conversation.isPersonAsked.value;
    },
    choose(choice) {
      if ("send" in choice) outbox.send(choice.send);
      else void conversation.requestHuman();
      onChosen();
    },
  };
}
