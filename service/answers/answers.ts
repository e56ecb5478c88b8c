import type { DeskDraft } from "../../shared/desk.ts";
import type { LiveEvent, ServiceEvent } from "../../shared/event.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { Random } from "../../shared/server/random.ts";
import type { Agent } from "../agents/agent.ts";
import { type AnswerGuard, createAnswerGuard, heardBy, NO_GUARD } from "../guard/answer-guard.ts";
import { createId } from "../ids.ts";
import type { Hub } from "../live/hub.ts";
import type { AnswerStore, OwedAnswer } from "../store/answers.ts";
import type { DeskTarget } from "../store/desk.ts";
import type { LeaseTerms } from "../store/lease-terms.ts";
import type { Toolbox } from "../tools/toolbox.ts";
import { type AnswerDraft, createAnswerDraft } from "./answer-draft.ts";
import { type Heard, hearAgent } from "./hear-agent.ts";
import { createMadeNotes, type MadeNotes } from "./made-notes.ts";
import { draftReply } from "./reply-draft.ts";
import { createShownAnswer, SHOW_MS, type ShownAnswer } from "./shown-answer.ts";
import { takeAgentEnd, takeAgentEvent } from "./take-agent-event.ts";

/** How often the same answer is attempted: a question that kills its process must not do so forever. */
const MAX_LEASES = 4;
/** A process that has not renewed its lease for this long counts as dead. It renews three times as often. */
export const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 3;
const LOOK_MS = LEASE_MS / 2;

