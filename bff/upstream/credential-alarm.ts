import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { type Circuit, type CircuitRules, createCircuit } from "./circuit.ts";

/** From the third refusal in a row on, one call in five seconds asks whether the credential is good again. */
const RULES: CircuitRules = {
  inARow: 3,
  share: 1,
  atLeast: Number.POSITIVE_INFINITY,
  windowMs: 0,
  openMs: 5000,
};

const SAY_AGAIN_MS = 60_000;

/** A refusal keeps a process out of its balancer for so long; without calls nobody would find out that it is over. */
const TELL_MS = 30_000;

export interface CredentialAlarm {
  /** Stands before every call that the application credential proves. */
  readonly circuit: Circuit;
  /** The service answered 401 or 403 to the credential. */
  refused(status: number): void;
  accepted(): void;
  /** For `/readyz`: why this process can't work, in sentences. */
  reasons(): readonly string[];
}

/** Tokens end, and are renewed unseen; so many refused in a row, with none accepted between, do not end by their age. */
const TOKENS_IN_A_ROW = 20;

/**
 * Says once a minute that the service takes none of the session tokens that it issued. No circuit goes with it: a service
 * that changed its key refuses every old token once, and customers should not notice.
 */
export function createTokenAlarm(clock: Clock, log: Log): { heard(isRefused: boolean): void } {
  let inARow = 0;
  let saidAt: number | undefined;
  return {
    heard(isRefused) {
      inARow = isRefused ? inARow + 1 : 0;
      const now = clock.now();
      if (inARow < TOKENS_IN_A_ROW || (saidAt !== undefined && now - saidAt < SAY_AGAIN_MS)) return;
      saidAt = now;
      log.error({ inARow }, "the service refuses the session tokens that it issues: check AUTH_ variables");
    },
  };
}

/** A refused credential is the operator's to mend: it is said once a minute, and does not become a storm of calls. */
export function createCredentialAlarm(clock: Clock, log: Log): CredentialAlarm {
  let refusedAt: number | undefined;
  let saidAt: number | undefined;
  return {
    circuit: createCircuit(clock, RULES),
    refused(status) {
      refusedAt = clock.now();
      if (saidAt !== undefined && refusedAt - saidAt < SAY_AGAIN_MS) return;
      saidAt = refusedAt;
      log.error(
        { answered: status },
        "the service refuses the application credential: check APPLICATION_CREDENTIAL",
      );
    },
    accepted() {
      refusedAt = undefined;
      saidAt = undefined;
    },
    reasons: () =>
      refusedAt !== undefined && clock.now() - refusedAt < TELL_MS
        ? ["The service refuses the application credential."]
        : [],
  };
}
