import type { DeskDraft } from "../../shared/desk.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { Agent } from "../agents/agent.ts";
import { createAnswerGuard, heardBy, NO_GUARD } from "../guard/answer-guard.ts";
import type { AskedQuestion } from "../store/answers.ts";
import { NO_TOOLS, type Toolbox } from "../tools/toolbox.ts";
import { createAnswerDraft } from "./answer-draft.ts";
import { hearAgent } from "./hear-agent.ts";
import { takeAgentEnd, takeAgentEvent } from "./take-agent-event.ts";

/** A number in the text that names a source, as models write it. */
const SOURCE_MARK = / ?\[(\d{1,2})\]/g;

/**
 * Asks the conversation's agent for a reply that a person of the team may use. Nothing of it is stored or published, and
 * no tool that acts is offered. Resolves with "failed" soon after `signal` aborts.
 */
export async function draftReply(
  deps: {
    readonly agents: readonly Agent[];
    readonly toolbox: Pick<Toolbox, "forQuestion">;
    readonly clock: Clock;
    readonly log: Log;
  },
  asked: AskedQuestion,
  signal: AbortSignal,
): Promise<DeskDraft> {
  const { conversationId, agentProvider } = asked;
  const question = asked.messages.at(-1);
  if (!question) return { kind: "no_question", conversationId };
  // Without a text a message has files.
  if (question.body === "") return { kind: "only_file", conversationId };
  const agent = deps.agents.find(({ id }) => id === agentProvider);
  if (!agent || agent.unavailable() !== undefined) return { kind: "agent_away", conversationId };
  const draft = createAnswerDraft({ id: "draft", agent: agent.id, author: agent.displayName });
  const guard = agent.quotesOnly ? NO_GUARD : await createAnswerGuard(asked.locale, asked.actions);
  const reading = deps.toolbox.forQuestion().filter(({ effect }) => effect === "reads");
  const stop = new AbortController();
  const leave = () => stop.abort();
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  let isWithoutAnswer = false;
  const heard = await hearAgent(
    { agent, clock: deps.clock },
    {
      conversationId,
      customerId: asked.customerId,
      text: question.body,
      messages: asked.messages,
      locale: asked.locale,
      customerName: asked.customerName,
      tools: heardBy(guard, reading),
      actions: asked.actions,
      isDraft: true,
    },
    stop,
    (event) => {
      isWithoutAnswer ||= event.type === "nothing.found" || event.type === "handoff.suggested";
      // Whatever it asks for, no action comes from a draft.
      takeAgentEvent(event, draft, { log: deps.log, toolbox: NO_TOOLS, agent: agent.id, guard });
      return !draft.full;
    },
  );
  signal.removeEventListener("abort", leave);
  if (heard.end === "failed") {
    const about = { conversationId, agent: agent.id };
    deps.log.warn({ ...about, ...errorFacts(heard.cause) }, "a draft for the team was not finished");
  }
  // A draft is whole or none: "stopped" is also the end of a text that was too long.
  if (heard.end !== "complete" || signal.aborted) return { kind: "failed", conversationId };
  takeAgentEnd(draft, guard);
  const { body: said, citations = [], generated } = draft.message("complete");
  // Without a source these are the agent's own words about a person or a limit, not an answer.
  if (!generated || (isWithoutAnswer && citations.length === 0))
    return { kind: "nothing_found", conversationId };
  const isSource = (number: number) => number >= 1 && number <= citations.length;
  return {
    kind: "drafted",
    conversationId,
    // The reply is sent without its sources, so a number would point at nothing. A quote has the article's own numbers.
    body: agent.quotesOnly
      ? said
      : said.replace(SOURCE_MARK, (mark, number) => (isSource(Number(number)) ? "" : mark)),
    author: agent.displayName,
    generated,
    citations,
    hasWithheld: guard.hasWithheld,
  };
}
