import { useSignal } from "@preact/signals";
import { usePanel } from "./panel-context.ts";

/** A step that can't be undone, and that the customer has to confirm. */
export type Question = "End" | "Erase";

/** The open question, if its conversation still exists. */
export function useQuestion() {
  const { chat } = usePanel();
  const asked = useSignal<Question | undefined>(undefined);
  const conversation = chat.conversation.current.value;
  const isValid = asked.value === "Erase" ? conversation !== null : conversation?.status === "open";
  return {
    current: isValid ? asked.value : undefined,
    ask(question: Question): void {
      asked.value = question;
    },
    /** Closes the question. Returns false if there was none. */
    leave(): boolean {
      const wasThere = asked.value !== undefined;
      asked.value = undefined;
      return wasThere;
    },
  };
}
