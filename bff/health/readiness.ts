import type { Clock } from "../../shared/server/clock.ts";
import { shareAnswer } from "../../shared/server/share-answer.ts";
import type { Store } from "../store/store.ts";
import type { Transport } from "../upstream/transport.ts";

/** Returns why a question could not be answered now, one sentence each; empty means ready. */
export type Readiness = () => Promise<readonly string[]>;

/** An entry that is written to check whether the store accepts writes. */
const PROBE = { key: "probe", value: "1", lifeMs: 60_000 };
/** A write reaches the disk, so many probes share one. */
const STORE_PROBE_MS = 1000;
const SERVICE_PROBE_MS = 5000;
const ANSWER_MS = 2000;

/** Checks that the store can be written and support can be reached. `isDraining` is true once the process is stopping. */
export function createReadiness(deps: {
  readonly store: Pick<Store, "write">;
  readonly support: Readiness;
  readonly isDraining: () => boolean;
  readonly clock: Clock;
}): Readiness {
  const probeStore = shareAnswer(deps.clock, STORE_PROBE_MS, () =>
    deps.store.write([PROBE]).then(
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

/**
 * Checks that a remote service answers: any status below 500 to a request without a credential. Only real calls show
 * whether it accepts our credential, because the contract has no call without an effect.
 */
export function createRemoteReadiness(transport: Transport, clock: Clock): Readiness {
  return shareAnswer(clock, SERVICE_PROBE_MS, async () => {
    const answer = await askAddress({ transport, clock }, ANSWER_MS);
    return "status" in answer && answer.status < 500 ? [] : ["The service at BASE_URL does not answer."];
  });
}

/**
 * Asks at the service's address without a credential, once, for `limitMs` at most. Any answer says that the service is there;
 * the contract has no call that says more and changes nothing. The answer has the time that the service has, where it says it.
 */
export async function askAddress(
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  limitMs: number,
): Promise<
  | { readonly status: number; readonly date: string | undefined }
  | { readonly error: unknown; readonly isLate: boolean }
> {
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort());
  try {
    const answer = await transport.call({
      method: "GET",
      path: "/v1/support/capabilities",
      headers: { accept: "application/json" },
      signal: limit.signal,
    });
    answer.discard();
    return { status: answer.status, date: answer.date };
  } catch (error) {
    return { error, isLate: limit.signal.aborted };
  } finally {
    cancel();
  }
}
