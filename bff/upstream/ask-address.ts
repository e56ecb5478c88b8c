import type { Clock } from "../../shared/server/clock.ts";
import type { Transport } from "./transport.ts";

/** What came of the question: an answer with the time that the service has, or none. */
export type AddressWord =
  | { readonly status: number; readonly date: string | undefined }
  | { readonly error: unknown; readonly isLate: boolean };

/**
 * Asks at the service's address without a credential, once, for `limitMs` at most. Any answer says that somebody is there;
 * the contract has no call that would say more and change nothing.
 */
export async function askAddress(
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  limitMs: number,
): Promise<AddressWord> {
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort());
  try {
    const answer = await transport.request({
      method: "GET",
      path: "/v1/support/capabilities",
      headers: { accept: "application/json" },
      signal: limit.signal,
      stream: false,
    });
    answer.discard();
    return { status: answer.status, date: answer.date };
  } catch (error) {
    return { error, isLate: limit.signal.aborted };
  } finally {
    cancel();
  }
}
