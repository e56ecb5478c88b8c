import type { Agent } from "../../service/agents/agent.ts";
import type { Message } from "../../shared/message.ts";
import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Citation } from "../../shared/message-kinds/citations.ts";

/** An agent's result for a question. */
export type Outcome = "quote" | "offer" | "nothing" | "person" | "talk";

/** What customers would get. */
export interface Reply {
  readonly outcome: Outcome;
  readonly text: string;
  /** The titles of the quoted articles. */
  readonly quoted: readonly string[];
  /** The titles of the articles that it offers as quick replies. */
  readonly offered: readonly string[];
  /** The ids of the same articles. */
  readonly quotedIds: readonly string[];
  readonly offeredIds: readonly string[];
}

/** Asks the agent as the service does. The question is the last message. */
export async function replyOf(
  agent: Agent,
  messages: readonly Message[],
  locale: string | undefined,
): Promise<Reply> {
  const question = {
    text: messages.at(-1)?.body ?? "",
    messages,
    locale,
    customerName: undefined,
    conversationId: "conv_asked",
    customerId: "cust_asked",
    tools: [],
    actions: [],
  };
  let text = "";
  let isNothing = false;
  const citations: Citation[] = [];
  const choices: Choice[] = [];
  let isPerson = false;
  for await (const event of agent.answer(question, new AbortController().signal)) {
    if (event.type === "delta") text += event.text;
    else if (event.type === "citation") citations.push(event.citation);
    else if (event.type === "choice") choices.push(event.choice);
    else if (event.type === "nothing.found") isNothing = true;
    else if (event.type === "handoff.suggested") isPerson = true;
  }
  return replyFrom({ text, citations, choices, isNothing, isPerson });
}

/** The result of an agent's stored answer. */
export function replyIn({ body: text, notice, citations = [], choices = [] }: Message): Reply {
  const isPerson = choices.some((choice) => !("send" in choice));
  return replyFrom({ text, citations, choices, isNothing: notice === "agent_found_nothing", isPerson });
}

function replyFrom(given: {
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly choices: readonly Choice[];
  readonly isNothing: boolean;
  readonly isPerson: boolean;
}): Reply {
  const { text, citations } = given;
  const titles = given.choices.flatMap((choice) => ("send" in choice ? [choice] : []));
  const quoted = citations.map(({ title }) => title);
  const offered = titles.map(({ label }) => label);
  return {
    outcome: outcomeOf({ ...given, quoted, offered }),
    text,
    quoted,
    offered,
    quotedIds: citations.map(({ citationId }) => citationId),
    offeredIds: titles.map(({ id }) => id),
  };
}

function outcomeOf(found: {
  readonly isNothing: boolean;
  readonly isPerson: boolean;
  readonly quoted: readonly string[];
  readonly offered: readonly string[];
}): Outcome {
  if (found.isNothing) return "nothing";
  if (found.quoted.length > 0) return "quote";
  if (found.offered.length > 0) return "offer";
  return found.isPerson ? "person" : "talk";
}

/** An agent's result as a sentence without a full stop. */
export function describeReply({ outcome, quoted, offered }: Reply): string {
  const titles = (list: readonly string[]) => list.map((title) => JSON.stringify(title)).join(", ");
  switch (outcome) {
    case "quote":
      return `quoted ${titles(quoted)}${offered.length > 0 ? ` and offered ${titles(offered)}` : ""}`;
    case "offer":
      return `offered ${titles(offered)}`;
    case "nothing":
      return `found nothing and offered a person${offered.length > 0 ? `; nearest are ${titles(offered)}` : ""}`;
    case "person":
      return "offered a person";
    case "talk":
      return "answered with a sentence of its own";
  }
}
