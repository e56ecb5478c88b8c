import type { Citation, Message } from "../../shared/message.ts";

/** What an agent may know: this conversation alone, never another's. */
export interface AgentQuestion {
  /** What the customer just wrote. */
  readonly text: string;
  /** The conversation's messages up to and with the question, oldest first. */
  readonly messages: readonly Message[];
  /** BCP 47, as the session named it. */
  readonly locale: string | undefined;
}

/**
 * What an agent says while it answers. `delta`s joined are the text; `citation`s name its sources.
 * `nothing.found` says plainly that the agent has no answer: the panel then offers a person.
 * An agent can't do anything but talk: a hand-off, an end or an identity never comes out of its text.
 */
export type AgentEvent =
  | { readonly type: "delta"; readonly text: string }
  | { readonly type: "citation"; readonly citation: Citation }
  | { readonly type: "nothing.found" };

/** Software that answers customers. */
export interface Agent {
  /** The `agentProvider` of routes. */
  readonly id: string;
  /** Shown as the author of its messages. */
  readonly displayName: string;
  /** Whether a question could be answered now; `/readyz` asks this. Gives a sentence where it could not. */
  unavailable(): string | undefined;
  /** Answers one question. Stops soon after `signal` aborts. Throws when it fails; what it said until then is kept as incomplete. */
  answer(question: AgentQuestion, signal: AbortSignal): AsyncIterable<AgentEvent>;
}
