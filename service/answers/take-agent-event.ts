import type { Choice } from "../../shared/message-kinds/choices.ts";
import type { Log } from "../../shared/server/log.ts";
import type { AgentEvent } from "../agents/agent.ts";
import type { AnswerDraft } from "./answer-draft.ts";

const ASK_FOR_PERSON: Choice = { id: "person", choice: "handoff" };

/** Adds one agent event to the draft of the answer, and returns the text that may be shown now. */
export function takeAgentEvent(
  event: AgentEvent,
  draft: AnswerDraft,
  { agent, log }: { agent: string; log: Log },
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
      // No question has tools yet, so the agent invented this one. Nothing runs, and nobody is asked for permission.
      log.warn({ agent }, "an agent asked for an action that it was not offered");
      return "";
    case "usage": {
      const { model, inputTokens, outputTokens, isEstimate } = event;
      log.info({ agent, model, inputTokens, outputTokens, isEstimate }, "an answer was paid for");
      return "";
    }
  }
}
