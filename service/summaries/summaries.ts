import { LRUCache } from "lru-cache";
import { defined } from "../../shared/defined.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { createShareRunning } from "../../shared/server/share-running.ts";
import type { Summary, SummaryProposal } from "../../shared/summary.ts";
import type { Agent } from "../agents/agent.ts";
import type { Hub } from "../live/hub.ts";
import type { Owner } from "../store/owner.ts";
import type { SummaryStore, SummarySubject } from "../store/summaries.ts";
import { extractSummary } from "./extract-summary.ts";
import { placeSentences } from "./place-sentences.ts";
import { type WrittenProposal, writeProposal } from "./write-proposal.ts";

/** What models wrote is remembered for the customers who look at it now; each costs some kilobytes. */
const MAX_WRITTEN = 1000;

interface Written {
  /** Undefined if the model wrote nothing usable: it is not asked again either. */
  readonly proposal: WrittenProposal | undefined;
  readonly stopListening: () => void;
}

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
  readonly hub: Pick<Hub, "subscribe">;
  readonly agents: readonly Agent[];
  readonly clock: Clock;
  readonly log: Log;
}): Summaries {
  const { store, hub } = deps;
  // A model is asked once for each hand-off. Without its words, as after a restart, its sentences have no places.
  const written = new LRUCache<string, Written>({
    max: MAX_WRITTEN,
    dispose: ({ stopListening }) => stopListening(),
  });
  const shareWriting = createShareRunning<WrittenProposal | undefined>();

  /** Asks the model, and remembers what it wrote until the conversation is erased. */
  async function ask(subject: SummarySubject): Promise<WrittenProposal | undefined> {
    const { conversationId, handoffId } = subject;
    let isErased = false;
    const stopListening = hub.subscribe(conversationId, ({ event }) => {
      if (event.type !== "conversation.erased") return;
      isErased = true;
      written.delete(handoffId);
    });
    const proposal = await writeProposal(deps, subject);
    if (isErased) stopListening();
    else written.set(handoffId, { proposal, stopListening });
    return proposal;
  }
  async function write(subject: SummarySubject): Promise<WrittenProposal | undefined> {
    const { handoffId } = subject;
    const known = written.get(handoffId);
    return known ? known.proposal : shareWriting(handoffId, () => ask(subject));
  }
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
      const model = written.get(subject.handoffId)?.proposal;
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
