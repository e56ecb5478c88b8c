/** Time as a parameter, so that tests control it. All values are milliseconds. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** Calls `run` every `ms` until cancelled; does not keep the process alive. */
  every(ms: number, run: () => void): () => void;
}

/** Whether less than `ms` passed since `at`. False too if the machine's clock was set back by more than that meanwhile. */
export function isRecent(clock: Pick<Clock, "now">, at: number, ms: number): boolean {
  return Math.abs(clock.now() - at) < ms;
}

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}

/** The result of `promise`; after `ms` the failure `late`, while the work goes on. */
export function within<T>(clock: Clock, ms: number, promise: Promise<T>, late: Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(Math.max(0, ms), () => reject(late));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  every: (ms, run) => {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};
