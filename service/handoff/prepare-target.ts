import { Failure } from "../../shared/errors.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { errorFacts, type Log } from "../../shared/server/log.ts";
import type { HandoffAdapter, HandoffTask, PreparedTarget } from "./adapter.ts";

/** A customer waits for the answer: within the BFF's own 8 s for the whole call. */
export const PREPARE_MS = 5000;

/**
 * Gets the target of a handoff ready, in bounded time.
 *
 * @throws Failure `handoff_unavailable` when the route has no target here, `unavailable` when the target failed
 */
export async function prepareTarget(
  deps: { adapters: readonly HandoffAdapter[]; clock: Clock; log: Log },
  adapterId: string | undefined,
  task: HandoffTask,
): Promise<PreparedTarget> {
  const adapter = deps.adapters.find((candidate) => candidate.id === adapterId);
  if (!adapter) throw new Failure("handoff_unavailable");
  const patience = new AbortController();
  const late = new Promise<never>((_, reject) => {
    patience.signal.addEventListener("abort", () => reject(new Error("The target did not answer in time.")));
  });
  const stop = deps.clock.after(PREPARE_MS, () => patience.abort());
  try {
    return await Promise.race([adapter.prepare(task, patience.signal), late]);
  } catch (cause) {
    deps.log.warn({ adapter: adapter.id, ...errorFacts(cause) }, "a handoff target failed");
    throw new Failure("unavailable", {
      detail: "No person could be asked just now. The agent goes on answering. Try again soon.",
      cause,
    });
  } finally {
    stop();
  }
}
