import { Failure } from "../../shared/errors.ts";
import { type Clock, pause } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import type { V1Id } from "../../shared/v1/contract.ts";
import { type Circuit, createCircuit, ROUTE_RULES, type Sign } from "./circuit.ts";
import { createCredentialAlarm, createTokenAlarm } from "./credential-alarm.ts";
import { isRefused, Refused } from "./refused.ts";
import { createRetryBudget, type RetryBudget } from "./retry-budget.ts";

/** Repeats after the first try, where repeating is safe at all. */
const MAX_RETRIES = 2;
const FIRST_WAIT_MS = 200;

/** A service that asks for a longer pause gets it from the customer's side: nobody waits so long for an answer. */
const LONGEST_WAIT_MS = 2000;

/** A try with less time left than this would only be cut. */
const LEAST_TIME_MS = 500;

/** What one try came to. `broken`: no answer, or one of 5xx but 507; whether it was done is not known. */
export type Tried<T> =
  | { readonly value: T; readonly sign: "alive" }
  | { readonly failure: Failure; readonly sign: Sign };

export interface GuardedCall {
  readonly operation: V1Id;
  /** Whether doing it twice is the same as once: by its nature, or because the service honours its key. */
  readonly isRepeatable: boolean;
  /** When the whole call must be over, in milliseconds since 1970. */
  readonly endsAt: number;
}

/** Told of each try. `outcome` is `ok` or a failure's code. */
export interface UpstreamWatch {
  tried(operation: V1Id, outcome: string, ms: number): void;
  retried(operation: V1Id): void;
  credentialRefused(): void;
}

export interface CallGuard {
  /**
   * Runs `attempt` while the route's circuit is closed, and again where that is safe, useful and paid for.
   * @throws Failure of the last try; support_unreachable with `retryAfter` where the circuit is open
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
  /** Others in a test that shows what these two are for. */
  readonly newCircuit?: () => Circuit;
  readonly budget?: RetryBudget;
}

/** Stands between every call and the service: a circuit for each route, one for the credential, retries within a budget. */
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

  /** The last of the tries that a call gets; the first alone where it is a probe. */
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
        return retries > 0 ? { ...tried, failure: inDoubt(tried.failure) } : tried;
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
        // Whatever happens, a probe gives its place back.
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

/** How long to wait before the next try, in milliseconds; undefined where there is to be none. */
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

/**
 * A refusal after a try whose answer was lost may be the echo of that try: "it is over" because we ended it. So it is no
 * word about what happened. A refused token, and "too many", are about this try alone.
 */
function inDoubt(failure: Failure): Failure {
  if (failure.code === "storage_full") {
    return new Failure("not_confirmed", { cause: "no room after a try whose answer was lost" });
  }
  if (!(failure instanceof Refused) || failure.answered === 401 || failure.answered === 429) return failure;
  return new Failure("not_confirmed", { cause: `${failure.answered} after a try whose answer was lost` });
}
