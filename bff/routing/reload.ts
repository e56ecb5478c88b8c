import type { Environment } from "../../shared/server/environment.ts";
import type { Log } from "../../shared/server/log.ts";
import type { Routing } from "./decide.ts";
import { sentenceOf } from "./fault.ts";
import { readRouting } from "./settings.ts";
import { checkTargets, type OfferedTargets } from "./targets.ts";

/**
 * Reads the routing again, from the files that its variables name (an environment itself does not change while a process
 * runs). A right one goes to `replace`; a faulty one changes nothing. Either is one line of the log.
 */
export function reloadRouting(options: {
  readonly env: Environment;
  readonly readFile: (path: string) => string;
  /** What the service offers; nothing is known of one elsewhere. */
  readonly offered: OfferedTargets;
  readonly replace: (next: Routing) => void;
  readonly log: Log;
}): void {
  const { env, readFile, offered, replace, log } = options;
  const read = readRouting(env, readFile);
  const faults = read.ok ? checkTargets(read.value, offered) : read.faults;
  if (!read.ok || faults.length > 0) {
    log.error({ faults: faults.map(sentenceOf) }, "the routing is faulty: the one before it stays");
    return;
  }
  replace(read.value);
  log.info({ rules: read.value.rules.length }, "the routing was read again: it holds for new conversations");
}
