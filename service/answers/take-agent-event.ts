import type { Log } from "../../shared/server/log.ts";
import type { AgentEvent } from "../agents/agent.ts";
import type { AnswerDraft } from "./answer-draft.ts";

/** Puts one event of an agent into the draft of its answer, and returns the text of it that may be shown at once. */
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
      return "";
    case "handoff.suggested":
      draft.offer({ id: "person", choice: "handoff" });
      return "";
    case "action.requested":
      // No question has tools yet, so this agent invented one. Nothing runs, and nobody is asked to agree to it.
      log.warn({ agent }, "an agent asked for an action that it was not offered");
      return "";
    case "usage": {
      const { model, inputTokens, outputTokens } = event;
      log.info({ agent, model, inputTokens, outputTokens }, "an answer was paid for");
      return "";
    }
  }
}
