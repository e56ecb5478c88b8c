import { LRUCache } from "lru-cache";
import { type Clock, isRecent } from "../../shared/server/clock.ts";
import { type CountedAttempt, createAttemptLimit, tooMany } from "./attempt-limit.ts";

/** OWASP: few enough to make guessing hopeless, enough for a person with a bad memory. */
const WINDOW_MS = 15 * 60 * 1000;
const ATTEMPTS_PER_PAIR = 10;
const ATTEMPTS_PER_ADDRESS = 20;
/** Failures from all addresses after which an account accepts further attempts one by one. */
const FREE_PER_ACCOUNT = 10;
/** The longest time that strangers can make a person wait at a new address. */
const MAX_DELAY_MS = 30_000;
const BOUNDS = { maxSize: 10_000, sizeCalculation: () => 1 };

export interface Attempt {
  /** It was not a failure: takes it back, and remembers the address for the account. */
  succeeded(): void;
  /** Returns what the check found. A check that was refused is not a failure: takes the attempt back, and rejects. */
  check(found: Promise<boolean>): Promise<boolean>;
}

export interface SignInLimits {
  /** Counts an attempt on an account before it is checked. @throws Failure `rate_limited` with the seconds to wait */
  begin(address: string, account: string): Attempt;
  /** The same for an attempt that names no account, such as the secret of a link. */
  beginNameless(address: string): Pick<Attempt, "succeeded">;
}

/**
 * Three limits on guessing, by the number of failures:
 * - address and account together: ten, then 15 minutes. Somebody who forgets their password locks out only themselves.
 * - one address over all accounts that never signed in from there: twenty, then 15 minutes.
 * - one account from all addresses: after ten failures, attempts queue up, 1 s apart at first and never over 30 s.
 *   Addresses that signed in to the account before, and the first attempt of any address, are not held up.
 *
 * So guessing from many addresses is slow, and a stranger can't lock out anybody who knows their password.
 *
 * The counts are in memory, and cover missing accounts as well.
 */
export function createSignInLimits(clock: Clock): SignInLimits {
  const limit = (attempts: number) => createAttemptLimit({ clock, attempts, windowMs: WINDOW_MS });
  const byAddress = limit(ATTEMPTS_PER_ADDRESS);
  const byPair = limit(ATTEMPTS_PER_PAIR);
  const delay = createAccountDelay(clock);
  /** Addresses where an account was signed in to with its password; forgotten at a restart. */
  const familiar = new LRUCache<string, true>(BOUNDS);
  return {
    begin(address, account) {
      const pair = `${address} ${account}`;
      const isFamiliar = familiar.has(pair);
      const atPair = byPair.take(pair);
      let atAddress: CountedAttempt | undefined;
      const giveBack = () => {
        atAddress?.giveBack();
        atPair.giveBack();
      };
      try {
        if (!isFamiliar) {
          atAddress = byAddress.take(address);
          delay.take(account, atPair.isFirst);
        }
      } catch (error) {
        // Nothing was checked: being held up is not a failure.
        giveBack();
        throw error;
      }
      return {
        succeeded() {
          atAddress?.giveBack();
          byPair.forget(pair);
          if (!isFamiliar) delay.giveBack(account);
          familiar.set(pair, true);
        },
        check: (found) =>
          found.catch((error: unknown) => {
            giveBack();
            if (!isFamiliar) delay.giveBack(account);
            throw error;
          }),
      };
    },
    beginNameless(address) {
      const attempt = byAddress.take(address);
      return { succeeded: () => attempt.giveBack() };
    },
  };
}

interface Tally {
  failures: number;
  /** The last attempt. */
  at: number;
  delayMs: number;
}

function createAccountDelay(clock: Clock) {
  const tallies = new LRUCache<string, Tally>(BOUNDS);
  const current = (account: string): Tally => {
    const known = tallies.get(account);
    // The window moves with each attempt: strangers are slowed for as long as they continue.
    if (known && isRecent(clock, known.at, WINDOW_MS)) return known;
    return { failures: 0, at: clock.now(), delayMs: 0 };
  };
  return {
    take(account: string, isFirst: boolean): void {
      const tally = current(account);
      if (isRecent(clock, tally.at, tally.delayMs) && !isFirst)
        throw tooMany((tally.at + tally.delayMs - clock.now()) / 1000);
      tally.failures += 1;
      const over = tally.failures - FREE_PER_ACCOUNT;
      if (over > 0) tally.delayMs = Math.min(1000 * 2 ** (over - 1), MAX_DELAY_MS);
      tally.at = clock.now();
      tallies.set(account, tally);
    },
    giveBack(account: string): void {
      const tally = tallies.get(account);
      if (tally && tally.failures > 0) tally.failures -= 1;
    },
  };
}
