import { Generated } from "../../shared/message.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import { MAX_PROPOSED, MAX_PROPOSED_CHARACTERS, type ProposedSentence } from "../../shared/summary.ts";
import type { Agent } from "../agents/agent.ts";
import { createAnswerGuard } from "../guard/answer-guard.ts";
import type { SummarySubject } from "../store/summaries.ts";

/** The customer waits in front of an empty box, and the BFF allows 8 s for the whole call. */
export const WRITE_MS = 5000;

export interface WrittenProposal {
  readonly sentences: readonly ProposedSentence[];
  readonly generated: Generated;
}

/**
 * Lets the agent's model write the proposal; undefined if there is no model, or if it fails or is slow. Sentences that
 * claim an action, or name an address that the conversation does not have, are left out.
 */
export async function writeProposal(
  deps: { readonly agents: readonly Agent[]; readonly clock: Clock; readonly log: Log },
  subject: SummarySubject,
): Promise<WrittenProposal | undefined> {
  const { agentProvider, conversationId, messages } = subject;
  const agent = deps.agents.find(({ id }) => id === agentProvider);
  if (!agent?.summarize || agent.unavailable() !== undefined || messages.length === 0) return undefined;
  const stop = new AbortController();
  const late = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(new Error("The model was too slow.")));
  });
  const stopClock = deps.clock.after(WRITE_MS, () => stop.abort());
  try {
    const { sentences, model } = await Promise.race([agent.summarize(subject, stop.signal), late]);
    const guard = await createAnswerGuard(subject.locale, subject.actions);
    for (const { body } of messages) guard.allow(body);
    const held = sentences.filter(
      ({ text }) => text.length <= MAX_PROPOSED_CHARACTERS && guard.accepts(text),
    );
    if (held.length === 0) return undefined;
    const by = agent.displayName;
    // A name that is too long for a proposal does not make its sentences wrong.
    const generated = Generated.safeParse({ by, model }).data ?? { by };
    return { sentences: held.slice(0, MAX_PROPOSED), generated };
  } catch (error) {
    deps.log.warn({ conversationId, agent: agent.id, ...errorFacts(error) }, "a summary was not written");
    return undefined;
  } finally {
    stopClock();
  }
}
