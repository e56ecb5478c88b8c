import type { MadePassage, NoQuote, Price } from "../../shared/answer-made.ts";
import type { Message } from "../../shared/message.ts";
import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";
import type { ActionReport } from "../store/actions.ts";
import type { SummaryQuestion, WrittenSummary } from "./summary-question.ts";
import type { Tool } from "./tool.ts";

/** The input of an agent for one question. It never contains anything from another conversation. */
export interface AgentQuestion {
  readonly conversationId: string;
  /** Opaque, and the same in all conversations of this customer. */
  readonly customerId: string;
  /** The customer's latest message. */
  readonly text: string;
  /** The most recent messages, oldest first; the question is the last. Answers include what they cited. */
  readonly messages: readonly Message[];
  /** BCP 47, as the session reported it. */
  readonly locale: string | undefined;
  /** The customer's name, as the site or the customer gave it. It is not verified. */
  readonly customerName: string | undefined;
  /** The tools that the agent may use for this question. */
  readonly tools: readonly Tool[];
  /** The actions that agents asked for in this conversation, with their verified results; oldest first. */
  readonly actions: readonly ActionReport[];
  /** A person of the team asked for a draft: the customer does not see the answer. */
  readonly isDraft?: true;
}

/** An event that an agent yields while it answers. An agent that fails throws. */
export type AgentEvent =
  /** The joined deltas are the text of the answer. */
  | { readonly type: "delta"; readonly text: string }
  /**
   * `isOwners`: the title and the address are those of an article or a tool. Otherwise they are the agent's words, and
   * judged like its text.
   */
  | { readonly type: "citation"; readonly citation: Citation; readonly isOwners?: true }
  /**
   * The source of the text that follows. An address in that text is shown only if this source or an earlier citation
   * has it. `isArticle`: the owner wrote it, so the answer may repeat its promises.
   */
  | { readonly type: "source"; readonly text: string; readonly isArticle?: boolean }
  /** A quick reply under the finished answer. */
  | { readonly type: "choice"; readonly choice: Choice }
  /** The agent has no answer. The message says so and offers a person, even if the agent yields no text. */
  | { readonly type: "nothing.found" }
  /** Offers a person to the customer, who decides. Text by itself never asks for one. */
  | { readonly type: "handoff.suggested" }
  /** Asks to run one of the question's acting tools. Nothing has run, and the text must not claim otherwise. */
  | {
      readonly type: "action.requested";
      /** The agent's own; the service gives the action another one. */
      readonly actionId: string;
      readonly tool: string;
      readonly input: unknown;
    }
  /** What the answer cost, for the log and the desk. */
  | {
      readonly type: "usage";
      readonly model: string;
      readonly inputTokens: number;
      readonly outputTokens: number;
      /** True if the model did not report them: then they are counted from the length of the text. */
      readonly isEstimate?: boolean;
      /** If the owner configured a price. */
      readonly price?: Price | undefined;
    }
  /** A passage that was found for the answer. Only the desk shows it. */
  | { readonly type: "passage"; readonly passage: MadePassage }
  /** Why the answer quotes no article, and the folder that a missing one belongs into. Only the desk shows it. */
  | { readonly type: "no.quote"; readonly reason: NoQuote; readonly folder?: string | undefined };

/** Software that answers customers. */
export interface Agent {
  /** The `agentProvider` of routes. */
  readonly id: string;
  /** Shown as the author of its messages. */
  readonly displayName: string;
  /** True if all of its text is the owner's own: then no sentence of it is withheld as an unverified claim. */
  readonly quotesOnly?: true;
  /** Why no question could be answered now, in one sentence; undefined when one could. `/readyz` asks this. */
  unavailable(): string | undefined;
  /** Whether only another server keeps it from answering: a probe of this process should not fail for that. */
  isWaiting?(): boolean;
  /** Faults of the configuration that do not stop answers: sentences for an operator, in `/readyz`. */
  notes?(): readonly string[];
  /**
   * Answers one question. Throws soon after `signal` aborts. Every question gets some text, an empty one too.
   * Throws when it fails: the text so far is then stored as incomplete.
   */
  answer(question: AgentQuestion, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /**
   * Writes what the team has to know of a conversation. Absent where no model writes. Throws when it fails, and soon after
   * `signal` aborts.
   */
  summarize?(question: SummaryQuestion, signal: AbortSignal): Promise<WrittenSummary>;
}
