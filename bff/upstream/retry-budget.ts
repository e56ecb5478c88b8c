/** Retries that a full budget holds: the most that an outage sees beyond its own load. */
const FULL = 10;
const PER_SUCCESS = 0.1;

export interface RetryBudget {
  /** A call that succeeded pays for a tenth of a retry. */
  earn(): void;
  /** Takes a retry from the budget; false where there is none. */
  spend(): boolean;
}

/** Keeps retries at a tenth of the calls: when everything fails they would be what keeps it failing. */
export function createRetryBudget(): RetryBudget {
  let retries = FULL;
  return {
    earn() {
      retries = Math.min(FULL, retries + PER_SUCCESS);
    },
    spend() {
      if (retries < 1) return false;
      retries -= 1;
      return true;
    },
  };
}
