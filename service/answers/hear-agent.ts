import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../shared/server/clock.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agents/agent.ts";

/** An agent that has not begun by then will not; the customer is offered a person instead. */
export const FIRST_WORD_MS = 20_000;
/** An answer as a whole. */
export const WHOLE_ANSWER_MS = 60_000;
/** An agent that says more than this says nothing: an endless stream is cut. */
const MAX_EVENTS = 50_000;
/** An agent that never waits would keep every other request waiting. */
const EVENTS_PER_TURN_OF_LOOP = 64;

/** `complete`: it came to its end. `stopped`: `onEvent` or the signal wanted no more. `failed`: it threw, or took too long. */
export type Heard =
  | { readonly end: "complete" | "stopped" }
  | { readonly end: "failed"; readonly cause: unknown };

/**
 * Listens to one answer until it ends, fails, is stopped, or its time is over, whatever the agent does with its signal.
 * `onEvent` returns false when it wants no more. Aborts `stop` itself to end an agent in the middle of its answer.
 */
export async function hearAgent(
  deps: { agent: Agent; clock: Clock },
  question: AgentQuestion,
  stop: AbortController,
  onEvent: (event: AgentEvent) => boolean,
): Promise<Heard> {
  const { signal } = stop;
  if (signal.aborted) return { end: "stopped" };
  const gone = new Promise<"gone">((resolve) => {
    signal.addEventListener("abort", () => resolve("gone"), { once: true });
  });
  let isLate = false;
  let isOver = false;
  const giveUp = () => {
    isLate = true;
    stop.abort();
  };
  const stopFirst = deps.clock.after(FIRST_WORD_MS, giveUp);
  const stopWhole = deps.clock.after(WHOLE_ANSWER_MS, giveUp);
  try {
    const words = deps.agent.answer(question, signal)[Symbol.asyncIterator]();
    for (let events = 0; events < MAX_EVENTS; events += 1) {
      const next = await Promise.race([words.next(), gone]);
      if (next === "gone") return isLate ? tooLate() : { end: "stopped" };
      if (next.done) {
        isOver = true;
        return { end: "complete" };
      }
      stopFirst();
      if (!onEvent(next.value)) return { end: "stopped" };
      if (events % EVENTS_PER_TURN_OF_LOOP === 0) await setImmediate();
    }
    return { end: "failed", cause: new Error("The agent did not come to an end.") };
  } catch (cause) {
    return { end: "failed", cause };
  } finally {
    stopFirst();
    stopWhole();
    // Only an agent in the middle of its answer: aborting costs more than answering a short question.
    if (!isOver) stop.abort();
  }
}

function tooLate(): Heard {
  return { end: "failed", cause: new Error("The agent did not answer in time.") };
}
