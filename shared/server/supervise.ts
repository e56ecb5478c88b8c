import type { Clock } from "./clock.ts";
import { errorFacts, type Log } from "./log.ts";

/**
 * A signal repeated within this time counts as the same one. npm passes on what its child has also received from the
 * terminal or from a supervisor that signals every process.
 */
const SAME_SIGNAL_MS = 1000;

/** A program that runs in a process of its own. */
export interface Program {
  readonly log: Log;
  readonly clock: Clock;
  /** Finishes what is running and closes everything. */
  readonly stop: () => Promise<void>;
  /** Writes pending log entries before the process ends. */
  readonly flush: () => void;
}

/** The part of `process` that is used here; only `main.ts` files touch the global. */
type Host = Pick<NodeJS.Process, "on" | "exit">;

/**
 * Connects a program to its process. SIGTERM, SIGINT and SIGHUP (a closed terminal) stop it, exit code 0; a second
 * signal, at least a second later, ends it at once. An error that nobody caught is logged with its stack and ends the
 * process with exit code 1: nobody knows what state it left, and a supervisor starts a clean process.
 */
export function supervise(host: Host, { log, clock, stop, flush }: Program): void {
  const exit = (code: number) => {
    try {
      flush();
    } finally {
      host.exit(code);
    }
  };
  let stoppingSince: number | undefined;
  const stopOnce = () => {
    if (stoppingSince !== undefined) {
      if (clock.now() - stoppingSince >= SAME_SIGNAL_MS) exit(1);
      return;
    }
    stoppingSince = clock.now();
    stop().then(
      () => exit(0),
      (error: unknown) => {
        log.error(errorFacts(error), "the process could not stop cleanly");
        exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) host.on(signal, stopOnce);
  // Node turns an unhandled rejection into an uncaught exception.
  host.on("uncaughtException", (error: unknown) => {
    log.error(errorFacts(error), "uncaught error, the process ends");
    exit(1);
  });
}
