import type { Readiness } from "../bff/health/readiness.ts";
import type { Transport, UpstreamAnswer } from "../bff/upstream/transport.ts";
import { Failure } from "../shared/errors.ts";
import type { Clock } from "../shared/server/clock.ts";
import { shareAnswer } from "../shared/server/share-answer.ts";

const SERVICE_PROBE_MS = 5000;
const ANSWER_MS = 2000;

/**
 * Checks that a remote service answers: any status below 500 to a request without a credential. Only real calls show
 * whether it accepts our credential, because the contract has no call without an effect.
 */
export function createRemoteReadiness(transport: Transport, clock: Clock): Readiness {
  return shareAnswer(clock, SERVICE_PROBE_MS, async () => {
    const answer = askAddress({ transport, clock }, ANSWER_MS);
    const isUp = await answer.then(({ status }) => status < 500).catch(() => false);
    return isUp ? [] : ["The service at BASE_URL does not answer."];
  });
}

/**
 * Asks at the service's address without a credential, once. Any answer says that the service is there; the contract has no
 * call that says more and changes nothing.
 *
 * @throws Failure support_timeout after `limitMs`; what the connection throws
 */
export async function askAddress(
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  limitMs: number,
): Promise<UpstreamAnswer> {
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort(new Failure("support_timeout")));
  const path = "/v1/support/capabilities";
  const headers = { accept: "application/json" };
  try {
    const answer = await transport.call({ method: "GET", path, headers, signal: limit.signal });
    answer.discard();
    return answer;
  } finally {
    cancel();
  }
}
