import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { usePanel } from "./panel-context.ts";

/** A step that can't be undone, and that the customer has to confirm. */
export type Question = "End" | "Erase";

/** The open question, if its conversation still exists. */
export function useQuestion() {
  const { chat, focusComposer } = usePanel();
  const asked = useSignal<Question | undefined>(undefined);
  const conversation = chat.conversation.current.value;
  const isValid = asked.value === "Erase" ? conversation !== null : conversation?.status === "open";
  const current = isValid ? asked.value : undefined;
  const wasAsked = useRef(false);
  useEffect(() => {
    // Only after the question has closed: until then the composer is inert and can't take the focus.
    if (wasAsked.current && !current) focusComposer();
    wasAsked.current = current !== undefined;
  }, [current, focusComposer]);
  return {
    current,
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
