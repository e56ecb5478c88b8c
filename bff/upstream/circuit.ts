import { Failure } from "../../shared/errors.ts";
import { type Clock, isRecent } from "../../shared/server/clock.ts";

export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly inARow: number;
  /** Calls within the window from which on half of them failing opens it. */
  readonly atLeast: number;
}

export const ROUTE_RULES: CircuitRules = { inARow: 5, atLeast: 20 };

/** The window begins with a failure: a healthy route counts nothing. */
const WINDOW_MS = 10_000;
const OPEN_MS = 5000;

/** What one call shows about the service. `idle`: nothing, for example because its customer left. */
export type Sign = "alive" | "broken" | "idle";

export type Circuit = ReturnType<typeof createCircuit>;

/** Stops calling a service that fails, and tests it by one probe at a time. Calls from before then do not count. */
export function createCircuit(clock: Clock, rules: CircuitRules) {
  let openedAt: number | undefined;
  let isProbing = false;
  let generation = 0;
  let inARow = 0;
  let window = { since: 0, calls: 0, failures: 0 };

  const open = () => {
    openedAt = clock.now();
    generation += 1;
    inARow = 0;
    window.failures = 0;
  };

  function count(isBroken: boolean): void {
    inARow = isBroken ? inARow + 1 : 0;
    const isOver = window.failures === 0 || !isRecent(clock, window.since, WINDOW_MS);
    if (isOver) window = { since: clock.now(), calls: 0, failures: 0 };
    if (isOver && !isBroken) return;
    window.calls += 1;
    if (isBroken) window.failures += 1;
    const isHalf = window.calls >= rules.atLeast && window.failures * 2 >= window.calls;
    if (inARow >= rules.inARow || isHalf) open();
  }

  function endProbe(sign: Sign): void {
    isProbing = false;
    if (sign === "broken") open();
    if (sign === "alive") openedAt = undefined;
  }

  return {
    get state(): "closed" | "open" | "half-open" {
      if (openedAt === undefined) return "closed";
      return isProbing || !isRecent(clock, openedAt, OPEN_MS) ? "half-open" : "open";
    },
    /** Permits a call and returns how to report on it. @throws Failure support_unreachable if the circuit is open */
    enter(): (sign: Sign) => void {
      if (openedAt !== undefined) {
        const left = Math.min(OPEN_MS, openedAt + OPEN_MS - clock.now());
        const retryAfter = Math.max(1, Math.ceil(left / 1000));
        if (isRecent(clock, openedAt, OPEN_MS) || isProbing)
          throw new Failure("support_unreachable", { retryAfter, cause: "circuit open" });
        isProbing = true;
        return endProbe;
      }
      const entered = generation;
      return (sign) => {
        if (sign !== "idle" && entered === generation) count(sign === "broken");
      };
    },
  };
}
