import type { Failure } from "../../shared/errors.ts";
import type { Auth } from "../../shared/operation.ts";
import { createAlarm } from "../../shared/server/alarm.ts";
import { type Clock, isRecent, pause } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { type Circuit, createCircuit, ROUTE_RULES, type Sign } from "./circuit.ts";
import { isRefused, meaningAfterRetry } from "./failure.ts";

/** Retries after the first attempt, if repeating is safe at all. */
const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 200;

/** If the service asks for a longer pause, the customer gets the failure instead of waiting. */
const LONGEST_WAIT_MS = 2000;

/** An attempt with less time left than this would only be cut off. */
const LEAST_TIME_MS = 500;

/** The size of a full retry budget: the most that an outage adds to its own load. */
const FULL_BUDGET = 10;
const RETRIES_PER_SUCCESS = 0.1;

/** After three refusals of the credential in a row, one call in five seconds tries whether it works again. */
const CREDENTIAL_RULES = { inARow: 3, atLeast: Number.POSITIVE_INFINITY };

/** How long a refusal makes `/readyz` fail. Then the balancer sends calls again, and they show whether it is over. */
const UNREADY_MS = 30_000;

/** Limits retries to a tenth of the calls: when everything fails, retries would prolong the outage. */
function createRetryBudget() {
  let retries = FULL_BUDGET;
  return {
    earn(): void {
      retries = Math.min(FULL_BUDGET, retries + RETRIES_PER_SUCCESS);
    },
    /** Takes a retry from the budget; false if it is empty. */
    spend(): boolean {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
  };
}

/** The result of one attempt. `broken`: no answer, or a 5xx except 507; it is unknown whether the service did it. */
export type Tried<T> =
  | { readonly value: T; readonly failure?: undefined; readonly sign: "alive" }
  | { readonly failure: Failure; readonly sign: Sign };

export interface GuardedCall {
  readonly operation: V1Id;
  /** Whether a second attempt after a lost answer is safe. */
  readonly isRepeatable: boolean;
  /** When the whole call must be over, in milliseconds since 1970. */
  readonly endsAt: number;
}

export type CallGuard = ReturnType<typeof createCallGuard>;

export interface CallGuardDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ x < 1. */
  readonly jitter: () => number;
  /** What proves each operation's calls. */
  readonly schemes: Readonly<Partial<Record<V1Id, Auth>>>;
  readonly watch?: Metrics["upstream"];
  /** Replaced in tests that show what these two are for. */
  readonly newCircuit?: () => Circuit;
  readonly budget?: ReturnType<typeof createRetryBudget>;
}

/** Guards every call: a circuit for each route, one for the credential, retries within a budget. */
export function createCallGuard(deps: CallGuardDeps) {
  const { clock, log, jitter, watch, budget = createRetryBudget() } = deps;
  const { newCircuit = () => createCircuit(clock, ROUTE_RULES) } = deps;
  const circuits = new Map<V1Id, Circuit>();
  const credential = createCircuit(clock, CREDENTIAL_RULES);
  const sayRefused = createAlarm(clock, (answered: number) =>
    log.error({ answered }, "the service refuses the application credential: check APPLICATION_CREDENTIAL"),
  );
  let refusedAt: number | undefined;

  function circuitOf(operation: V1Id): Circuit {
    const circuit = circuits.get(operation) ?? newCircuit();
    circuits.set(operation, circuit);
    return circuit;
  }

  /** Milliseconds until the next attempt; undefined if there is none. */
  function waitFor(
    { isRepeatable, endsAt }: GuardedCall,
    { failure, sign }: Tried<unknown>,
    retries: number,
  ): number | undefined {
    const isWorthIt = sign === "broken" || isRefused(failure, 429);
    if (!isRepeatable || retries >= MAX_RETRIES || !isWorthIt) return undefined;
    const asked = (failure?.retryAfter ?? 0) * 1000;
    const wait = asked + jitter() * FIRST_WAIT_MS * 2 ** retries;
    return asked <= LONGEST_WAIT_MS && clock.now() + wait + LEAST_TIME_MS <= endsAt ? wait : undefined;
  }

  /** What a call shows about the credential that proved it. Only the operator can mend a refused one. */
  function signOfCredential({ sign, failure }: Tried<unknown>): Sign {
    if (sign !== "alive") return "idle";
    if (!failure) refusedAt = undefined;
    if (!isRefused(failure, 401, 403)) return "alive";
    refusedAt = clock.now();
    sayRefused(failure.answered);
    watch?.credentialRefused();
    return "broken";
  }

  return {
    /**
     * Runs `attempt` while the circuit is closed, and again where that is safe, useful and within the budget.
     * @throws Failure of the last try; support_unreachable while the circuit is open; what `attempt` throws
     */
    async run<T>(call: GuardedCall, attempt: () => Promise<Tried<T>>): Promise<T> {
      const route = circuitOf(call.operation);
      const isCredential = deps.schemes[call.operation] === "application";
      const isProbe = route.state !== "closed" || (isCredential && credential.state !== "closed");
      const reportCredential = isCredential ? credential.enter() : undefined;
      let reportRoute: ReturnType<Circuit["enter"]> | undefined;
      let tried: Tried<T> | undefined;
      try {
        reportRoute = route.enter();
        for (let retries = 0; !tried; retries += 1) {
          const startedAt = clock.now();
          const one = await attempt();
          watch?.tried(call.operation, one.failure?.code ?? "ok", clock.now() - startedAt);
          // A probe gets one attempt.
          const wait = isProbe ? undefined : waitFor(call, one, retries);
          if (wait === undefined || !budget.spend()) {
            tried = one.failure && retries > 0 ? { ...one, failure: meaningAfterRetry(one.failure) } : one;
          } else {
            watch?.retried(call.operation);
            await pause(clock, wait);
          }
        }
      } finally {
        // A probe always releases its place.
        reportRoute?.(tried?.sign ?? "idle");
        reportCredential?.(tried ? signOfCredential(tried) : "idle");
      }
      if (tried.failure) throw tried.failure;
      budget.earn();
      return tried.value;
    },
    /** Why this process can't work, in sentences, for `/readyz`. */
    reasons: (): readonly string[] =>
      refusedAt !== undefined && isRecent(clock, refusedAt, UNREADY_MS)
        ? ["The service refuses the application credential."]
        : [],
    /** The state of each route that was called. */
    circuits: (): ReadonlyMap<V1Id, Circuit["state"]> =>
      new Map([...circuits].map(([operation, circuit]) => [operation, circuit.state])),
  };
}
