import { createEnvironmentReader, type Environment, type ReadFile } from "../../shared/server/environment.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Routing } from "./decide.ts";
import { findTargetFaults, type OfferedTargets, readRouting, routingWarnings } from "./settings.ts";

/** The routing that new conversations use. Running ones have their route already. */
export interface LiveRouting {
  read(): Routing;
  /** Puts a valid routing in place of the one before, from the next decision on. */
  replace(next: Routing): void;
  /** True at the first call for a rule since the last `replace`, so that a warning appears once. Null is the defaults. */
  isFirstDoubt(rule: number | null): boolean;
}

/** Holds `first` until it is replaced. */
export function createLiveRouting(first: Routing): LiveRouting {
  let current = first;
  let doubted = new Set<number | null>();
  return {
    read: () => current,
    replace(next) {
      current = next;
      doubted = new Set();
    },
    isFirstDoubt(rule) {
      const isFirst = !doubted.has(rule);
      doubted.add(rule);
      return isFirst;
    },
  };
}

/**
 * Reads the routing again, from the files that its variables name (an environment itself does not change while a process
 * runs). A valid one goes to `replace`; a faulty one changes nothing. Both are logged.
 */
export function reloadRouting(options: {
  readonly env: Environment;
  readonly readFile: ReadFile;
  /** What the service offers; empty for one elsewhere. */
  readonly offered: OfferedTargets;
  readonly replace: (next: Routing) => void;
  readonly log: Log;
}): void {
  const { env, readFile, offered, replace, log } = options;
  const reader = createEnvironmentReader(env, readFile);
  const routing = readRouting(reader, readFile);
  const faults = reader.faults.length > 0 ? reader.faults : findTargetFaults(routing, offered);
  if (faults.length > 0) {
    log.error(
      { faults: faults.map(({ name, fault }) => `${name} ${fault}`) },
      "the routing is faulty and was not replaced",
    );
    return;
  }
  replace(routing);
  log.info({ rules: routing.rules.length }, "the routing was read again and holds for new conversations");
  logWarnings(routing, log);
}

/** Logs what is allowed and surely not meant. */
export function logWarnings(routing: Routing, log: Log): void {
  for (const warning of routingWarnings(routing)) log.warn({}, warning);
}
