import type { Clock } from "../../../shared/server/clock.ts";
import type { ModelEvent, ModelRequest } from "./model-event.ts";
import { ModelFault } from "./model-fault.ts";
import type { ModelServer } from "./model-server.ts";
import { retryDelay } from "./retry-delay.ts";

/** All attempts together begin an answer in this time; the service gives an agent 20 s for its first word. */
const BEGIN_MS = 18_000;
/** How long the first server has if a second one waits. */
const FIRST_SERVER_MS = 8_000;
/** With a second server, a longer pause is not worth waiting for. */
const PATIENT_MS = 1_000;
const RETRIES = 2;

export interface ModelClient {
  /**
   * One answer of the model. A server that fails is asked again, then the next one is asked, but only until the answer
   * has begun, so no part of an answer is ever shown twice.
   * @param only the server that began this conversation's answer, for its further rounds
   * @throws ModelFault, or the signal's reason
   */
  ask(request: ModelRequest, signal: AbortSignal, only?: ModelServer): AsyncGenerator<FromServer>;
  /** In the order in which they are asked. */
  readonly servers: readonly ModelServer[];
}

export interface FromServer {
  readonly event: ModelEvent;
  readonly server: ModelServer;
}

export interface ModelClientDeps {
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Called for each server that answered, or whose last attempt failed before its answer began. */
  readonly onOutcome: (server: ModelServer, fault: ModelFault | undefined) => void;
}

export function createModelClient(servers: readonly ModelServer[], deps: ModelClientDeps): ModelClient {
  const { clock, random, onOutcome } = deps;
  return {
    servers,
    async *ask(request, signal, only) {
      const asked = only ? [only] : servers;
      const endsAt = clock.now() + BEGIN_MS;
      // Not longer where the machine's clock was set back.
      const timeLeft = () => Math.min(BEGIN_MS, endsAt - clock.now());
      let last: unknown = new ModelFault("model_unreachable", "No model server is configured.");
      /** The tokens of the attempts that gave no answer, which are paid for too. */
      let earlier = { inputTokens: 0, outputTokens: 0 };
      for (const [at, server] of asked.entries()) {
        const isLast = at === asked.length - 1;
        for (let attempt = 0; ; attempt += 1) {
          signal.throwIfAborted();
          const left = timeLeft();
          let hasBegun = false;
          let used = earlier;
          try {
            for await (const event of server.ask(
              request,
              signal,
              isLast ? left : Math.min(left, FIRST_SERVER_MS),
            )) {
              if (event.type === "begun") {
                hasBegun = true;
                onOutcome(server, undefined);
              }
              if (event.type !== "usage") {
                yield { event, server };
                continue;
              }
              used = {
                inputTokens: earlier.inputTokens + event.inputTokens,
                outputTokens: earlier.outputTokens + event.outputTokens,
              };
              yield { event: { type: "usage", ...used }, server };
            }
            if (!hasBegun) onOutcome(server, undefined);
            return;
          } catch (error) {
            if (hasBegun || signal.aborted || !(error instanceof ModelFault)) throw error;
            last = error;
            earlier = used;
            const wait =
              error.isPassing && attempt < RETRIES ? retryDelay(attempt, error.waitMs, random()) : undefined;
            const patience = isLast ? timeLeft() : PATIENT_MS;
            if (wait === undefined || wait >= patience) {
              onOutcome(server, error);
              break;
            }
            await sleep(clock, wait, signal);
          }
        }
      }
      throw last;
    },
  };
}

function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      stop();
      reject(signal.reason);
    };
    const stop = clock.after(ms, () => {
      signal.removeEventListener("abort", leave);
      resolve();
    });
    signal.addEventListener("abort", leave, { once: true });
  });
}
