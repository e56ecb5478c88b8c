import type { LiveEvent, ServiceEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { Agent } from "../agents/agent.ts";
import type { Hub } from "../live/hub.ts";
import type { AnswerStore, PartialAnswer, PendingAnswer } from "../store/answers.ts";
import { type AnswerDraft, createAnswerDraft } from "./answer-draft.ts";
import { type Heard, hearAgent } from "./hear-agent.ts";

/** Starts of the process that may try the same question: one that kills it each time must not do so forever. */
const MAX_ATTEMPTS = 3;

export interface AnswersDeps {
  readonly store: AnswerStore;
  readonly hub: Hub;
  readonly agents: readonly Agent[];
  readonly clock: Clock;
  readonly log: Log;
}

/** Lets agents answer what customers wrote, one answer at a time in each conversation, in the order of the turns. */
export interface Answers {
  /** Something is owed in this conversation. Never throws, never waits. */
  wake(conversationId: string): void;
  /** Takes up what an earlier process left owed. */
  takeUp(): Promise<void>;
  /** What the agent has said so far, if it is speaking; for the transaction that interrupts it. */
  readPartial(conversationId: string): PartialAnswer | undefined;
  /** The same, for one who joins the live events. */
  readSnapshot(conversationId: string): LiveEvent | undefined;
  /** Resolves when nobody is speaking. */
  settled(): Promise<void>;
  /** Stops every agent. What was not finished stays owed, and the next process takes it up. */
  close(): Promise<void>;
}

const INTERRUPTS: ReadonlySet<ServiceEvent["type"]> = new Set([
  "handoff.requested",
  "conversation.ended",
  "conversation.erased",
]);

interface Speaking {
  readonly turnSeq: number;
  readonly draft: AnswerDraft;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const busy = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const speaking = new Map<string, Speaking>();
  const closing = new AbortController();

  const work = async (conversationId: string) => {
    try {
      do {
        again.delete(conversationId);
        let pending = await deps.store.next(conversationId);
        while (pending && !closing.signal.aborted) {
          await answerOne(deps, pending, speaking, closing.signal);
          pending = await deps.store.next(conversationId);
        }
      } while (again.has(conversationId) && !closing.signal.aborted);
    } catch (error) {
      // The turn stays owed: the next turn of this conversation, or the next start, tries again.
      deps.log.error({ conversationId, ...errorFacts(error) }, "an answer could not be kept");
    } finally {
      busy.delete(conversationId);
    }
  };
  const wake = (conversationId: string) => {
    if (closing.signal.aborted) return;
    if (busy.has(conversationId)) again.add(conversationId);
    else busy.set(conversationId, work(conversationId));
  };
  const settled = async () => {
    while (busy.size > 0) await Promise.all(busy.values());
  };
  return {
    wake,
    async takeUp() {
      for (const conversationId of await deps.store.retryAll()) wake(conversationId);
    },
    readPartial(conversationId) {
      const now = speaking.get(conversationId);
      if (!now || now.draft.text.trim() === "") return undefined;
      return { turnSeq: now.turnSeq, message: now.draft.message("interrupted") };
    },
    readSnapshot(conversationId) {
      const now = speaking.get(conversationId);
      if (!now || now.draft.text === "") return undefined;
      return {
        type: "response.snapshot",
        messageId: now.draft.message("interrupted").id,
        text: now.draft.text,
      };
    },
    settled,
    async close() {
      closing.abort();
      await settled();
    },
  };
}

/** Answers one turn and keeps the answer, unless the process is leaving: then the turn stays owed. */
async function answerOne(
  deps: AnswersDeps,
  pending: PendingAnswer,
  speaking: Map<string, Speaking>,
  closing: AbortSignal,
): Promise<void> {
  const { conversationId, workspaceId } = pending;
  const agent = deps.agents.find((candidate) => candidate.id === pending.agentProvider);
  const draft = createAnswerDraft({
    id: pending.answerId,
    author: agent?.displayName ?? pending.agentProvider,
  });
  const tell = (event: LiveEvent) => deps.hub.publish({ workspaceId, conversationId, event });
  speaking.set(conversationId, { turnSeq: pending.turnSeq, draft });
  try {
    const heard = await speak(deps, pending, agent, draft, tell, closing);
    if (closing.aborted) return;
    if (heard.end === "failed") {
      deps.log.warn(
        { conversationId, agent: pending.agentProvider, ...errorFacts(heard.cause) },
        "an agent failed",
      );
    }
    // Nothing is kept if a person was asked or the conversation ended meanwhile: that transaction kept what there was.
    await deps.store.finish(pending, draft.message(heard.end === "failed" ? "failed" : "complete"));
  } finally {
    speaking.delete(conversationId);
  }
}

async function speak(
  deps: AnswersDeps,
  pending: PendingAnswer,
  agent: Agent | undefined,
  draft: AnswerDraft,
  tell: (event: LiveEvent) => void,
  closing: AbortSignal,
): Promise<Heard> {
  const question = pending.messages.at(-1);
  const reason = agent ? agent.unavailable() : "This agent is not running here.";
  if (!agent || !question || reason !== undefined) return { end: "failed", cause: new Error(reason) };
  if (pending.attempts > MAX_ATTEMPTS) return { end: "failed", cause: new Error("Tried too often.") };
  const interrupted = new AbortController();
  const stopListening = deps.hub.subscribe(pending.conversationId, ({ event }) => {
    if (INTERRUPTS.has(event.type)) interrupted.abort();
  });
  tell({ type: "typing.started", role: "agent", name: agent.displayName });
  // A panel may still show the beginning that an earlier process streamed under this id.
  if (pending.attempts > 0) tell({ type: "response.snapshot", messageId: pending.answerId, text: "" });
  try {
    return await hearAgent(
      { agent, clock: deps.clock },
      { text: question.body, messages: pending.messages, locale: pending.locale },
      AbortSignal.any([interrupted.signal, closing]),
      (event) => {
        if (event.type === "citation") draft.cite(event.citation);
        else if (event.type === "choice") draft.offer(event.choice);
        else if (event.type === "nothing.found") draft.foundNothing();
        else if (event.type === "delta") {
          const delta = draft.add(event.text);
          if (delta !== "") tell({ type: "response.delta", messageId: pending.answerId, delta });
        }
        return !draft.full;
      },
    );
  } finally {
    stopListening();
    tell({ type: "typing.stopped", role: "agent" });
  }
}
