import { LRUCache } from "lru-cache";
import { defined } from "../../shared/defined.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Summary, SummaryProposal } from "../../shared/summary.ts";
import type { Agent } from "../agents/agent.ts";
import type { Owner } from "../store/owner.ts";
import type { SummaryStore, SummarySubject } from "../store/summaries.ts";
import { extractSummary } from "./extract-summary.ts";
import { placeSentences } from "./place-sentences.ts";
import { type WrittenProposal, writeProposal } from "./write-proposal.ts";

/** What models wrote is remembered for the customers who look at it now; each costs some kilobytes. */
const MAX_WRITTEN = 1000;
/** A model that wrote nothing usable is not asked again either. */
const NOTHING = "nothing";

/** What customers who asked for a person tell the team about it. Every call: @throws what `SummaryStore` throws */
export interface Summaries {
  /** Stores nothing: the team reads a summary only after `send`. */
  propose(owner: Owner, conversationId: string): Promise<SummaryProposal>;
  send(
    owner: Owner,
    conversationId: string,
    given: { readonly handoffId: string; readonly text: string },
  ): Promise<Summary>;
}

export function createSummaries(deps: {
  readonly store: SummaryStore;
  readonly agents: readonly Agent[];
  readonly clock: Clock;
  readonly log: Log;
}): Summaries {
  const { store } = deps;
  // A model is asked once for each hand-off. Without its words, as after a restart, its sentences have no places.
  const written = new LRUCache<string, WrittenProposal | typeof NOTHING>({ max: MAX_WRITTEN });
  const writing = new Map<string, Promise<WrittenProposal | undefined>>();
  const knownOf = (handoffId: string) => {
    const known = written.get(handoffId);
    return known === NOTHING ? undefined : known;
  };
  const write = async (subject: SummarySubject) => {
    const { handoffId } = subject;
    if (written.has(handoffId)) return knownOf(handoffId);
    const running = writing.get(handoffId) ?? writeProposal(deps, subject);
    writing.set(handoffId, running);
    const proposal = await running;
    writing.delete(handoffId);
    written.set(handoffId, proposal ?? NOTHING);
    return proposal;
  };
  return {
    async propose(owner, conversationId) {
      const subject = await store.read(owner, conversationId);
      const { handoffId } = subject;
      if (subject.sent) return { handoffId, sentences: [], isSent: true };
      const proposal = await write(subject);
      if (proposal) return { handoffId, sentences: [...proposal.sentences], generated: proposal.generated };
      return { handoffId, sentences: quotedFor(subject) };
    },
    async send(owner, conversationId, { handoffId, text }) {
      const subject = await store.read(owner, conversationId);
      // A model that is still writing is not waited for: the customer was faster.
      const model = knownOf(subject.handoffId);
      const sentences = placeSentences(text, [...(model?.sentences ?? []), ...quotedFor(subject)]);
      const isOfModel = sentences.some((sentence) =>
        model?.sentences.some((one) => one.text === sentence.text),
      );
      const generated = isOfModel ? model?.generated : undefined;
      return store.send(owner, conversationId, { handoffId, sentences, ...defined({ generated }) });
    },
  };
}

/** The same for the same hand-off: the messages before it do not change. */
function quotedFor({ messages, locale }: SummarySubject) {
  return extractSummary(messages, locale);
}
