import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Log } from "../../shared/server/log.ts";
import type { AgentEvent } from "../agents/agent.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import type { AnswerDraft } from "./answer-draft.ts";

const ASK_FOR_PERSON: Choice = { id: "person", choice: "handoff" };

/** Adds one agent event to the draft of the answer, and returns the text that may be shown now. */
export function takeAgentEvent(
  event: AgentEvent,
  draft: AnswerDraft,
  { agent, log, toolbox }: { agent: string; log: Log; toolbox: Pick<Toolbox, "prepare"> },
): string {
  switch (event.type) {
    case "delta":
      return draft.add(event.text);
    case "citation":
      draft.cite(event.citation);
      return "";
    case "choice":
      draft.offer(event.choice);
      return "";
    case "nothing.found":
      draft.foundNothing();
      draft.offer(ASK_FOR_PERSON);
      return "";
    case "handoff.suggested":
      draft.offer(ASK_FOR_PERSON);
      return "";
    case "action.requested":
      // Nothing runs: somebody is asked for permission, after the answer.
      requestAction(event, draft, { agent, log, toolbox });
      return "";
    case "usage": {
      const { model, inputTokens, outputTokens, isEstimate } = event;
      log.info({ agent, model, inputTokens, outputTokens, isEstimate }, "an answer was paid for");
      return "";
    }
  }
}

function requestAction(
  { tool, input }: Extract<AgentEvent, { type: "action.requested" }>,
  draft: AnswerDraft,
  { agent, log, toolbox }: { agent: string; log: Log; toolbox: Pick<Toolbox, "prepare"> },
): void {
  const prepared = toolbox.prepare(tool, input);
  if (!("refused" in prepared)) draft.request(prepared);
  else log.warn({ agent, reason: prepared.refused }, "an agent asked for an action that it was not offered");
}
