import { createEnvironmentReader, type Environment, type ReadFile } from "../../shared/server/environment.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Routing } from "./decide.ts";
import { findTargetFaults, type OfferedTargets, readRouting, routingWarnings } from "./settings.ts";

export type LiveRouting = ReturnType<typeof createLiveRouting>;

/** The routing that new conversations use. Running conversations have their route already. */
export function createLiveRouting(first: Routing) {
  let current = first;
  let doubted = new Set<number | null>();
  return {
    read: () => current,
    /** Decides by `next`, which must be valid, from now on. */
    replace(next: Routing): void {
      current = next;
      doubted = new Set();
    },
    /** True at the first call for a rule since the last `replace`, so that a warning appears once. Null is the defaults. */
    isFirstDoubt(rule: number | null): boolean {
      const isFirst = !doubted.has(rule);
      doubted.add(rule);
      return isFirst;
    },
  };
}

/**
 * Reads the routing again, from the files that its variables name: an environment does not change while a process runs.
 * A valid one goes to `replace`; a faulty one changes nothing. Both are logged.
 */
export function reloadRouting(options: {
  readonly env: Environment;
  readonly readFile: ReadFile;
  /** The targets that the embedded service offers; empty for a service elsewhere. */
  readonly offered: OfferedTargets;
  readonly replace: (next: Routing) => void;
  readonly log: Log;
}): void {
  const { env, readFile, offered, replace, log } = options;
  const reader = createEnvironmentReader(env, readFile);
  const routing = readRouting(reader);
  const faults = reader.faults.length > 0 ? reader.faults : findTargetFaults(routing, offered);
  if (faults.length > 0) {
    log.error(
      { faults: faults.map(({ name, fault }) => `${name} ${fault}`) },
      "the routing is faulty and was not replaced",
    );
    return;
  }
  replace(routing);
  log.info({ rules: routing.rules.length }, "the routing was read again; new conversations use it");
  logWarnings(routing, log);
}

/** Logs settings that are valid but surely a mistake. */
export function logWarnings(routing: Routing, log: Log): void {
  for (const warning of routingWarnings(routing)) log.warn({}, warning);
}
