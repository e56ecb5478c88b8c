import { Failure } from "../../shared/errors.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { type Circuit, createCircuit, ROUTE_RULES, type Sign } from "./circuit.ts";
import { createCredentialAlarm, createTokenAlarm } from "./credential-alarm.ts";
import { isRefused, meaningAfterRetry, Refused } from "./failure.ts";

/** Repeats after the first try, where repeating is safe at all. */
const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 200;

/** Where the service asks for a longer pause, the customer gets the failure: nobody waits that long for an answer. */
const LONGEST_WAIT_MS = 2000;

/** A try with less time left than this would only be cut off. */
const LEAST_TIME_MS = 500;

/** Retries that a full budget holds: the most that an outage adds to its own load. */
const FULL_BUDGET = 10;
const RETRIES_PER_SUCCESS = 0.1;

export interface RetryBudget {
  /** A call that succeeded pays for a tenth of a retry. */
  earn(): void;
  /** Takes a retry from the budget; false where there is none. */
  spend(): boolean;
}

/** Limits retries to a tenth of the calls: when everything fails, retries would prolong the outage. */
export function createRetryBudget(): RetryBudget {
  let retries = FULL_BUDGET;
  return {
    earn() {
      retries = Math.min(FULL_BUDGET, retries + RETRIES_PER_SUCCESS);
    },
    spend() {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
  };
}

/** The result of one try. `broken`: no answer, or a 5xx other than 507; nobody knows whether the service did it. */
export type Tried<T> =
  | { readonly value: T; readonly sign: "alive" }
  | { readonly failure: Failure; readonly sign: Sign };

export interface GuardedCall {
  readonly operation: V1Id;
  /** Whether a second try after a lost answer is safe (`retry` of the operation's record). */
  readonly isRepeatable: boolean;
  /** When the whole call must be over, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Called after each try. `outcome` is `ok` or a failure's code. */
export interface UpstreamWatch {
  tried(operation: V1Id, outcome: string, ms: number): void;
  retried(operation: V1Id): void;
  credentialRefused(): void;
}

export interface CallGuard {
  /**
   * Runs `attempt` while the route's circuit is closed, and again where that is safe, useful and within the budget.
   * @throws Failure of the last try; support_unreachable with `retryAfter` where the circuit is open; whatever `attempt`
   * throws: that is a fault of ours and says nothing about the service
   */
  run<T>(call: GuardedCall, attempt: () => Promise<Tried<T>>): Promise<T>;
  /** For `/readyz`. */
  reasons(): readonly string[];
  /** The state of each route that was called. */
  circuits(): ReadonlyMap<V1Id, Circuit["state"]>;
}

export interface CallGuardDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ x < 1. */
  readonly jitter: () => number;
  readonly provenByApplication: (operation: V1Id) => boolean;
  readonly watch?: UpstreamWatch;
  /** Replaced in tests that show what these two are for. */
  readonly newCircuit?: () => Circuit;
  readonly budget?: RetryBudget;
}

/** Guards every call: a circuit for each route, one for the credential, retries within a budget. */
export function createCallGuard(deps: CallGuardDeps): CallGuard {
  const { clock, jitter, watch, budget = createRetryBudget() } = deps;
  const { newCircuit = () => createCircuit(clock, ROUTE_RULES) } = deps;
  const circuits = new Map<V1Id, Circuit>();
  const alarm = createCredentialAlarm(clock, deps.log);
  const tokenAlarm = createTokenAlarm(clock, deps.log);

  function circuitOf(operation: V1Id): Circuit {
    const circuit = circuits.get(operation) ?? newCircuit();
    circuits.set(operation, circuit);
    return circuit;
  }

  /** The last try of a call; a probe gets only one. */
  async function tryAll<T>(
    call: GuardedCall,
    attempt: () => Promise<Tried<T>>,
    isProbe: boolean,
  ): Promise<Tried<T>> {
    for (let retries = 0; ; retries += 1) {
      const startedAt = clock.now();
      const tried = await attempt();
      const failure = "failure" in tried ? tried.failure : undefined;
      watch?.tried(call.operation, failure?.code ?? "ok", clock.now() - startedAt);
      if (!("failure" in tried)) return tried;
      const wait = isProbe ? undefined : waitFor(call, tried, retries, { now: clock.now(), jitter });
      if (wait === undefined || !budget.spend())
        return retries > 0 ? { ...tried, failure: meaningAfterRetry(tried.failure) } : tried;
      watch?.retried(call.operation);
      await pause(clock, wait);
    }
  }

  function report(reports: Reports, tried: Tried<unknown>): void {
    reports.route(tried.sign);
    if (reports.credential) reports.credential(noteCredential(tried));
    else if (tried.sign === "alive") tokenAlarm.heard("failure" in tried && isRefused(tried.failure, 401));
  }

  function noteCredential(tried: Tried<unknown>): Sign {
    if (tried.sign !== "alive") return "idle";
    const failure = "failure" in tried ? tried.failure : undefined;
    if (failure instanceof Refused && (failure.answered === 401 || failure.answered === 403)) {
      alarm.refused(failure.answered);
      watch?.credentialRefused();
      return "broken";
    }
    if (failure === undefined) alarm.accepted();
    return "alive";
  }

  return {
    async run(call, attempt) {
      const { operation } = call;
      const reports = enterAll(circuitOf(operation), deps.provenByApplication(operation) && alarm.circuit);
      let tried: Awaited<ReturnType<typeof attempt>> | undefined;
      try {
        tried = await tryAll(call, attempt, reports.isProbe);
      } finally {
        // A probe always gives its place back.
        report(reports, tried ?? { failure: new Failure("internal"), sign: "idle" });
      }
      if ("failure" in tried) throw tried.failure;
      budget.earn();
      return tried.value;
    },
    reasons: () => alarm.reasons(),
    circuits: () => new Map([...circuits].map(([operation, circuit]) => [operation, circuit.state])),
  };
}

interface Reports {
  readonly route: (sign: Sign) => void;
  readonly credential: ((sign: Sign) => void) | undefined;
  readonly isProbe: boolean;
}

/** @throws Failure support_unreachable while one of the circuits is open */
function enterAll(route: Circuit, credential: Circuit | false): Reports {
  const isProbe = route.state !== "closed" || (credential && credential.state !== "closed");
  const entered = route.enter();
  if (!("report" in entered)) throw away(entered.retryAfter);
  const proven = credential ? credential.enter() : undefined;
  if (proven === undefined || "report" in proven) {
    return { route: entered.report, credential: proven?.report, isProbe };
  }
  entered.report("idle");
  throw away(proven.retryAfter);
}

function away(retryAfter: number): Failure {
  return new Failure("support_unreachable", { retryAfter, cause: "circuit open" });
}

/** Milliseconds until the next try; undefined where there is none. */
function waitFor(
  { isRepeatable, endsAt }: GuardedCall,
  { failure, sign }: { readonly failure: Failure; readonly sign: Sign },
  retries: number,
  { now, jitter }: { readonly now: number; readonly jitter: () => number },
): number | undefined {
  const isBusy = failure instanceof Refused && failure.answered === 429;
  if (!isRepeatable || retries >= MAX_RETRIES || (sign !== "broken" && !isBusy)) return undefined;
  const asked = (failure.retryAfter ?? 0) * 1000;
  const wait = asked + jitter() * FIRST_WAIT_MS * 2 ** retries;
  return asked <= LONGEST_WAIT_MS && now + wait + LEAST_TIME_MS <= endsAt ? wait : undefined;
}
