import type { AgentEvent } from "../agent.ts";
import { ReplyFault } from "./reply-fault.ts";

/** The text that an agent has said so far. Shown text can't be taken back. */
export interface SaidText {
  add(text: string): AgentEvent[];
  /**
   * The agent reports its whole text: only the new part is shown. @throws ReplyFault if it differs from what was shown
   */
  whole(text: string): AgentEvent[];
  /** Separates what follows from what was said. */
  part(): void;
}

export function createSaidText(): SaidText {
  let said = "";
  let gap = "";
  const add = (text: string): AgentEvent[] => {
    if (text === "") return [];
    const delta = gap + text;
    gap = "";
    said += delta;
    return [{ type: "delta", text: delta }];
  };
  return {
    add,
    whole(text) {
      if (!text.startsWith(said))
        throw new ReplyFault("agent_malformed", "The agent took back what it had said.");
      return add(text.slice(said.length));
    },
    part() {
      if (said !== "") gap = "\n\n";
    },
  };
}