export interface AnswersDeps {
  readonly store: AnswerStore;
  readonly hub: Hub;
  readonly agents: readonly Agent[];
  readonly toolbox: Pick<Toolbox, "forQuestion" | "prepare">;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/**
 * Runs the agents for what customers wrote: one answer at a time per conversation, in the order of the turns, by the
 * process that holds the lease. If that process dies, another one stores the text that was shown as incomplete, or
 * gives the answer if nothing was shown.
 */
export interface Answers {
  /** The owner for turns that arrive at this process: the process that stores a turn also leases its answer. */
  readonly terms: LeaseTerms;
  /** Reports that this conversation is owed an answer. Never throws, never waits. */
  wake(conversationId: string): void;
  /** Takes over what other processes left unanswered, now and periodically. */
  start(options: { readonly isOnlyProcess: boolean }): Promise<void>;
  /**
   * Runs a command that may interrupt an answer. While it runs, no more text is shown, and what was shown is stored
   * first, so that the command can append it.
   */
  interrupting<T>(conversationId: string, command: () => Promise<T>): Promise<T>;
  /** The text that the agent has produced so far, for a subscriber who joins in the middle of an answer. */
  readSnapshot(conversationId: string): LiveEvent | undefined;
  /** A reply that a person of the team may use, to what the customer wrote last; undefined without the conversation. */
  draft(target: DeskTarget, signal: AbortSignal): Promise<DeskDraft | undefined>;
  /** Resolves when no agent is answering. */
  settled(): Promise<void>;
  /** Stops every agent and releases the leases: the next process gives these answers from the beginning. */
  close(): Promise<void>;
}

/** The events after which the agent does not answer. */
export const INTERRUPTS: ReadonlySet<ServiceEvent["type"]> = new Set([
  "handoff.requested",
  "handoff.accepted",
  "conversation.ended",
  "conversation.erased",
]);

interface Speaking {
  readonly draft: AnswerDraft;
  readonly shown: ShownAnswer;
}

/** These see every event of the agent while it answers. */
interface Overhearing {
  readonly made: MadeNotes;
  readonly guard: AnswerGuard;
}

export function createAnswers(deps: AnswersDeps): Answers {
  const { store, clock, log } = deps;
  const terms = { owner: createId("proc", clock.now(), deps.random), ms: LEASE_MS };
  const busy = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const speaking = new Map<string, Speaking>();
  const closing = new AbortController();
  let stopLooking: (() => void) | undefined;

  const work = async (conversationId: string) => {
    try {
      do {
        again.delete(conversationId);
        let owed = await store.claim(conversationId, terms);
        while (owed && !closing.signal.aborted) {
          await answerOne(deps, owed, speaking, closing.signal);
          owed = await store.claim(conversationId, terms);
        }
      } while (again.has(conversationId) && !closing.signal.aborted);
    } catch (error) {
      // The answer stays owed: the next turn of this conversation, or the expiry of the lease, tries again.
      log.error({ conversationId, ...errorFacts(error) }, "an answer could not be stored");
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
  const look = async () => {
    for (const conversationId of await store.findUnleased()) wake(conversationId);
  };
  const endLeases = () =>
    store.expireAll().catch((error: unknown) => {
      log.error(errorFacts(error), "answers of an earlier process wait until their leases end");
    });
  return {
    terms,
    wake,
    async start({ isOnlyProcess }) {
      if (isOnlyProcess) await endLeases();
      await look();
      stopLooking = clock.every(LOOK_MS, () => {
        look().catch((error: unknown) =>
          log.error(errorFacts(error), "owed answers could not be looked for"),
        );
      });
    },
    async interrupting(conversationId, command) {
      const release = await speaking.get(conversationId)?.shown.hold();
      try {
        return await command();
      } finally {
        release?.();
      }
    },
    readSnapshot(conversationId) {
      const now = speaking.get(conversationId);
      const text = now?.shown.catchUp();
      if (!now || !text) return undefined;
      return { type: "response.snapshot", messageId: now.draft.id, text };
    },
    async draft(target, signal) {
      const asked = await store.readLastQuestion(target);
      return asked && draftReply(deps, asked, AbortSignal.any([signal, closing.signal]));
    },
    settled,
    async close() {
      stopLooking?.();
      closing.abort();
      await settled();
      await store
        .release(terms.owner)
        .catch((error: unknown) => log.warn(errorFacts(error), "leases on answers could not be handed back"));
    },
  };
}

/** Gives one answer and stores it, unless the process is stopping or has lost the lease. */
async function answerOne(
  deps: AnswersDeps,
  owed: OwedAnswer,
  speaking: Map<string, Speaking>,
  closing: AbortSignal,
): Promise<void> {
  const { store, clock, log } = deps;
  const { conversationId, workspaceId, answerId } = owed;
  if (owed.partial) {
    // The previous process died in the middle of this answer.
    await store.finish(owed, LEASE_MS, { ...owed.partial, incomplete: true, notice: "agent_failed" });
    return;
  }
  const agent = deps.agents.find((candidate) => candidate.id === owed.agentProvider);
  const draft = createAnswerDraft({
    id: answerId,
    agent: owed.agentProvider,
    author: agent?.displayName ?? owed.agentProvider,
  });
  const made = createMadeNotes();
  const tell = (event: LiveEvent) => deps.hub.publish({ workspaceId, conversationId, event });
  const stop = new AbortController();
  const renew = async (partial: Parameters<AnswerStore["renew"]>[2]) => {
    if (!(await store.renew(owed, LEASE_MS, partial))) leave();
  };
  const onError = (error: unknown) =>
    log.warn({ conversationId, ...errorFacts(error) }, "what an agent says could not be stored");
  const shown = createShownAnswer({
    clock,
    draft,
    show: (delta) => tell({ type: "response.delta", messageId: answerId, delta }),
    save: renew,
    onError,
  });
  const leave = () => {
    shown.stop();
    stop.abort();
  };
  speaking.set(conversationId, { draft, shown });
  const stopRenewing = clock.every(RENEW_MS, () => void renew(undefined).catch(onError));
  const stopListening = deps.hub.subscribe(conversationId, ({ event }) => {
    if (INTERRUPTS.has(event.type)) leave();
  });
  closing.addEventListener("abort", leave, { once: true });
  try {
    if (closing.aborted) return;
    const guard = agent?.quotesOnly ? NO_GUARD : await createAnswerGuard(owed.locale, owed.actions);
    const heard = await speak(deps, owed, agent, { draft, shown, tell, made, guard }, stop);
    // A command that may interrupt this answer goes first, with what was shown so far.
    await shown.released();
    if (closing.aborted) return;
    if (heard.end === "failed") {
      log.warn({ conversationId, agent: owed.agentProvider, ...errorFacts(heard.cause) }, "an agent failed");
    }
    const end = heard.end === "failed" ? "failed" : "complete";
    await store.finish(owed, LEASE_MS, draft.message(end), {
      actions: draft.actions(end),
      made: (asked) => made.result({ asked, hasWithheld: guard.hasWithheld }),
    });
  } finally {
    closing.removeEventListener("abort", leave);
    stopListening();
    stopRenewing();
    shown.stop();
    speaking.delete(conversationId);
  }
}

async function speak(
  deps: AnswersDeps,
  owed: OwedAnswer,
  agent: Agent | undefined,
  { draft, shown, tell, made, guard }: Speaking & Overhearing & { tell: (event: LiveEvent) => void },
  stop: AbortController,
): Promise<Heard> {
  const question = owed.messages.at(-1);
  const reason = agent ? agent.unavailable() : "This agent is not running here.";
  if (!agent || !question || reason !== undefined) return { end: "failed", cause: new Error(reason) };
  if (owed.fence > MAX_LEASES) return { end: "failed", cause: new Error("Tried too often.") };
  let isTyping = false;
  // Most answers come sooner, and a typing signal that ends at once would only flicker.
  const cancelTyping = deps.clock.after(SHOW_MS, () => {
    isTyping = true;
    tell({ type: "typing.started", role: "agent", name: agent.displayName });
  });
  // A panel may still show the beginning that an earlier process streamed under this id.
  if (owed.fence > 1) tell({ type: "response.snapshot", messageId: owed.answerId, text: "" });
  try {
    const heard = await hearAgent(
      { agent, clock: deps.clock },
      {
        conversationId: owed.conversationId,
        customerId: owed.customerId,
        text: question.body,
        messages: owed.messages,
        locale: owed.locale,
        customerName: owed.customerName,
        tools: made.heard(heardBy(guard, deps.toolbox.forQuestion())),
        actions: owed.actions,
      },
      stop,
      (event) => {
        made.take(event);
        if (takeAgentEvent(event, draft, { ...deps, agent: agent.id, guard }) !== "") shown.grow();
        return !draft.full;
      },
    );
    if (heard.end !== "stopped") takeAgentEnd(draft, guard);
    return heard;
  } finally {
    cancelTyping();
    if (isTyping) tell({ type: "typing.stopped", role: "agent" });
  }
}
