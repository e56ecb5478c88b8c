import type { Clock } from "../../shared/server/clock.ts";
import { shareAnswer } from "../../shared/server/share-answer.ts";
import type { Store } from "../store/store.ts";

/** Returns why a question could not be answered now, one sentence each; empty means ready. */
export type Readiness = () => Promise<readonly string[]>;

/** An entry that is written, with a signal, to check whether the store accepts both: without signals nobody can log out. */
const PROBE = { key: "probe", value: "1", lifeMs: 60_000 };
/** A write reaches the disk, so many probes share one. */
const STORE_PROBE_MS = 1000;

/** Checks that the store can be written and support can be reached. `isDraining` is true once the process is stopping. */
export function createReadiness(deps: {
  readonly store: Pick<Store, "write">;
  readonly support: Readiness;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
}): Readiness {
  const probeStore = shareAnswer(deps.clock, STORE_PROBE_MS, () =>
    deps.store.write([PROBE], { topic: "probe", text: "" }).then(
      () => [],
      () => ["The session store can't be written."],
    ),
  );
  return async () => {
    if (deps.isDraining()) return ["This process is shutting down."];
    const support = deps.support().catch(() => ["Support could not be asked."]);
    return [...(await probeStore()), ...(await support)];
  };
}
