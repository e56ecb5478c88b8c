import type { Message } from "../../shared/message.ts";
import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";

/** What an agent gets to answer a question. Nothing of another conversation is in it. */
export interface AgentQuestion {
  /** What the customer just wrote. */
  readonly text: string;
  /** The last messages up to and with the question, oldest first; an answer carries what it cited. */
  readonly messages: readonly Message[];
  /** BCP 47, as the session named it. */
  readonly locale: string | undefined;
}

/**
 * What an agent says while it answers. The joined `delta`s are the text; `citation`s name its sources; `choice`s are
 * quick replies under the finished answer. `nothing.found` means that the agent has no answer, so that the panel says so
 * in the customer's language.
 *
 * Text never hands over, ends or identifies anything: only an event of its own type could, and there is none for these.
 */
export type AgentEvent =
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "choice"; readonly choice: Choice }
  | { readonly type: "nothing.found" };

/** Software that answers customers. */
export interface Agent {
  /** The `agentProvider` of routes. */
  readonly id: string;
  /** Shown as the author of its messages. */
  readonly displayName: string;
  /** Why no question could be answered now, in one sentence; undefined when one could. `/readyz` asks this. */
  unavailable(): string | undefined;
  /**
   * Answers one question and stops soon after `signal` aborts. Throws when it fails: the text so far is then stored as
   * incomplete.
   */
  answer(question: AgentQuestion, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
