import { createBackoff } from "../client/backoff.ts";
import { readFrom, writeTo } from "../client/browser-storage.ts";
import type { BffClient } from "./bff-client.ts";
import { type ChatFailure, failureFrom, isSessionOver } from "./chat-failure.ts";
import type { Environment } from "./environment.ts";

const KEY = "parley.revoke";

export type Revocations = ReturnType<typeof createRevocations>;

/**
 * Ends sessions on the server, however long that takes: after a logout without a network it retries.
 * Tokens that are still to be revoked are stored in this tab.
 */
export function createRevocations(
  environment: Pick<Environment, "random" | "setTimer" | "tabStorage">,
  client: Pick<BffClient, "endSession">,
) {
  const { random, setTimer, tabStorage } = environment;
  const left = new Set(readFrom(tabStorage, KEY)?.split(" "));
  const backoff = createBackoff(random);
  let cancel = (): void => undefined;

  const keep = () => writeTo(tabStorage, KEY, [...left].join(" ") || undefined);
  let running: Promise<ChatFailure | undefined> | undefined;

  /** Returns the last failure; failed tokens are retried. Concurrent calls share one run. */
  const run = () => {
    // A turn later: it must not have ended before `running` is set.
    running ??= Promise.resolve().then(endAll);
    return running;
  };
  // A token that is added meanwhile is visited too: a Set's iteration goes on to it.
  const endAll = async (): Promise<ChatFailure | undefined> => {
    cancel();
    let failure: ChatFailure | undefined;
    for (const token of left) {
      try {
        await client.endSession(token);
        left.delete(token);
      } catch (error) {
        if (isSessionOver(error)) left.delete(token);
        else failure = failureFrom(error);
      }
    }
    running = undefined;
    keep();
    if (failure) cancel = setTimer(() => void run(), backoff.next((failure.retryAfter ?? 0) * 1000));
    else backoff.reset();
    return failure;
  };
  return {
    run,
    add(token = "") {
      if (token) left.add(token);
      keep();
      return run();
    },
  };
}
