import type { Summary, SummaryProposal } from "../../shared/summary.ts";
import type { Owner } from "../store/owner.ts";
import type { SummaryStore, SummarySubject } from "../store/summaries.ts";
import { extractSummary } from "./extract-summary.ts";
import { placeSentences } from "./place-sentences.ts";

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

export function createSummaries({ store }: { readonly store: SummaryStore }): Summaries {
  return {
    async propose(owner, conversationId) {
      const subject = await store.read(owner, conversationId);
      const { handoffId } = subject;
      if (subject.sent) return { handoffId, sentences: [], isSent: true };
      return { handoffId, sentences: sentencesFor(subject) };
    },
    async send(owner, conversationId, { handoffId, text }) {
      const subject = await store.read(owner, conversationId);
      const sentences = placeSentences(text, sentencesFor(subject));
      return store.send(owner, conversationId, { handoffId, sentences });
    },
  };
}

/** The same for the same hand-off: the messages before it do not change. */
function sentencesFor({ messages, locale }: SummarySubject) {
  return extractSummary(messages, locale);
}
