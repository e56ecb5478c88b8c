import { setImmediate as nextTurn } from "node:timers/promises";

/** How long one turn of the event loop may work. */
const TURN_MS = 10;

/** Does work that yields after each step, and lets other work of the process go on in between. */
export async function inTurns<Made>(work: Generator<void, Made>): Promise<Made> {
  for (let began = performance.now(); ; ) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - began < TURN_MS) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** Does all of it now. */
export function atOnce<Made>(work: Generator<void, Made>): Made {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
