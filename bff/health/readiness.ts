import type { Clock } from "../clock.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Transport } from "../upstream/transport.ts";

/** Why a question could not be answered now, in sentences; none means ready. */
export type Readiness = () => Promise<readonly string[]>;

/** Whether sessions can be kept and support can be asked (R78). `isDraining` is true once the process is leaving. */
export function createReadiness(deps: {
  readonly store: SessionStore;
  readonly support: Readiness;
  readonly isDraining: () => boolean;
}): Readiness {
  return async () => {
    if (deps.isDraining()) return ["This process is shutting down."];
    const [store, support] = await Promise.all([
      deps.store.probe().then(
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
  let last: { at: number; reasons: readonly string[] } | undefined;
  return async () => {
    if (last && clock.now() - last.at < KEEP_MS) return last.reasons;
    const reasons = (await isReachable(transport, clock)) ? [] : ["The service at BASE_URL does not answer."];
    last = { at: clock.now(), reasons };
    return reasons;
  };
}

async function isReachable(transport: Transport, clock: Clock): Promise<boolean> {
  const limit = new AbortController();
  const cancel = clock.after(PROBE_MS, () => limit.abort());
  try {
    const answer = await transport.request({
      method: "GET",
      path: "/v1/support/capabilities",
      headers: { accept: "application/json" },
      signal: limit.signal,
      stream: false,
    });
    answer.discard();
    return answer.status < 500;
  } catch {
    // Not reachable is an answer here; the calls themselves log why.
    return false;
  } finally {
    cancel();
  }
}
