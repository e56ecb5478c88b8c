/** Time as a parameter: tests turn its hands themselves. All values are milliseconds. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once after `ms`; gives the function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Runs every `ms` until cancelled; never keeps a process alive. */
  every(ms: number, run: () => void): () => void;
}

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
