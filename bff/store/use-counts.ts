/** A limit: at most `max` uses in any `windowMs`. */
export interface LimitRule {
  readonly name: string;
  readonly max: number;
  readonly windowMs: number;
}

/** The state of a key after one more use. `oldestAt` is the oldest use that counts, in milliseconds since 1970. */
export interface UseCount {
  readonly remaining: number;
  readonly oldestAt: number;
  readonly isRefused: boolean;
}

/** Counts uses: in this process, or in a store that several processes share. */
export interface UseCounts {
  /**
   * Counts one use at `now` in one atomic step; a refused use does not count. Counts need not survive a restart. Without a
   * promise where nothing is waited for: a message counts in three limits.
   * @throws Failure unavailable: a use that can't be counted is not allowed
   */
  count(rule: LimitRule, key: string, now: number): UseCount | Promise<UseCount>;
  /** Takes back one use that was counted at `at`. */
  giveBack(rule: LimitRule, key: string, at: number): void | Promise<void>;
}

/** How many keys one rule remembers in each of two generations; a flood of keys drops the older generation. */
const MAX_KEYS = 10_000;

interface Generations {
  startedAt: number;
  young: Map<string, number[]>;
  old: Map<string, number[]>;
}

/**
 * Counts uses in the memory of this process. Keys age in two generations of at least one window each, so memory is
 * released without a timer for each key.
 */
export function createUseCounts(): UseCounts {
  const byRule = new Map<string, Generations>();
  const count = ({ name, max, windowMs }: LimitRule, key: string, now: number): UseCount => {
    let uses = byRule.get(name);
    if (!uses) {
      uses = { startedAt: now, young: new Map(), old: new Map() };
      byRule.set(name, uses);
    }
    if (now - uses.startedAt >= windowMs || uses.young.size >= MAX_KEYS) {
      uses.old = uses.young;
      uses.young = new Map();
      uses.startedAt = now;
    }
    const times = uses.young.get(key) ?? uses.old.get(key) ?? [];
    uses.young.set(key, times);
    while (times[0] !== undefined && now - times[0] >= windowMs) times.shift();
    const isRefused = times.length >= max;
    if (!isRefused) times.push(now);
    return { remaining: max - times.length, oldestAt: times[0] ?? now, isRefused };
  };
  const giveBack = ({ name }: LimitRule, key: string, at: number): void => {
    const { young, old } = byRule.get(name) ?? {};
    const times = young?.get(key) ?? old?.get(key) ?? [];
    const index = times.lastIndexOf(at);
    if (index >= 0) times.splice(index, 1);
  };
  return { count, giveBack };
}
