import type { Clock } from "../../shared/server/clock.ts";
import type { Log } from "../../shared/server/log.ts";
import { type Circuit, type CircuitRules, createCircuit } from "./circuit.ts";

/** After three refusals in a row, one call in five seconds tries whether the credential works again. */
const RULES: CircuitRules = {
  inARow: 3,
  share: 1,
  atLeast: Number.POSITIVE_INFINITY,
  windowMs: 0,
  openMs: 5000,
};

const LOG_AGAIN_MS = 60_000;

/** How long a refusal makes `/readyz` fail. Then the balancer sends calls again, and they show whether it is over. */
const UNREADY_MS = 30_000;

export interface CredentialAlarm {
  /** For every call that the application credential proves. */
  readonly circuit: Circuit;
  /** The service answered 401 or 403 to the credential. */
  refused(status: number): void;
  accepted(): void;
  /** Why this process can't work, in sentences, for `/readyz`. */
  reasons(): readonly string[];
}

/** Tokens expire and are renewed; this many refusals in a row, with none accepted between them, are not expiry. */
const TOKENS_IN_A_ROW = 20;

/**
 * Logs once a minute that the service accepts none of the session tokens that it issued. It opens no circuit: a service that
 * changed its key refuses every old token once, and customers should not notice.
 */
export function createTokenAlarm(clock: Clock, log: Log): { heard(isRefused: boolean): void } {
  let inARow = 0;
  let loggedAt: number | undefined;
  return {
    heard(isRefused) {
      inARow = isRefused ? inARow + 1 : 0;
      const now = clock.now();
      if (inARow < TOKENS_IN_A_ROW || (loggedAt !== undefined && now - loggedAt < LOG_AGAIN_MS)) return;
      loggedAt = now;
      log.error({ inARow }, "the service refuses the session tokens that it issues: check AUTH_ variables");
    },
  };
}

/** Only the operator can mend a refused credential: it is logged once a minute, and its circuit stops the calls. */
export function createCredentialAlarm(clock: Clock, log: Log): CredentialAlarm {
  let refusedAt: number | undefined;
  let loggedAt: number | undefined;
  return {
    circuit: createCircuit(clock, RULES),
    refused(status) {
      refusedAt = clock.now();
      if (loggedAt !== undefined && refusedAt - loggedAt < LOG_AGAIN_MS) return;
      loggedAt = refusedAt;
      log.error(
        { answered: status },
        "the service refuses the application credential: check APPLICATION_CREDENTIAL",
      );
    },
    accepted() {
      refusedAt = undefined;
      loggedAt = undefined;
    },
    reasons: () =>
      refusedAt !== undefined && clock.now() - refusedAt < UNREADY_MS
        ? ["The service refuses the application credential."]
        : [],
  };
}
