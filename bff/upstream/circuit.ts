import type { Clock } from "../../shared/server/clock.ts";

/** When a circuit opens, and for how long. */
export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly inARow: number;
  /** Share of failures that opens it, once `atLeast` calls were made within `windowMs`. */
  readonly share: number;
  readonly atLeast: number;
  readonly windowMs: number;
  readonly openMs: number;
}

/** One upstream route. */
export const ROUTE_RULES: CircuitRules = {
  inARow: 5,
  share: 0.5,
  atLeast: 20,
  windowMs: 10_000,
  openMs: 5000,
};

/** Bounds the window of one route under load; the share of this many calls is a fair sample. */
const MAX_RECENT = 1000;

/** What one call shows about the service. `idle`: nothing, for example because its customer left. */
export type Sign = "alive" | "broken" | "idle";

export interface Circuit {
  readonly state: "closed" | "open" | "half-open";
  /** Lets a call out and returns how to report on it, or says how many seconds to wait. */
  enter(): { readonly report: (sign: Sign) => void } | { readonly retryAfter: number };
}

/**
 * Stops calling a service that fails, and tries it again by one probe at a time. Calls that began before it opened are not
 * counted: their result is old.
 */
export function createCircuit(clock: Clock, rules: CircuitRules): Circuit {
  let openUntil: number | undefined;
  let isProbing = false;
  let generation = 0;
  let inARow = 0;
  let recent: { readonly at: number; readonly isBroken: boolean }[] = [];

  const open = () => {
    openUntil = clock.now() + rules.openMs;
    generation += 1;
    inARow = 0;
    recent = [];
  };

  function count(isBroken: boolean): void {
    inARow = isBroken ? inARow + 1 : 0;
    // Only a failure makes the window worth keeping: a healthy route costs nothing.
    if (!isBroken && recent.length === 0) return;
    const now = clock.now();
    recent = recent.filter(({ at }) => now - at < rules.windowMs).slice(1 - MAX_RECENT);
    recent.push({ at: now, isBroken });
    const failures = recent.filter((call) => call.isBroken).length;
    const isMany = recent.length >= rules.atLeast && failures >= recent.length * rules.share;
    if (inARow >= rules.inARow || isMany) open();
  }

  function probe() {
    isProbing = true;
    return {
      report(sign: Sign) {
        isProbing = false;
        if (sign === "broken") open();
        if (sign === "alive") openUntil = undefined;
      },
    };
  }

  return {
    get state() {
      if (openUntil === undefined) return "closed";
      return isProbing || clock.now() >= openUntil ? "half-open" : "open";
    },
    enter() {
      if (openUntil !== undefined) {
        const left = openUntil - clock.now();
        return left > 0 || isProbing ? { retryAfter: Math.max(1, Math.ceil(left / 1000)) } : probe();
      }
      const entered = generation;
      return {
        report(sign) {
          if (sign !== "idle" && entered === generation) count(sign === "broken");
        },
      };
    },
  };
}
