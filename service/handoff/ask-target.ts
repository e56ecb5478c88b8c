import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { HandoffAdapter, HandoffTask, PreparedTarget } from "./adapter.ts";

/** Limit for preparing and committing together: the customer waits, and the BFF allows 8 s for the whole call. */
export const ASK_MS = 5000;

/** A target that has the conversation until the store commits the hand-off. */
export interface AskedTarget {
  readonly adapter: string;
  readonly ref: string;
  /** Takes the conversation back from the target, because the hand-off was not stored. Never throws. */
  discard(): Promise<void>;
}

/**
 * Prepares a target and hands it the conversation, in bounded time.
 *
 * @throws Failure `handoff_unavailable` when the route has no target here, `unavailable` when the target failed
 */
export async function askTarget(
  deps: { adapters: readonly HandoffAdapter[]; clock: Clock; log: Log },
  adapterId: string | undefined,
  task: HandoffTask,
): Promise<AskedTarget> {
  const adapter = deps.adapters.find((candidate) => candidate.id === adapterId);
  if (!adapter) throw new Failure("handoff_unavailable");
  const patience = new AbortController();
  const { signal } = patience;
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("The target did not answer in time.")));
  });
  const stop = deps.clock.after(ASK_MS, () => patience.abort());
  const preparing = adapter.prepare(task, signal);
  const asking = preparing.then(async (target) => {
    await target.commit(signal);
    return target;
  });
  try {
    const target = await Promise.race([asking, late]);
    return { adapter: adapter.id, ref: target.ref, discard: () => discard(target, adapter.id, deps.log) };
  } catch (cause) {
    deps.log.warn({ adapter: adapter.id, ...errorFacts(cause) }, "a handoff target failed");
    // A target that becomes ready too late must not keep a conversation that was never handed off. Not before a commit in
    // flight has ended, which would hand it over again.
    void Promise.allSettled([asking])
      .then(() => preparing)
      .then(
        (target) => discard(target, adapter.id, deps.log),
        () => undefined,
      );
    throw new Failure("unavailable", {
      detail: "We couldn't ask for a person just now. The agent keeps answering. Try again soon.",
    });
  } finally {
    stop();
  }
}

async function discard(target: PreparedTarget, adapter: string, log: Log): Promise<void> {
  await target.discard().catch((error: unknown) => {
    log.warn({ adapter, ...errorFacts(error) }, "a handoff target could not be taken back");
  });
}
