import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../shared/server/clock.ts";
import type { Agent, AgentEvent, AgentQuestion } from "../agents/agent.ts";

/** An agent that has not started by then is given up; the customer is offered a person instead. */
export const FIRST_WORD_MS = 20_000;
/** Limit for a whole answer. */
export const WHOLE_ANSWER_MS = 60_000;
/** More events than this without text count as a failure: an endless stream is cut. */
const MAX_EVENTS = 50_000;
/** An agent that never waits would block every other request. */
const EVENTS_PER_TURN_OF_LOOP = 64;

/** `complete`: it finished. `stopped`: `onEvent` or the signal ended it. `failed`: it threw, or took too long. */
export type Heard =
  | { readonly end: "complete" | "stopped" }
  | { readonly end: "failed"; readonly cause: unknown };

/**
 * Listens to one answer until it finishes, fails, is stopped or times out, even if the agent ignores its signal.
 * `onEvent` returns false to stop. Aborts `stop` to end an agent in the middle of its answer.
 */
export async function hearAgent(
  deps: { agent: Agent; clock: Clock },
  question: AgentQuestion,
  stop: AbortController,
  onEvent: (event: AgentEvent) => boolean,
): Promise<Heard> {
  const { signal } = stop;
  if (signal.aborted) return { end: "stopped" };
  const gone = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  let isLate = false;
  let isOver = false;
  const giveUp = () => {
    isLate = true;
    stop.abort();
  };
  const stopFirst = deps.clock.after(FIRST_WORD_MS, giveUp);
  const stopWhole = deps.clock.after(WHOLE_ANSWER_MS, giveUp);
  async function listen(): Promise<Heard> {
    let events = 0;
    // However it is left, the agent's own `finally` runs.
    for await (const event of deps.agent.answer(question, signal)) {
      if (signal.aborted) break;
      stopFirst();
      if (!onEvent(event)) {
        // An agent that does not end its work holds nobody up.
        stop.abort();
        break;
      }
      if (events % EVENTS_PER_TURN_OF_LOOP === 0) await setImmediate();
      events += 1;
      if (events === MAX_EVENTS) throw new Error("The agent did not come to an end.");
    }
    isOver = true;
    return { end: signal.aborted ? "stopped" : "complete" };
  }
  try {
    const heard = await Promise.race([listen(), gone]);
    return heard ?? (isLate ? tooLate() : { end: "stopped" });
  } catch (cause) {
    return { end: "failed", cause };
  } finally {
    stopFirst();
    stopWhole();
    // Only for an agent in the middle of its answer: aborting costs more than answering a short question.
    if (!isOver) stop.abort();
  }
}

function tooLate(): Heard {
  return { end: "failed", cause: new Error("The agent did not answer in time.") };
}
