import { Failure } from "../../shared/errors.ts";

export interface AttemptLimit {
  /** Counts one attempt and returns the count including it. @throws Failure `rate_limited` with the seconds to wait */
  take(key: string): number;
  /** Removes the key's attempts after a success. */
  forget(key: string): void;
  /** Takes back an attempt that was not a failure. */
  giveBack(key: string): void;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Bounds memory under attempts from many addresses; the oldest window is dropped first. */
const MAX_KEYS = 10_000;

/**
 * Counts attempts per key in a window that starts with the first one. An attempt counts before it is checked, so a
 * hundred concurrent ones count as a hundred.
 */
export function createAttemptLimit(options: {
  readonly now: () => number;
  readonly attempts: number;
  readonly windowMs: number;
}): AttemptLimit {
  const windows = new Map<string, Window>();
  const current = (key: string): Window | undefined => {
    const window = windows.get(key);
    if (window && window.endsAt > options.now()) return window;
    windows.delete(key);
    return undefined;
  };
  return {
    take(key) {
      const window = current(key) ?? { count: 0, endsAt: options.now() + options.windowMs };
      if (window.count >= options.attempts) {
        throw tooMany((window.endsAt - options.now()) / 1000);
      }
      window.count += 1;
      windows.set(key, window);
      const oldest = windows.size > MAX_KEYS ? windows.keys().next().value : undefined;
      if (oldest !== undefined) windows.delete(oldest);
      return window.count;
    },
    forget: (key) => void windows.delete(key),
    giveBack(key) {
      const window = current(key);
      if (window && window.count > 0) window.count -= 1;
    },
  };
}

/** The failure of an attempt that comes too soon, with the seconds to wait. */
export function tooMany(seconds: number): Failure {
  const retryAfter = Math.ceil(seconds);
  return new Failure("rate_limited", {
    retryAfter,
    detail: `Too many attempts. Wait ${waitOf(retryAfter)}, then try again.`,
  });
}

function waitOf(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "a second" : `${seconds} seconds`;
  const count = Math.ceil(seconds / 60);
  return count === 1 ? "a minute" : `${count} minutes`;
}
