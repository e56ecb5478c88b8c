import type { AgentEvent } from "../agent.ts";

/** Reads the events of one answer, whichever protocol they are of. */
export interface ReplyReader {
  /** Whether the protocol's own end has come. Nothing after it belongs to the answer. */
  isOver(): boolean;
  /** @throws ReplyFault */
  take(value: unknown): AgentEvent[];
  /** The rest of a whole answer. @throws ReplyFault when the answer was cut off */
  end(): AgentEvent[];
}
