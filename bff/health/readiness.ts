import type { Clock } from "../../shared/server/clock.ts";
import type { Store } from "../store/store.ts";
import { askAddress } from "../upstream/ask-address.ts";
import type { Transport } from "../upstream/transport.ts";

/** What shows that the store takes writes. */
const PROBE = { key: "probe", value: "1", lifeMs: 60_000 };

/** Why a question could not be answered now, in sentences; none means ready. */
export type Readiness = () => Promise<readonly string[]>;

/** Whether sessions can be kept and support can be asked. `isDraining` is true once the process is leaving. */
export function createReadiness(deps: {
  readonly store: Pick<Store, "write">;
  readonly support: Readiness;
  readonly isDraining: () => boolean;
}): Readiness {
  return async () => {
    if (deps.isDraining()) return ["This process is shutting down."];
    const [store, support] = await Promise.all([
      deps.store.write([PROBE]).then(
        () => [],
        () => ["The session store can't be written."],
      ),
      deps.support().catch(() => ["Support could not be asked."]),
    ]);
    return [...store, ...support];
  };
}

const PROBE_MS = 2000;

/** A probe may come every second from each of several balancers; the service is asked once in so long. */
const KEEP_MS = 5000;

/**
 * Whether a service elsewhere answers at all: any answer below 500 to a question without a credential. Whether it accepts
 * ours shows only in real calls, because the contract has no call without an effect.
 */
export function createRemoteReadiness(transport: Transport, clock: Clock): Readiness {
  const ask = async () => {
    const word = await askAddress({ transport, clock }, PROBE_MS);
    // Why it does not answer the calls themselves log.
    const isThere = "status" in word && word.status < 500;
    return isThere ? [] : ["The service at BASE_URL does not answer."];
  };
  let last: { readonly at: number; readonly reasons: Promise<readonly string[]> } | undefined;
  return () => {
    // Kept from the question on: while a slow service is asked, nobody else asks it too.
    if (!last || clock.now() - last.at >= KEEP_MS) last = { at: clock.now(), reasons: ask() };
    return last.reasons;
  };
}
