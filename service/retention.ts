import type { Clock } from "../shared/server/clock.ts";
import { errorFacts, type Log } from "../shared/server/log.ts";
import type { OpenStreams } from "./live/open-streams.ts";
import type { Store } from "./store/store.ts";

/** How long something is stored that nobody uses. */
export interface Retention {
  /** Hours that a request for a person waits after the conversation's last entry, while its customer is away. */
  readonly handoffHours: number;
  /** Days that an anonymous customer is stored after their last entry. 0: for good. */
  readonly anonymousDays: number;
}

/** A weekend; and long after an anonymous visitor's session, which ends after seven days. */
export const USUAL_RETENTION: Retention = { handoffHours: 72, anonymousDays: 90 };

const SWEEP_MS = 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;

/**
 * Removes, once at the start and then every hour: files that were never sent, requests for a person that nobody waits
 * for any more, and anonymous customers after `ANONYMOUS_DAYS`.
 */
export function createSweep(deps: {
  readonly store: Pick<Store, "attachments" | "handoffs" | "erasure">;
  readonly streams: Pick<OpenStreams, "followed">;
  readonly clock: Clock;
  readonly log: Log;
  readonly retention: Retention;
}) {
  const { store, streams, clock, log, retention } = deps;
  const before = (hours: number) => clock.now() - hours * HOUR_MS;
  let isStopping = false;
  const steps: Readonly<Record<string, () => Promise<number>>> = {
    files: () => store.attachments.sweep(() => isStopping),
    async handoffs() {
      let total = 0;
      while (!isStopping) {
        const count = await store.handoffs.expire(before(retention.handoffHours), streams.followed());
        if (count === 0) break;
        total += count;
      }
      return total;
    },
    async customers() {
      let total = 0;
      if (retention.anonymousDays === 0) return total;
      for await (const _ of store.erasure.purgeAnonymous(before(retention.anonymousDays * 24))) {
        total += 1;
        // The end of the process must not wait for a flood of them.
        if (isStopping) break;
      }
      return total;
    },
  };
  const sweepOnce = async () => {
    for (const [what, step] of Object.entries(steps)) {
      try {
        const count = await step();
        if (count > 0) log.info({ what, count }, "swept");
      } catch (error) {
        log.warn({ what, ...errorFacts(error) }, "what nobody uses any more could not be removed");
      }
    }
  };
  let running: Promise<void> | undefined;
  const sweep = () => {
    running ??= sweepOnce().finally(() => {
      running = undefined;
    });
  };
  const cancel = clock.every(SWEEP_MS, sweep);
  return {
    start: sweep,
    /** Resolves when no sweep is running. */
    settled: async () => running,
    /** The running sweep ends after the customer, or the hundred files or requests, that it is at. */
    stop() {
      isStopping = true;
      cancel();
    },
  };
}
